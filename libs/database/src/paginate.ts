import { COUNT_LIMIT, offsetOf, type KeysetRequest, type Page, type PageRequest } from '#libs/paging';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * One page of a query in its own order. The query may join records that each row has at most one of, not lists.
 *
 * The total costs nothing when the page shows the end of the collection, and else a count that stops just above
 * COUNT_LIMIT, however large the collection is. `part` are rows of it that are cheaper to count: where they alone are
 * above the limit, the rest is not looked at.
 */
export async function paginate<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  request: PageRequest,
  part: SelectQueryBuilder<T> | null = null,
): Promise<Page<T>> {
  const offset = offsetOf(request);
  // One row more than asked for tells whether there is a further page.
  const found = await query
    .clone()
    .offset(offset)
    .limit(request.perPage + 1)
    .getMany();
  const hasNext = found.length > request.perPage;
  const rows = hasNext ? found.slice(0, request.perPage) : found;
  const endIsSeen = !hasNext && (rows.length > 0 || offset === 0);
  const counted = endIsSeen ? offset + rows.length : await countWithPart(query, part);
  return { rows, hasNext, total: counted > COUNT_LIMIT ? null : counted };
}

async function countWithPart<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  part: SelectQueryBuilder<T> | null,
): Promise<number> {
  const inPart = part ? await countUpToLimit(part) : 0;
  return inPart > COUNT_LIMIT ? inPart : countUpToLimit(query);
}

/** Counts rows, but none beyond the first COUNT_LIMIT + 1. */
export async function countUpToLimit<T extends ObjectLiteral>(query: SelectQueryBuilder<T>): Promise<number> {
  const limited = query
    .clone()
    .select('1', 'one')
    .orderBy()
    .offset(undefined)
    .limit(COUNT_LIMIT + 1);
  const [text, values] = limited.getQueryAndParameters();
  const rows: { count: number }[] = await query.dataSource.manager.query(
    `SELECT count(*)::int AS count FROM (${text}) AS limited`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** A keyset page: rows in the order of their id, beyond a known one, and whether there are more. */
export interface KeysetPage<T> {
  readonly rows: readonly T[];
  readonly hasNext: boolean;
}

/**
 * A page by position instead of by number: as fast at the end of a large collection as at its start.
 * `idColumn` is the qualified property, "project.id". The query must not have an order of its own.
 */
export async function paginateByKey<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  idColumn: string,
  request: KeysetRequest,
): Promise<KeysetPage<T>> {
  const page = query.clone();
  if (request.idAfter !== null) page.andWhere(`${idColumn} > :idAfter`, { idAfter: request.idAfter });
  if (request.idBefore !== null) page.andWhere(`${idColumn} < :idBefore`, { idBefore: request.idBefore });
  const found = await page
    .orderBy(idColumn, request.sort === 'asc' ? 'ASC' : 'DESC')
    .limit(request.perPage + 1)
    .getMany();
  return { rows: found.slice(0, request.perPage), hasNext: found.length > request.perPage };
}
