import { access } from 'node:fs/promises';
import { lockId } from '#libs/database';
import { until } from '#libs/testing';
import { useSite, type ServiceNode } from './support/site';

describe('the removal of a group in a server that is killed', () => {
  const site = useSite();
  let node: ServiceNode;
  let ids: number[];
  let groupId: number;
  let childId: number;
  let bystander: number;

  const isThere = (projectId: number): Promise<boolean> =>
    access(site.current.repositoryOf(projectId)).then(
      () => true,
      () => false,
    );
  const rowsLeft = async (): Promise<{ projects: number; namespaces: number }> => {
    const { rows } = await site.current.rows.query<{ projects: number; namespaces: number }>(
      `SELECT (SELECT count(*)::int FROM projects WHERE id = ANY($1)) AS projects,
         (SELECT count(*)::int FROM namespaces WHERE id IN ($2, $3)) AS namespaces`,
      [ids, groupId, childId],
    );
    return rows[0] ?? { projects: -1, namespaces: -1 };
  };
  /** As the queue has it once the job's time is up, which takes minutes. */
  const loseJob = () =>
    site.current.rows.query(
      `UPDATE pgboss.job SET state = 'retry', start_after = now()
       WHERE name = 'identity.remove_group' AND state = 'active'`,
    );
  const statuses = async (): Promise<number[]> => {
    const urls = [`/groups/${groupId}`, `/groups/${childId}`, ...ids.map((id) => `/projects/${id}`)];
    return Promise.all(urls.map(async (url) => (await node.api.get(url)).status));
  };

  beforeAll(async () => {
    node = await site.current.start();
    const { api } = node;
    const group = (path: string, more: object = {}) => api.create('/groups', { name: path, path, ...more });
    const project = async (namespaceId: number, path: string): Promise<number> =>
      (await api.create('/projects', { path, namespace_id: namespaceId, initialize_with_readme: true })).id;
    groupId = (await group('doomed')).id;
    childId = (await group('child', { parent_id: groupId })).id;
    ids = [
      await project(groupId, 'first'),
      await project(childId, 'second'),
      await project(groupId, 'third'),
      await project(childId, 'fourth'),
    ];
    bystander = await project((await group('doomed-not')).id, 'bystander');
  }, 60_000);

  it('goes on after a death between two projects', async () => {
    const held = `SELECT pg_advisory_lock(${lockId(`repository:${ids[2]}`)})`;
    await site.current.rows.query(held);
    expect((await node.api.delete(`/groups/${groupId}`)).status).toBe(202);
    await until(async () => (await rowsLeft()).projects === 2);
    await node.process.kill();
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, true, true]);
    await site.current.rows.query('SELECT pg_advisory_unlock_all()');
    node = await site.current.start();
    expect(await statuses()).toEqual(Array.from({ length: 6 }, () => 404));
    const again = await node.api.post('/groups', { name: 'again', path: 'doomed' });
    expect(again.body).toEqual({ message: { path: ['has already been taken'] } });
  }, 60_000);

  it('goes on after a death between the projects and the groups', async () => {
    await loseJob();
    await site.current.rows.query('BEGIN');
    await site.current.rows.query('SELECT 1 FROM namespaces WHERE id = $1 FOR SHARE', [childId]);
    await until(async () => (await rowsLeft()).projects === 0);
    await until(async () => {
      const { rows } = await site.current.rows.query(
        'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))',
      );
      return rows.length > 0;
    });
    await node.process.kill();
    await site.current.rows.query('COMMIT');
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, false, false]);
    expect(await rowsLeft()).toEqual({ projects: 0, namespaces: 2 });
    node = await site.current.start();
    expect(await statuses()).toEqual(Array.from({ length: 6 }, () => 404));
    await loseJob();
    await until(async () => (await rowsLeft()).namespaces === 0);
  }, 120_000);

  it('leaves nothing of the group, its path free, and everybody else alone', async () => {
    const { rows } = await site.current.rows.query(
      `SELECT path FROM routes WHERE path = 'doomed' OR path LIKE 'doomed/%'
       UNION ALL SELECT 'member' FROM members WHERE source_kind = 'namespace' AND source_id IN ($1, $2)`,
      [groupId, childId],
    );
    expect(rows).toEqual([]);
    expect((await node.api.post('/groups', { name: 'doomed', path: 'doomed' })).status).toBe(201);
    const file = `/projects/${bystander}/repository/files/README.md?ref=master`;
    expect((await node.api.get(file)).status).toBe(200);
  });
});
