import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith, randomNumbers, until } from '#libs/testing';
import { Client } from 'pg';
import { freePort } from '../support/running-server';
import { commitByApi, commitByPush, Ledger } from './support/committing';
import { GitClone, remoteUrl } from './support/git-client';
import { killTrees } from './support/process-tree';
import { recoverNow } from './support/recovery';
import { useSite, type ServiceNode } from './support/site';
import { commitsOf, complaintsAbout, refsOf } from './support/verdicts';

const ROUNDS = 2;
const SHORTEST_LIFE_MS = 500;
const LONGEST_LIFE_MS = 1_500;
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 100_000);

/** Server, git processes and the embedded PostgreSQL at once, as when somebody pulls the plug (but for the disk's cache). */
describe('a machine that stops while the service writes', () => {
  const site = useSite();
  const ledger = new Ledger();
  const environment: Record<string, string> = { DATABASE_URL: '' };
  const random = randomNumbers(SEED);
  let node: ServiceNode;
  let projectId = 0;
  let cluster = '';
  /** Projects that had their first push at the time of a crash, or shortly before. */
  const fresh: number[] = [];

  /** As the superuser of the embedded server. */
  async function connect(): Promise<Client> {
    const [password, port] = await Promise.all(
      ['password', 'port'].map((name) => fs.readFile(path.join(cluster, name), 'utf8')),
    );
    const client = new Client({
      connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/service`,
    });
    await client.connect();
    return client;
  }

  /** The moment at which a project gets its first branch is the one that must not be lost. */
  async function pushFirst(round: number): Promise<void> {
    const made = await node.api.create('/projects', { path: `fresh-${round}` });
    fresh.push(made.id);
    const remote = remoteUrl(node.url, made.path_with_namespace);
    const clone = await GitClone.of(remote, path.join(site.current.dataDir, `fresh-${round}`));
    await clone.commit('first.txt', 'first\n');
    await clone.push(remote, 'HEAD:refs/heads/master');
  }

  async function live(round: number): Promise<void> {
    const stop = new AbortController();
    const remote = remoteUrl(node.url, 'root/hurt');
    const clone = await GitClone.of(remote, path.join(site.current.dataDir, `clone-${round}`));
    const work = Promise.allSettled([
      commitByApi(node.api, { projectId, branch: 'master', name: `a-${round}` }, ledger, stop.signal),
      commitByApi(node.api, { projectId, branch: 'master', name: `b-${round}` }, ledger, stop.signal),
      commitByPush(clone, remote, { projectId, branch: `pushed-${round}`, name: 'p' }, ledger, stop.signal),
      pushFirst(round),
    ]);
    await sleep(SHORTEST_LIFE_MS + random(LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
    await killTrees([node.process.pid]);
    stop.abort();
    await work;
  }

  beforeAll(async () => {
    console.log(`FAULT_SEED=${SEED}`);
    environment['PORT'] = await freePort();
    node = await site.current.start(environment);
    cluster = /Database\s+(\S+)/.exec(node.process.output)?.[1] ?? '';
    projectId = (await node.api.create('/projects', { path: 'hurt', initialize_with_readme: true })).id;
    for (let round = 0; round < ROUNDS; round += 1) {
      await live(round);
      node = await site.current.start(environment);
    }
  }, 120_000);
  afterAll(async () => {
    // The site has killed the node by now; the server stops by itself when nobody uses it any more.
    if (cluster === '') return;
    await until(async () => (await processesWith(path.join(cluster, 'data'))).length === 0);
    await fs.rm(path.dirname(cluster), { recursive: true, force: true });
  });

  it('loses nothing that the service has acknowledged', async () => {
    const repository = site.current.repositoryOf(projectId);
    expect(ledger.on('master').length).toBeGreaterThan(0);
    for (const branch of ledger.branches) {
      expect(await commitsOf(repository, branch)).toEqual(expect.arrayContaining(ledger.on(branch)));
    }
    expect(await complaintsAbout(repository)).toEqual([]);
  });

  it('leaves no repository with branches that its project does not know of', async () => {
    const rows = await connect();
    await recoverNow(rows).finally(() => rows.end());
    expect(fresh.length).toBeGreaterThan(0);
    for (const id of fresh) {
      const { body } = await node.api.get(`/projects/${id}`);
      const hasBranch = (await refsOf(site.current.repositoryOf(id))).has('refs/heads/master');
      expect(body.default_branch).toBe(hasBranch ? 'master' : null);
    }
  });

  it('lets everybody go on', async () => {
    const repository = `/projects/${projectId}/repository`;
    const actions = [{ action: 'create', file_path: 'after.txt', content: 'after' }];
    const made = await node.api.create(`${repository}/commits`, {
      branch: 'master',
      commit_message: 'After',
      actions,
    });
    const remote = remoteUrl(node.url, 'root/hurt');
    const clone = await GitClone.of(remote, path.join(site.current.dataDir, 'clone-after'));
    expect(await clone.git('rev-parse', 'HEAD')).toBe(made.id);
    await clone.commit('pushed.txt', 'after\n');
    await clone.git('push', '--quiet', remote, 'HEAD:master');
  });
});
