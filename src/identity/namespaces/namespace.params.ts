import { params, wire } from '#libs/http';

export const ListNamespaces = params({
  search: wire.text().optional().describe('Part of the name or path'),
});

export const ReadNamespace = params({
  id: wire.idOrPath().describe('Id or URL-encoded full path'),
});
