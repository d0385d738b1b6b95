import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#libs/testing';
import { commitByApi, commitByPush, Ledger } from './support/committing';
import { GitClone, remoteUrl } from './support/git-client';
import { recoverNow } from './support/recovery';
import { useSite, type ServiceNode } from './support/site';
import { commitsOf, complaintsAbout, endOfUnorderedChain, refsOf, toldUpdates } from './support/verdicts';

const WORKING_MS = 6_000;
const CUT_EVERY_MS = 400;
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describe('a node whose connections to the database break again and again', () => {
  const site = useSite();
  const ledger = new Ledger();
  let node: ServiceNode;
  let projectId = 0;
  let repository = '';

  beforeAll(async () => {
    node = await site.current.start({ LOG_LEVEL: 'fatal' });
    projectId = (await node.api.create('/projects', { path: 'cut', initialize_with_readme: true })).id;
    repository = site.current.repositoryOf(projectId);
    const remote = remoteUrl(node.url, 'root/cut');
    const clone = await GitClone.of(remote, path.join(site.current.dataDir, 'clone'));
    const stop = AbortSignal.timeout(WORKING_MS);
    const cutting = (async () => {
      while (!stop.aborted) {
        await sleep(CUT_EVERY_MS);
        await site.current.rows.query(CUT);
      }
    })();
    await Promise.all([
      commitByApi(node.api, { projectId, branch: 'master', name: 'a' }, ledger, stop),
      commitByApi(node.api, { projectId, branch: 'master', name: 'b' }, ledger, stop),
      commitByPush(clone, remote, { projectId, branch: 'pushed', name: 'p' }, ledger, stop),
      cutting,
    ]);
    // Jobs that were cut off are tried again a little later.
    await until(async () => (await node.api.get('/version')).status === 200);
  }, 60_000);

  it('lives on, and takes new work', async () => {
    expect(ledger.refusals.length).toBeGreaterThan(0);
    const made = await node.api.create(`/projects/${projectId}/repository/commits`, {
      branch: 'master',
      commit_message: 'After',
      actions: [{ action: 'create', file_path: 'after.txt', content: 'after' }],
    });
    ledger.enter('master', made.id);
  });

  it('loses nothing that it has acknowledged', async () => {
    for (const branch of ['master', 'pushed']) {
      expect(ledger.on(branch).length).toBeGreaterThan(0);
      expect(await commitsOf(repository, branch)).toEqual(expect.arrayContaining(ledger.on(branch)));
    }
    expect(await complaintsAbout(repository)).toEqual([]);
  });

  it('tells every move of a ref once, however it was cut off', async () => {
    await recoverNow(site.current.rows);
    const updates = await toldUpdates(site.current.rows, projectId);
    for (const [ref, sha] of await refsOf(repository)) expect(endOfUnorderedChain(updates, ref)).toBe(sha);
  });
});
