import { params, wire } from '#libs/http';

export const ChangeStar = params({});

export const ListStarrers = params({
  search: wire.text().optional().describe('Part of the name or username'),
});
