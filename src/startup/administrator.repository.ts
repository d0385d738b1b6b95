import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/** The first account, its personal namespace and its token: all or nothing, in one statement. */
const CREATE = `
  WITH u AS (
    INSERT INTO users (username, name, email, is_admin, password_digest, confirmed_at)
    VALUES ('root', 'Administrator', 'admin@example.com', true, $1, now()) RETURNING id
  ), n AS (
    INSERT INTO namespaces (id, kind, owner_id, name, path, traversal_ids)
    SELECT next.id, 'user', u.id, 'Administrator', 'root', ARRAY[next.id]
    FROM u, (SELECT nextval(pg_get_serial_sequence('namespaces', 'id')) AS id) AS next RETURNING id
  ), r AS (
    INSERT INTO routes (path, namespace_id) SELECT 'root', id FROM n
  )
  INSERT INTO access_tokens (kind, user_id, name, digest, scopes)
  SELECT 'personal', id, 'Initial token', $2, ARRAY['api', 'sudo'] FROM u`;

export interface NewAdministrator {
  /** Null: no sign-in by password. */
  readonly passwordDigest: string | null;
  readonly tokenDigest: Buffer;
}

/** Before the application runs there is no pool yet, hence a connection for each. */
async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  return work(client).finally(() => client.end());
}

export function hasUsers(url: string): Promise<boolean> {
  return connected(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM users LIMIT 1');
    return rowCount === 1;
  });
}

export async function createAdministrator(url: string, administrator: NewAdministrator): Promise<void> {
  const values = [administrator.passwordDigest, administrator.tokenDigest];
  await connected(url, (client) => client.query(CREATE, values));
}
