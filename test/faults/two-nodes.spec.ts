import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#libs/testing';
import { commitByApi, commitByPush, Ledger } from './support/committing';
import { GitClone, remoteUrl } from './support/git-client';
import { useSite, type ServiceNode, type Site } from './support/site';
import { authorsOf, commitsOf, complaintsAbout, endOfChain, refsOf, toldUpdates } from './support/verdicts';

const WORKING_MS = 8_000;
/** The real client is often beaten to the common branch: it goes on until it had its turn. */
const PUSHING_LONGER_MS = 3_000;
const MAINTENANCE_EVERY_MS = 1_500;
const PATH = 'root/busy';
const OWN_BRANCHES = ['topic-0', 'topic-1', 'pushed-0', 'pushed-1'];

/** So often each job was begun, counted by the database. */
async function countJobStarts(site: Site): Promise<void> {
  await site.rows.query(`
    CREATE TABLE job_starts (id uuid, name text);
    CREATE FUNCTION note_job_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public.job_starts VALUES (NEW.id, NEW.name); RETURN NULL; END $$;
    CREATE TRIGGER note_job_start AFTER UPDATE ON pgboss.job FOR EACH ROW
      WHEN (OLD.state <> 'active' AND NEW.state = 'active') EXECUTE FUNCTION note_job_start();`);
}

describe('two nodes over one database and one storage', () => {
  const site = useSite();
  const ledger = new Ledger();
  let nodes: readonly [ServiceNode, ServiceNode];
  let projectId = 0;
  let repository = '';

  /** Two people with the real git client on a node, one of them on everybody's branch. */
  const clonesOf = ({ url }: ServiceNode, number: number) =>
    ['master', `pushed-${number}`].map(async (branch) => {
      const remote = remoteUrl(url, PATH);
      const clone = await GitClone.of(remote, path.join(site.current.dataDir, `clone-${number}-${branch}`));
      return { clone, remote, branch, name: `push-${number}` };
    });

  /** Committers on both nodes, the real git client on both nodes, and packing meanwhile. */
  async function work(): Promise<void> {
    const { rows } = site.current;
    const pushes = await Promise.all(nodes.flatMap((node, number) => clonesOf(node, number)));
    const stop = AbortSignal.timeout(WORKING_MS);
    const stopPushing = AbortSignal.timeout(WORKING_MS + PUSHING_LONGER_MS);
    const committers = nodes.flatMap(({ api }, node) => [
      ...[0, 1, 2].map((number) =>
        commitByApi(api, { projectId, branch: 'master', name: `api-${node}-${number}` }, ledger, stop),
      ),
      commitByApi(api, { projectId, branch: `topic-${node}`, name: 'topic' }, ledger, stop),
    ]);
    const pushers = pushes.map(({ clone, remote, branch, name }) =>
      commitByPush(clone, remote, { projectId, branch, name }, ledger, stopPushing),
    );
    const packing = (async () => {
      while (!stop.aborted) {
        // The next write is the one after which the repository is packed.
        await rows.query('UPDATE projects SET writes_since_maintenance = 199 WHERE id = $1', [projectId]);
        await sleep(MAINTENANCE_EVERY_MS);
      }
    })();
    await Promise.all([...committers, ...pushers, packing]);
  }

  /** Waits until nothing is left to do. */
  const settle = (): Promise<true> =>
    until(async () => {
      const { rows } = await site.current.rows.query(
        `SELECT 1 FROM pgboss.job WHERE name LIKE 'repository.%' AND state IN ('created', 'retry', 'active')
           AND start_after < now() + interval '10 seconds'`,
      );
      return rows.length === 0;
    }, 30_000);

  beforeAll(async () => {
    const first = await site.current.start();
    await countJobStarts(site.current);
    nodes = [first, await site.current.start()];
    const project = await first.api.create('/projects', { path: 'busy', initialize_with_readme: true });
    projectId = project.id;
    repository = site.current.repositoryOf(projectId);
    for (const branch of OWN_BRANCHES) {
      await first.api.create(`/projects/${projectId}/repository/branches`, { branch, ref: 'master' });
    }
    await work();
    await settle();
    const counts = ledger.branches.map((branch) => `${branch} ${ledger.on(branch).length}`);
    console.log(`acknowledged: ${counts.join(', ')}; refused: ${ledger.refusals.length}`);
  }, 120_000);

  it('were busy on every branch, in both ways', async () => {
    for (const branch of [...OWN_BRANCHES, 'master']) expect(ledger.on(branch).length).toBeGreaterThan(2);
    expect(await authorsOf(repository, 'master')).toEqual(new Set(['Administrator', 'Pusher']));
  });

  it('lose no acknowledged commit and have no other one', async () => {
    for (const branch of ledger.branches) {
      const commits = await commitsOf(repository, branch);
      expect(new Set(ledger.on(branch)).size).toBe(ledger.on(branch).length);
      expect(commits).toEqual(expect.arrayContaining(ledger.on(branch)));
    }
    const pushed = await commitsOf(repository, 'pushed-0');
    expect(pushed).toHaveLength(ledger.on('pushed-0').length + 1);
    const merged = await commitsOf(repository, 'topic-0');
    expect(merged).toHaveLength(ledger.on('topic-0').length + 1);
  });

  it('leave a repository that git finds nothing wrong with', async () => {
    expect(await complaintsAbout(repository)).toEqual([]);
  });

  it('show the same branches, which are those of the repository', async () => {
    const expected = [...(await refsOf(repository))].map(([ref, sha]) => [
      ref.replace('refs/heads/', ''),
      sha,
    ]);
    for (const { api } of nodes) {
      const { body } = await api.get(`/projects/${projectId}/repository/branches?per_page=100`);
      const shown = body.map(({ name, commit }: { name: string; commit: { id: string } }) => [
        name,
        commit.id,
      ]);
      expect(shown.sort()).toEqual(expected.sort());
    }
  });

  it('tell every move of a ref as one event, in order', async () => {
    const updates = await toldUpdates(site.current.rows, projectId);
    const refs = await refsOf(repository);
    for (const [ref, sha] of refs) expect(endOfChain(updates, ref)).toBe(sha);
    // The readme and the branches that were made of it, then one for each acknowledged write.
    expect(updates).toHaveLength(1 + OWN_BRANCHES.length + ledger.acknowledged.length);
    const { rows } = await site.current.rows.query('SELECT id FROM ref_intents');
    expect(rows).toEqual([]);
  });

  it('run each job once, on one of them, and without a failure', async () => {
    const { rows } = site.current;
    const { rows: failed } = await rows.query(
      `SELECT name, output FROM pgboss.job WHERE retry_count > 0 OR state = 'failed'`,
    );
    expect(failed).toEqual([]);
    // An event's subscribers have a job each, of one id in queues of their own.
    const { rows: repeated } = await rows.query(
      'SELECT name, id FROM job_starts GROUP BY name, id HAVING count(*) > 1',
    );
    expect(repeated).toEqual([]);
    const { rows: packed } = await rows.query(`SELECT id FROM job_starts WHERE name = 'repository.maintain'`);
    expect(packed.length).toBeGreaterThan(2);
  });
});
