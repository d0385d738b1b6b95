import pg, { type ClientBase } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';

/** The pool below TypeORM, for what TypeORM has no words for. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const pool: unknown = dataSource.driver instanceof PostgresDriver ? dataSource.driver.master : undefined;
  if (!(pool instanceof pg.Pool)) throw new Error('the data source is not connected to PostgreSQL');
  return pool;
}

/** The connection of a running transaction. */
export async function connectionOf(runner: QueryRunner): Promise<ClientBase> {
  const connection: unknown = await runner.connect();
  if (!(connection instanceof pg.Client))
    throw new Error('the transaction is not on a PostgreSQL connection');
  return connection;
}
