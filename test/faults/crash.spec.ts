import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '#libs/testing';
import { freePort } from '../support/running-server';
import { workHard, type Works } from './support/disturbance';
import { Ledger } from './support/committing';
import { GitClone, remoteUrl } from './support/git-client';
import { killTrees } from './support/process-tree';
import { recoverNow } from './support/recovery';
import { useSite, type ServiceNode } from './support/site';
import { commitsOf, complaintsAbout, endOfUnorderedChain, refsOf, toldUpdates } from './support/verdicts';

const ROUNDS = 3;
const SHORTEST_LIFE_MS = 700;
const LONGEST_LIFE_MS = 2_500;
const LASTING = ['master', 'topic', 'pushed'];
/** Once each run; set it to repeat one. */
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 100_000);

describe('a server that is killed while it writes', () => {
  const site = useSite();
  let works: Works;
  let node: ServiceNode;
  let repository = '';
  const environment: Record<string, string> = {};

  const cloneAs = (name: string): Promise<GitClone> =>
    GitClone.of(remoteUrl(node.url, works.fullPath), path.join(site.current.dataDir, name));

  /** One life of the server, which ends somewhere in the middle; every other time its git processes die with it. */
  async function live(round: number, lifetimeMs: number): Promise<void> {
    const stop = new AbortController();
    const clone = await cloneAs(`clone-${round}`);
    await clone.git('checkout', '--quiet', 'pushed');
    const work = workHard(node, site.current.rows, works, clone, round, stop.signal);
    await sleep(lifetimeMs);
    if (round % 2 === 0) await node.process.kill();
    else await killTrees([node.process.pid]);
    stop.abort();
    await work;
  }

  beforeAll(async () => {
    console.log(`FAULT_SEED=${SEED}`);
    const random = randomNumbers(SEED);
    environment['PORT'] = await freePort();
    node = await site.current.start(environment);
    const project = await node.api.create('/projects', { path: 'hurt', initialize_with_readme: true });
    for (const branch of LASTING.slice(1)) {
      await node.api.create(`/projects/${project.id}/repository/branches`, { branch, ref: 'master' });
    }
    works = {
      projectId: project.id,
      fullPath: 'root/hurt',
      ledger: new Ledger(),
      projects: [],
    };
    repository = site.current.repositoryOf(project.id);
    for (let round = 0; round < ROUNDS; round += 1) {
      await live(round, SHORTEST_LIFE_MS + random(LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
      node = await site.current.start(environment);
    }
  }, 120_000);

  it('has done much before', () => {
    for (const branch of LASTING) expect(works.ledger.on(branch).length).toBeGreaterThan(0);
    expect(works.projects.length).toBeGreaterThan(0);
  });

  it('loses nothing that it has acknowledged', async () => {
    for (const branch of LASTING) {
      expect(await commitsOf(repository, branch)).toEqual(expect.arrayContaining(works.ledger.on(branch)));
    }
    for (const id of works.projects) {
      const { status, body } = await node.api.get(`/projects/${id}/repository/files/README.md?ref=master`);
      expect([status, body.file_name]).toEqual([200, 'README.md']);
    }
  });

  it('leaves repositories that git finds nothing wrong with', async () => {
    for (const id of [works.projectId, ...works.projects]) {
      expect(await complaintsAbout(site.current.repositoryOf(id))).toEqual([]);
    }
  });

  it('finds out which moves of refs took effect, and tells each once', async () => {
    await recoverNow(site.current.rows);
    const updates = await toldUpdates(site.current.rows, works.projectId);
    const refs = await refsOf(repository);
    for (const branch of LASTING) {
      expect(endOfUnorderedChain(updates, `refs/heads/${branch}`)).toBe(refs.get(`refs/heads/${branch}`));
    }
  });

  it('has made projects whole or not at all', async () => {
    const { rows } = await site.current.rows.query<{
      id: number;
      default_branch: string | null;
      routes: number;
    }>(
      `SELECT id::int, default_branch, (SELECT count(*)::int FROM routes r WHERE r.project_id = p.id) AS routes
       FROM projects p WHERE NOT pending_delete`,
    );
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(works.projects));
    for (const { id, default_branch: branch, routes } of rows) {
      const folder = site.current.repositoryOf(id);
      expect(await fs.readFile(path.join(folder, 'HEAD'), 'utf8')).toBe(`ref: refs/heads/${branch}\n`);
      expect([...(await refsOf(folder)).keys()]).toContain(`refs/heads/${branch}`);
      expect(routes).toBe(1);
    }
  });

  it('lets everybody go on, whatever lies about', async () => {
    const { projectId, fullPath } = works;
    const base = `/projects/${projectId}/repository`;
    const remote = remoteUrl(node.url, fullPath);
    const clone = await cloneAs('clone-after');
    for (const branch of LASTING) {
      const sha = (await refsOf(repository)).get(`refs/heads/${branch}`);
      await clone.git('checkout', '--quiet', '--detach', sha ?? '');
      await clone.commit(`after/${branch}.txt`, 'pushed after the crash\n');
      await clone.git('push', '--quiet', remote, `HEAD:refs/heads/${branch}`);
      await node.api.create(`${base}/commits`, {
        branch,
        commit_message: 'After the crash',
        actions: [{ action: 'create', file_path: `after/${branch}-api.txt`, content: 'committed\n' }],
      });
    }
    for (const ref of (await refsOf(repository)).keys()) {
      const [, kind, name = ''] = ref.split('/');
      if (LASTING.includes(name)) continue;
      const { status } = await node.api.delete(`${base}/${kind === 'heads' ? 'branches' : 'tags'}/${name}`);
      expect(status).toBe(204);
    }
    expect([...(await refsOf(repository)).keys()].sort()).toEqual(
      LASTING.map((name) => `refs/heads/${name}`).sort(),
    );
    expect(await complaintsAbout(repository)).toEqual([]);
  }, 90_000);
});
