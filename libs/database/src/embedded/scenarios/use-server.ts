import { createInterface } from 'node:readline';
import pg from 'pg';
import { startEmbeddedPostgres } from '../embedded-postgres';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Uses the server of a data directory until its standard input says "leave".
 * Says "up <started|joined> <url>", and with a table name "inserted <n>" after each row acknowledged.
 */
async function useServer(dataDir: string, systemFolder: string, table?: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, systemFolder });
  say(`up ${server.started ? 'started' : 'joined'} ${server.url('postgres')}`);
  if (table !== undefined) return insertForEver(server.url('postgres'), table);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'leave') break;
  }
  await server.stop();
  say('left');
}

async function insertForEver(url: string, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let n = 1; ; n++) {
    await client.query(`INSERT INTO ${table} VALUES ($1)`, [n]);
    say(`inserted ${n}`);
  }
}

const [dataDir = '', systemFolder = '', table] = process.argv.slice(2);
// A failure ends the process with its stack, which the test shows.
void useServer(dataDir, systemFolder, table);
