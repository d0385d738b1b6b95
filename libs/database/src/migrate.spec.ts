import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, startChild } from '#libs/testing';
import pg from 'pg';
import { ensureDatabase } from './ensure-database';

const SCENARIO = path.join(__dirname, 'scenarios/migrate-database.ts');
const MIGRATIONS = path.resolve(__dirname, '../../../migrations');

describe('migrations', () => {
  it('run once when three processes start at the same time', async () => {
    const empty = await emptyDatabase();
    const said = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = startChild(SCENARIO, [empty.url]);
        const line = await child.line();
        expect(await child.ended()).toBe(0);
        return line;
      }),
    );
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.ts'));
    expect(said.sort()).toEqual(['ran 0', 'ran 0', `ran ${files.length}`]);
    await empty.drop();
  });
});

describe('a missing database', () => {
  it('is made once by several who need it at the same time', async () => {
    const { url, drop } = await createTestDatabase();
    const name = `made_${process.pid}`;
    await Promise.all([1, 2, 3].map(() => ensureDatabase(url, name)));
    await ensureDatabase(url, name);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    await client.query(`DROP DATABASE ${name}`).finally(() => client.end());
    expect(rowCount).toBe(1);
    await drop();
  });
});

/** A database without any tables: a test database emptied. */
async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client
    .query('DROP SCHEMA pgboss CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    .finally(() => client.end());
  return database;
}
