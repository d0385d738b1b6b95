import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#libs/testing';
import { commitByApi, Ledger } from './support/committing';
import { useSite, type ServiceNode } from './support/site';
import { commitsOf, complaintsAbout } from './support/verdicts';

const CONNECTIONS = 8;
const FROZEN_MS = 1_000;

/** One connection kept open, which one of the processes serves for good. */
class Connection {
  private readonly socket: net.Socket;

  constructor(port: number) {
    this.socket = net.connect(port, '127.0.0.1');
    // A killed process resets it: that shows in `ask`.
    this.socket.on('error', () => undefined);
  }

  /** Whether it still answers. */
  async ask(): Promise<boolean> {
    if (this.socket.closed) return false;
    this.socket.write('GET /-/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const heard = await Promise.race([
      once(this.socket, 'data').then(([data]) => String(data)),
      once(this.socket, 'close').then(() => ''),
    ]).catch(() => '');
    return heard.startsWith('HTTP/1.1 200');
  }

  close(): void {
    this.socket.destroy();
  }
}

describe('two processes behind one port', () => {
  const site = useSite();
  const ledger = new Ledger();
  let node: ServiceNode;
  let repository = '';
  let victim = 0;
  const pids = async (): Promise<number[]> => {
    const { pid } = node.process;
    const text = await fs.readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  };
  const connect = (): Connection => new Connection(Number(new URL(node.url).port));
  const kept: Connection[] = [];
  let answersBefore: boolean[] = [];
  /** Whether each connection answers while one process is frozen. */
  let servedByOther: boolean[] = [];
  let answersAfter: boolean[] = [];
  let newcomers: boolean[] = [];

  beforeAll(async () => {
    node = await site.current.start({ WEB_CONCURRENCY: '2' });
    const { id } = await node.api.create('/projects', { path: 'many', initialize_with_readme: true });
    repository = site.current.repositoryOf(id);
    kept.push(...Array.from({ length: CONNECTIONS }, connect));
    answersBefore = await Promise.all(kept.map((connection) => connection.ask()));

    const stop = new AbortController();
    const work = [0, 1, 2, 3].map((number) =>
      commitByApi(node.api, { projectId: id, branch: 'master', name: `c${number}` }, ledger, stop.signal),
    );
    await sleep(1_000);
    [victim = 0] = await pids();
    process.kill(victim, 'SIGSTOP');
    servedByOther = await Promise.all(
      kept.map((connection) => Promise.race([connection.ask(), sleep(FROZEN_MS, false)])),
    );
    process.kill(victim, 'SIGKILL');
    await until(async () => !(await pids()).includes(victim));
    const fresh = Array.from({ length: CONNECTIONS }, connect);
    newcomers = await Promise.all(fresh.map((connection) => connection.ask()));
    answersAfter = await Promise.all(
      kept.map(async (connection, index) => servedByOther[index] === true && (await connection.ask())),
    );
    kept.push(...fresh);
    await sleep(1_000);
    stop.abort();
    await Promise.all(work);
  }, 60_000);
  afterAll(() => kept.forEach((connection) => connection.close()));

  it('share the connections, and one goes on answering its own when the other is killed', () => {
    expect(answersBefore).toEqual(Array(CONNECTIONS).fill(true));
    expect(new Set(servedByOther)).toEqual(new Set([true, false]));
    expect(answersAfter).toEqual(servedByOther);
    expect(newcomers).toEqual(Array(CONNECTIONS).fill(true));
  });

  it('replace the one that was killed', async () => {
    await until(async () => {
      const now = await pids();
      return now.length === 2 && !now.includes(victim);
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => node.api.get('/version')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('lose no acknowledged commit, and hold up nobody with the lock of the dead', async () => {
    expect(await commitsOf(repository, 'master')).toEqual(expect.arrayContaining(ledger.on('master')));
    expect(ledger.on('master').length).toBeGreaterThan(5);
    expect(ledger.refusals.length).toBeLessThanOrEqual(4);
    expect(await complaintsAbout(repository)).toEqual([]);
  });

  it('end with the process that watches them, and make room for the next', async () => {
    const orphans = await pids();
    await node.process.kill();
    await until(() => orphans.every((pid) => !isAlive(pid)));
    const { api } = await site.current.start({ WEB_CONCURRENCY: '2', PORT: new URL(node.url).port });
    expect((await api.get('/version')).status).toBe(200);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
