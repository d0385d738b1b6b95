import { COUNT_LIMIT, offsetOf, type Page, type PageRequest } from '#libs/paging';
import type { ObjectLiteral } from 'typeorm';
import type { Database } from './database';

/**
 * One page of a statement of one's own, for what the query builder cannot say. `text` ends with its ORDER BY; the
 * total is counted as `paginate` counts it.
 */
export async function paginateStatement<Row extends ObjectLiteral>(
  database: Database,
  text: string,
  values: readonly unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const offset = offsetOf(request);
  const next = values.length + 1;
  const found: Row[] = await database.manager.query(`${text} LIMIT $${next} OFFSET $${next + 1}`, [
    ...values,
    request.perPage + 1,
    offset,
  ]);
  const hasNext = found.length > request.perPage;
  const rows = hasNext ? found.slice(0, request.perPage) : found;
  const endIsSeen = !hasNext && (rows.length > 0 || offset === 0);
  const counted = endIsSeen ? offset + rows.length : await countStatement(database, text, values);
  return { rows, hasNext, total: counted > COUNT_LIMIT ? null : counted };
}

async function countStatement(database: Database, text: string, values: readonly unknown[]): Promise<number> {
  const limited = `SELECT count(*)::int AS count FROM (SELECT 1 FROM (${text}) AS whole LIMIT ${COUNT_LIMIT + 1}) AS limited`;
  const [row]: { count: number }[] = await database.manager.query(limited, [...values]);
  return row?.count ?? 0;
}
