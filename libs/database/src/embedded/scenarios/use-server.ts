import { createInterface } from 'node:readline';
import pg from 'pg';
import { startEmbeddedPostgres } from '../embedded-postgres';

/**
 * Uses the server of a data directory until its standard input says "leave".
 * Says "up <started|joined> <url>", and with a table name "inserted <n>" after each row acknowledged.
 */
async function useServer(dataDir: string, systemFolder: string, table?: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, systemFolder });
  console.log(`up ${server.started ? 'started' : 'joined'} ${server.url('postgres')}`);
  if (table !== undefined) return insertForEver(server.url('postgres'), table);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'leave') break;
  }
  await server.stop();
  console.log('left');
}

async function insertForEver(url: string, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let n = 1; ; n++) {
    await client.query(`INSERT INTO ${table} VALUES ($1)`, [n]);
    console.log(`inserted ${n}`);
  }
}

const [dataDir = '', systemFolder = '', table] = process.argv.slice(2);
useServer(dataDir, systemFolder, table).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
