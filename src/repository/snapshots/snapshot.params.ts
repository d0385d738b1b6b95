import { params, wire } from '#libs/http';

export const DownloadSnapshot = params({
  wiki: wire.boolean().default(false).describe('The repository of the wiki instead'),
});
