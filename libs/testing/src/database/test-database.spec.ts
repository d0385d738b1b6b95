import pg from 'pg';
import { createTestDatabase } from './test-database';

async function inside<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

describe('a test database', () => {
  it('has the schema of all migrations and the tables of the job queue', async () => {
    const database = await createTestDatabase();
    await inside(database.url, async (client) => {
      await client.query("INSERT INTO internal_ids VALUES ('project', 1, 'issues', 1)");
      const { rows } = await client.query("SELECT to_regclass('pgboss.job') IS NOT NULL AS there");
      expect(rows).toEqual([{ there: true }]);
    });
    await database.drop();
  });

  it('is separate from another one made at the same time', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await inside(one.url, (client) =>
      client.query("INSERT INTO internal_ids VALUES ('project', 1, 'issues', 1)"),
    );
    const { rows } = await inside(other.url, (client) => client.query('SELECT * FROM internal_ids'));
    expect(rows).toEqual([]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('goes away when dropped, also with somebody connected', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(inside(database.url, () => Promise.resolve())).rejects.toThrow('does not exist');
  });
});
