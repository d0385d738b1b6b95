import fs from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '#libs/testing';
import { Client } from 'pg';
import { BuiltService, freePort, type RunningProcess } from '../../support/running-server';

const GENERATED = /Token of root\s+(\S+)\s+\(shown once/;

/** Whole processes start in here, beside other test files. */
jest.setTimeout(120_000);

describe('the running service', () => {
  let built: BuiltService;
  let data: string;
  let database: { url: string; drop(): Promise<void> };
  let environment: Record<string, string>;
  const running: RunningProcess[] = [];

  const run = (more: Record<string, string> = {}): RunningProcess => {
    const server = built.run({ ...environment, ...more });
    running.push(server);
    return server;
  };
  const url = (to: string): string => `http://127.0.0.1:${environment['PORT']}${to}`;
  const statusOf = async (to: string, token?: string): Promise<number> => {
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(url(to), {
      signal,
      headers: token === undefined ? {} : { 'private-token': token },
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  beforeAll(async () => {
    built = await BuiltService.build();
  });
  beforeEach(async () => {
    data = await fs.mkdtemp(path.join(os.tmpdir(), 'service-data-'));
    database = await createTestDatabase();
    environment = { DATA_DIR: data, PORT: await freePort(), DATABASE_URL: database.url };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
    await database.drop();
    await fs.rm(data, { recursive: true, force: true });
  });

  it('tells where everything is, and lets root in with the token it shows once', async () => {
    const first = await run().ready();
    const token = GENERATED.exec(first.output)?.[1] ?? '';
    expect(first.output).toContain(`http://localhost:${environment['PORT']}/api/v4`);
    expect(first.output).toContain(`http://localhost:${environment['PORT']}/-/api`);
    expect(await statusOf('/api/v4/user', token)).toBe(200);
    const file = path.join(data, 'initial-root-token');
    expect((await fs.readFile(file, 'utf8')).trim()).toBe(token);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);

    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    const second = await run().ready();
    expect(second.output).not.toContain(token);
    expect(await statusOf('/api/v4/user', token)).toBe(200);
  });

  it('takes the first token and password from its settings, and repeats neither', async () => {
    const server = await run({
      INITIAL_ROOT_TOKEN: 'chosen-by-the-operator',
      INITIAL_ROOT_PASSWORD: 'correct horse',
    }).ready();
    expect(await statusOf('/api/v4/user', 'chosen-by-the-operator')).toBe(200);
    expect(server.output + server.errors).not.toMatch(/chosen-by-the-operator|correct horse/);
    await expect(fs.access(path.join(data, 'initial-root-token'))).rejects.toThrow('ENOENT');
  });

  it('makes one administrator when several nodes start at once', async () => {
    const nodes = [run(), run({ PORT: await freePort() }), run({ PORT: await freePort() })];
    await Promise.all(nodes.map((node) => node.ready()));
    expect(nodes.filter((node) => GENERATED.test(node.output))).toHaveLength(1);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT username, is_admin FROM users').finally(() => client.end());
    expect(rows).toEqual([{ username: 'root', is_admin: true }]);
  });

  it('stops in order: not ready at once, requests in flight finish', async () => {
    const server = await run().ready();
    const { token } = { token: GENERATED.exec(server.output)?.[1] ?? '' };
    const upload = http.request(url('/api/v4/nowhere'), {
      method: 'POST',
      headers: { 'private-token': token, 'content-length': '20', 'content-type': 'application/json' },
    });
    upload.write('{"half":');
    const answer = new Promise<number | undefined>((resolve, reject) => {
      upload.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.signal('SIGTERM');
    await server.until(async () => (await statusOf('/-/readiness')) === 503);
    upload.end('"sent late"}');
    expect(await answer).toBe(404);
    expect(await server.ended()).toBe(0);
  });

  it('ends at once at the second signal', async () => {
    const server = await run().ready();
    server.signal('SIGTERM');
    await server.until(async () => (await statusOf('/-/readiness')) === 503);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(1);
  });

  it('names the setting that makes no sense', async () => {
    const server = run({ TIER: 'platinum', LOG_LEVEL: 'loud' });
    expect(await server.ended()).toBe(1);
    expect(server.errors).toMatch(/TIER must be/);
    expect(server.errors).toMatch(/LOG_LEVEL must be/);
    expect(server.errors).not.toMatch(/\n\s+at /);
  });

  it('says so when the port is taken', async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(Number(environment['PORT']), '127.0.0.1', resolve));
    const server = run();
    expect(await server.ended()).toBe(1);
    await new Promise((resolve) => other.close(resolve));
    expect(server.errors).toMatch(/another program listens.*PORT/);
  });

  it('says so when the database cannot be reached, without its password', async () => {
    const server = run({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/code` });
    expect(await server.ended()).toBe(1);
    expect(server.errors).toMatch(/DATABASE_URL/);
    expect(server.errors + server.output).not.toContain('hunter2');
  });

  it('replaces a process of its group that dies, and stops with all of them', async () => {
    const server = await run({ WEB_CONCURRENCY: '2' }).ready();
    const pids = async (): Promise<string[]> =>
      (await fs.readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
        .split(' ')
        .filter(Boolean);
    const [victim = '', survivor = ''] = await pids();
    process.kill(Number(victim), 'SIGKILL');
    await server.until(async () => {
      const now = await pids();
      return now.length === 2 && !now.includes(victim) && now.includes(survivor);
    });
    expect(await statusOf('/-/liveness')).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
    await expect(statusOf('/-/liveness')).rejects.toThrow();
  });

  it('gives up when none of its group can start', async () => {
    const server = run({ WEB_CONCURRENCY: '2', HOST: '203.0.113.1' });
    expect(await server.ended()).toBe(1);
  });
});
