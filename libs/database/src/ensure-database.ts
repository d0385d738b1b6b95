import pg from 'pg';

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

/** Creates the database when it does not exist. `adminUrl` leads to another database of the same server. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    // Another process created it at the same moment.
    const expected =
      error instanceof pg.DatabaseError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code ?? '');
    if (!expected) throw error;
  } finally {
    await client.end();
  }
}
