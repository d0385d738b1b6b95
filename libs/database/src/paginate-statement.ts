import { COUNT_LIMIT, offsetOf, type Page, type PageRequest } from '#libs/paging';
import type { ObjectLiteral } from 'typeorm';
import type { Database } from './database';

/** A statement apart from its ORDER BY, which a count does without. */
export interface OrderedStatement {
  readonly rows: string;
  readonly order: string;
}

/**
 * A statement, or how it reads for the first `most` rows of its order: one that merges several sources then takes no
 * more than so many from each. `most` is an SQL expression.
 */
export type PagedStatement = string | OrderedStatement | ((most: string) => string);

/**
 * One page of a statement of one's own, for what the query builder cannot say. It ends with its ORDER BY, if that is
 * not apart; the total is counted as `paginate` counts it.
 */
export async function paginateStatement<Row extends ObjectLiteral>(
  database: Database,
  statement: PagedStatement,
  values: readonly unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const offset = offsetOf(request);
  const limit = `$${values.length + 1}::bigint`;
  const skipped = `$${values.length + 2}::bigint`;
  const order = typeof statement === 'object' ? ` ORDER BY ${statement.order}` : '';
  const text = `${textOf(statement, `${limit} + ${skipped}`)}${order}`;
  const found: Row[] = await database.manager.query(`${text} LIMIT ${limit} OFFSET ${skipped}`, [
    ...values,
    request.perPage + 1,
    offset,
  ]);
  const hasNext = found.length > request.perPage;
  const rows = hasNext ? found.slice(0, request.perPage) : found;
  const endIsSeen = !hasNext && (rows.length > 0 || offset === 0);
  const counted = endIsSeen ? offset + rows.length : await countStatement(database, statement, values);
  return { rows, hasNext, total: counted > COUNT_LIMIT ? null : counted };
}

function textOf(statement: PagedStatement, most: string): string {
  if (typeof statement === 'object') return statement.rows;
  return typeof statement === 'string' ? statement : statement(most);
}

async function countStatement(
  database: Database,
  statement: PagedStatement,
  values: readonly unknown[],
): Promise<number> {
  const most = String(COUNT_LIMIT + 1);
  const limited = `SELECT count(*)::int AS count FROM (SELECT 1 FROM (${textOf(statement, most)}) AS whole LIMIT ${most}) AS limited`;
  const [row]: { count: number }[] = await database.manager.query(limited, [...values]);
  return row?.count ?? 0;
}
