import { params, wire } from '#libs/http';

export const ListTree = params({
  path: wire.text().default('').describe('Directory; the root by default'),
  ref: wire.text().optional().describe('Branch, tag or commit; the default branch by default'),
  recursive: wire.boolean().default(false),
});

export const BlobPath = params({ sha: wire.text().describe('Object name of the blob') });

export const DownloadArchive = params({
  sha: wire.text().optional().describe('Branch, tag or commit; the default branch by default'),
});

export const DownloadArchiveAs = DownloadArchive.extend({
  format: wire.oneOf(['zip', 'tar', 'tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2']),
});

export const Compare = params({
  from: wire.text({ blank: false }),
  to: wire.text({ blank: false }),
  straight: wire
    .boolean()
    .default(false)
    .describe('Compares the two themselves, not `to` with what both come from'),
});

export const ListContributors = params({
  order_by: wire.oneOf(['name', 'email', 'commits']).default('commits'),
  sort: wire.oneOf(['asc', 'desc']).default('asc'),
});

export const FindMergeBase = params({ refs: wire.list(wire.text(), { max: 100 }) });
