import type { KeysetPage, Page, PageRequest } from '#libs/paging';

/** Parameters that must never come back in a Link URL. */
const SECRETS = new Set(['private_token', 'access_token', 'job_token']);

type Replacements = Readonly<Record<string, string | number>>;

const nameOf = (piece: string): string => {
  const name = piece.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** The request's own URL, path byte for byte, with some query parameters replaced. */
function urlWith(base: string, originalUrl: string, replacements: Replacements): string {
  const mark = originalUrl.indexOf('?');
  const path = mark < 0 ? originalUrl : originalUrl.slice(0, mark);
  const query = mark < 0 ? '' : originalUrl.slice(mark + 1);
  const kept = query
    .split('&')
    .filter((piece) => piece !== '' && !SECRETS.has(nameOf(piece)) && !(nameOf(piece) in replacements))
    .map((piece) => piece.replaceAll('[', '%5B').replaceAll(']', '%5D'));
  const added = Object.entries(replacements).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${base}${path}?${[...kept, ...added].join('&')}`;
}

const link = (url: string, rel: string): string => `<${url}>; rel="${rel}"`;

/**
 * The headers of a page: X-Page and its kin, and Link with prev, next, first and last.
 * Totals and `last` are left out where the total is not known (more than 10,000 rows).
 */
export function pageHeaders(
  page: Page<unknown>,
  request: PageRequest,
  base: string,
  originalUrl: string,
): Record<string, string> {
  const totalPages = page.total === null ? null : Math.max(1, Math.ceil(page.total / request.perPage));
  const isPastEnd = totalPages === null ? page.rows.length === 0 : request.page > totalPages;
  const previous = request.page > 1 && !isPastEnd ? request.page - 1 : null;
  const next = page.hasNext ? request.page + 1 : null;
  const to = (number: number): string =>
    urlWith(base, originalUrl, { page: number, per_page: request.perPage });
  return {
    'X-Per-Page': String(request.perPage),
    'X-Page': String(request.page),
    'X-Next-Page': next === null ? '' : String(next),
    'X-Prev-Page': previous === null ? '' : String(previous),
    ...(page.total !== null && { 'X-Total': String(page.total), 'X-Total-Pages': String(totalPages) }),
    Link: [
      ...(previous === null ? [] : [link(to(previous), 'prev')]),
      ...(next === null ? [] : [link(to(next), 'next')]),
      link(to(1), 'first'),
      ...(totalPages === null ? [] : [link(to(totalPages), 'last')]),
    ].join(', '),
  };
}

/** The headers of a keyset page: only the way to the next one. */
export function keysetHeaders(
  page: KeysetPage<unknown>,
  base: string,
  originalUrl: string,
): Record<string, string> {
  return page.next === null ? {} : { Link: link(urlWith(base, originalUrl, page.next), 'next') };
}
