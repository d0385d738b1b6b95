/** An offset page as asked for: `page` from 1, `perPage` from 1 to 100. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;

/** Above this many rows the total is not told: no X-Total, X-Total-Pages nor rel="last" (specification, Limits). */
export const COUNT_LIMIT = 10_000;

/**
 * One page of a collection.
 * `total` is the number of rows in the collection, or `null` when it is larger than COUNT_LIMIT;
 * `hasNext` is true when a further page has rows.
 */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number | null;
  readonly hasNext: boolean;
}

/** How many rows to pass over before the page begins. */
export const offsetOf = ({ page, perPage }: PageRequest): number => (page - 1) * perPage;

/** A page cut out of a collection that is whole in memory. */
export function pageOf<T>(all: readonly T[], request: PageRequest): Page<T> {
  const offset = offsetOf(request);
  return {
    rows: all.slice(offset, offset + request.perPage),
    total: all.length > COUNT_LIMIT ? null : all.length,
    hasNext: offset + request.perPage < all.length,
  };
}

/** The same page with other rows in it, for read models made from entities. */
export const mapPage = <T, U>(page: Page<T>, change: (row: T) => U): Page<U> => ({
  ...page,
  rows: page.rows.map(change),
});

/** A keyset page: rows after (`after`) or before the position of a known id, never a count. */
export interface KeysetRequest {
  readonly perPage: number;
  readonly sort: 'asc' | 'desc';
  readonly idAfter: number | null;
  readonly idBefore: number | null;
}

/** A page of a keyset walk. `next` holds the parameters that ask for the following page, null at the end. */
export interface KeysetPage<T> {
  readonly rows: readonly T[];
  readonly next: Readonly<Record<string, string>> | null;
}

export const isPage = (value: unknown): value is Page<unknown> =>
  typeof value === 'object' && value !== null && 'rows' in value && 'hasNext' in value;

export const isKeysetPage = (value: unknown): value is KeysetPage<unknown> =>
  typeof value === 'object' && value !== null && 'rows' in value && 'next' in value;
