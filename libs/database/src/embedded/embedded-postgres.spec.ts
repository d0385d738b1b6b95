import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startChild, until, type Child } from '#libs/testing';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres';
import { isAlive } from './postmaster-file';

const SCENARIO = path.join(__dirname, 'scenarios/use-server.ts');

let folder: string;
let dataDir: string;
let systemFolder: string;
const children: Child[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'embedded-'));
  await chmod(folder, 0o711);
  dataDir = path.join(folder, 'data');
  systemFolder = path.join(folder, 'system');
});

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  await until(async () => (await serverPid()) === null);
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

function use(table?: string): Child {
  const child = startChild(SCENARIO, [dataDir, systemFolder, ...(table === undefined ? [] : [table])]);
  children.push(child);
  return child;
}

/** "started" or "joined", and the address. */
async function up(child: Child): Promise<{ how: string; url: string }> {
  const [, how = '', url = ''] = (await child.line()).split(' ');
  return { how, url };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query({ text, rowMode: 'array' })
    .then(({ rows }: { rows: unknown[][] }) => rows.map(([value]) => value))
    .finally(() => client.end());
}

const pidFile = (): string => path.join(dataDir, 'postgres/pg18/data/postmaster.pid');

/** Of the server that runs; null when none does. */
async function serverPid(): Promise<number | null> {
  const text = await readFile(pidFile(), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return pid > 0 && isAlive(pid) ? pid : null;
}

describe('the embedded PostgreSQL', () => {
  it('is started by one of two processes that come at once, and joined by the other', async () => {
    const both = await Promise.all([up(use()), up(use())]);
    expect(both.map(({ how }) => how).sort()).toEqual(['joined', 'started']);
    expect(both[0].url).toBe(both[1].url);
  });

  it('lives on while a process that joined it uses it, however the one that started it went', async () => {
    const first = use();
    await up(first);
    const second = use();
    const { url } = await up(second);
    await first.kill();
    const third = use();
    expect((await up(third)).how).toBe('joined');
    expect(await query(url, 'SELECT 1')).toEqual([1]);
  });

  it('stops when its last user leaves, and waits for that', async () => {
    const only = use();
    await up(only);
    const pid = await serverPid();
    only.tell('leave');
    expect(await only.line()).toBe('left');
    expect(pid).not.toBeNull();
    expect(await serverPid()).toBeNull();
  });

  it('is not stopped by one user that leaves among others', async () => {
    const [one, other] = [use(), use()];
    await up(one);
    const { url } = await up(other);
    one.tell('leave');
    expect(await one.line()).toBe('left');
    expect(await query(url, 'SELECT 1')).toEqual([1]);
  });

  it('keeps every acknowledged row when its user is killed amid inserts', async () => {
    const setup = use();
    await query((await up(setup)).url, 'CREATE TABLE crash_of_user (n int)');
    setup.tell('leave');
    await setup.line();

    const inserting = use('crash_of_user');
    await up(inserting);
    for (let n = 0; n < 200; n++) await inserting.line();
    await inserting.kill();
    const acknowledged = 200 + inserting.unread().length;
    await until(async () => (await serverPid()) === null);

    const { url } = await up(use());
    const [rows] = await query(url, 'SELECT count(*)::int FROM crash_of_user');
    expect(rows).toBeGreaterThanOrEqual(acknowledged);
  });

  it('keeps every acknowledged row when the server itself is killed, and is started again for its users', async () => {
    const looking = use();
    const { url } = await up(looking);
    await query(url, 'CREATE TABLE crash_of_server (n int)');
    const inserting = use('crash_of_server');
    await up(inserting);
    for (let n = 0; n < 100; n++) await inserting.line();
    const killed = await serverPid();
    if (killed === null) throw new Error('no server runs');
    process.kill(killed, 'SIGKILL');
    const end = await inserting.ended();
    const acknowledged = 100 + inserting.unread().length;

    expect(end).toBe(1);
    // The process that is left starts it again by itself, where it was before.
    const rows = await until(() => query(url, 'SELECT count(*)::int FROM crash_of_server').catch(() => null));
    expect(rows[0]).toBeGreaterThanOrEqual(acknowledged);
    expect(await serverPid()).not.toBe(killed);
  });

  it('starts in spite of a file that a dead server left behind, even when another program has its pid', async () => {
    const before = use();
    await up(before);
    const text = await readFile(pidFile(), 'utf8');
    before.tell('leave');
    await before.line();
    const [, ...rest] = text.split('\n');
    await writeFile(pidFile(), [String(process.pid), ...rest].join('\n'));
    expect((await up(use())).how).toBe('started');
  });

  it('keeps its password to the owner of the service, and its data to the account it runs under', async () => {
    await up(use());
    const root = path.join(dataDir, 'postgres/pg18');
    expect((await stat(path.join(root, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(root, 'data'))).mode & 0o777).toBe(0o700);
    const { uid } = await stat(path.join(root, 'data'));
    if (process.getuid?.() === 0) expect(uid).not.toBe(0);
  });

  it('refuses connections without the password', async () => {
    const { url } = await up(use());
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('is durable', async () => {
    const { url } = await up(use());
    const settings = `SELECT setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums')`;
    expect(await query(url, settings)).toEqual(['on', 'on', 'on', 'on']);
  });
});

describe('a data directory that holds another version', () => {
  it('is refused with the way out', async () => {
    const other = await mkdtemp(path.join(folder, 'other-'));
    await chmod(other, 0o711);
    const old = path.join(other, 'postgres/pg9');
    await mkdir(old, { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir: other, systemFolder })).rejects.toThrow(
      /version 18.*DATABASE_URL/s,
    );
    expect(await readdir(path.dirname(old))).toEqual(['pg9']);
  });
});

// Only root can try both: being it, and starting processes of others.
if (process.getuid?.() === 0) {
  describe('started by root in a directory that other accounts cannot enter', () => {
    it('keeps the cluster where the unprivileged account can reach it', async () => {
      const closed = await mkdtemp(path.join(folder, 'closed-'));
      const server = await startEmbeddedPostgres({ dataDir: closed, systemFolder, throwaway: true });
      try {
        expect(server.folder.startsWith(systemFolder)).toBe(true);
        expect(await query(server.url('postgres'), 'SELECT 1')).toEqual([1]);
      } finally {
        await server.stop();
      }
    });
  });

  describe('started by an ordinary user', () => {
    it('runs under that user, inside the data directory', async () => {
      const own = await mkdtemp(path.join(folder, 'own-'));
      const nobody = { uid: 65_534, gid: 65_534 };
      await chown(own, nobody.uid, nobody.gid);
      const child = startChild(SCENARIO, [own, path.join(own, 'system')], nobody);
      children.push(child);
      const { url } = await up(child);
      expect(await query(url, "SELECT current_setting('data_directory')")).toEqual([
        path.join(own, 'postgres/pg18/data'),
      ]);
      expect((await stat(path.join(own, 'postgres/pg18/data'))).uid).toBe(nobody.uid);
      child.tell('leave');
      expect(await child.line()).toBe('left');
    });
  });
}
