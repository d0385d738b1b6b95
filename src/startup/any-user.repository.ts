import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/** Whether the database has any user. On a connection of its own: asked before the application has any. */
export async function hasUsers(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM users LIMIT 1');
    return rowCount === 1;
  } finally {
    await client.end();
  }
}
