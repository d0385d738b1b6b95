import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE_URL } from './template-url';

/** A database of its own with the whole schema and no rows. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, with whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Copies the migrated template, or another test database that nobody is connected to: some 30 ms. Needs the cluster of
 * Jest's global setup.
 */
export async function createTestDatabase(original?: string): Promise<TestDatabase> {
  const template = process.env[TEMPLATE_URL];
  if (template === undefined)
    throw new Error(`${TEMPLATE_URL} is not set: tests run under Jest's global setup`);
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const source = new URL(original ?? template).pathname.slice(1);
  await onServer(template, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  return {
    url: withDatabase(template, name),
    drop: () => onServer(template, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Not from the template: PostgreSQL copies no database that somebody is connected to. */
async function onServer(template: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(template, 'postgres') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
