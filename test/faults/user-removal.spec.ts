import { access } from 'node:fs/promises';
import { lockId } from '#libs/database';
import { until } from '#libs/testing';
import { useSite, type ServiceNode } from './support/site';

/** Lost jobs are looked for every quarter of a minute. */
const PATIENCE_MS = 60_000;
/** More than one part of the work. */
const COMMENTS = 2500;

describe('the removal of a user in a server that is killed', () => {
  const site = useSite();
  let node: ServiceNode;
  let userId: number;
  let projectIds: number[];
  let elsewhere: number;

  const count = async (text: string, values: unknown[] = [userId]): Promise<number> => {
    const { rows } = await site.current.rows.query<{ count: number }>(
      `SELECT count(*)::int AS count ${text}`,
      values,
    );
    return rows[0]?.count ?? -1;
  };
  const isThere = (projectId: number): Promise<boolean> =>
    access(site.current.repositoryOf(projectId)).then(
      () => true,
      () => false,
    );
  /** As when the job's time is up, which takes minutes otherwise. */
  const loseJob = () =>
    site.current.rows.query(
      `UPDATE pgboss.job SET started_on = started_on - interval '1 hour', retry_delay = 0, retry_backoff = false
       WHERE name = 'identity.remove_user' AND state = 'active'`,
    );

  beforeAll(async () => {
    node = await site.current.start();
    const { api } = node;
    userId = (
      await api.create('/users', {
        username: 'doomed',
        name: 'Doomed',
        email: 'doomed@example.com',
        password: 'long enough',
        skip_confirmation: true,
      })
    ).id;
    const own = (path: string) =>
      api.create(`/projects/user/${userId}`, { path, initialize_with_readme: true });
    projectIds = [(await own('first')).id, (await own('second')).id];
    elsewhere = (await api.create('/projects', { path: 'elsewhere', initialize_with_readme: true })).id;
    await site.current.rows.query(
      `WITH discussed AS (
         INSERT INTO discussed_commits (project_id, sha, user_notes_count) VALUES ($1, repeat('a', 40), ${COMMENTS})
         RETURNING id)
       INSERT INTO notes (commit_id, author_id, body, discussion_id)
       SELECT discussed.id, $2, 'Comment ' || g, lpad(g::text, 40, '0') FROM discussed, generate_series(1, ${COMMENTS}) g`,
      [elsewhere, userId],
    );
  }, 60_000);

  it('goes on after a death between two projects, and nobody sees the user meanwhile', async () => {
    await site.current.rows.query(`SELECT pg_advisory_lock(${lockId(`repository:${projectIds[1]}`)})`);
    expect((await node.api.delete(`/users/${userId}`)).status).toBe(204);
    await until(async () => (await count('FROM projects WHERE id = ANY($1)', [projectIds])) === 1);
    await node.process.kill();
    expect(await Promise.all(projectIds.map(isThere))).toEqual([false, true]);
    await site.current.rows.query('SELECT pg_advisory_unlock_all()');
    node = await site.current.start();
    expect((await node.api.get(`/users/${userId}`)).status).toBe(404);
    expect((await node.api.get('/users?username=doomed')).body).toEqual([]);
    expect((await node.api.get(`/projects/${projectIds[1]}`)).status).toBe(404);
  }, 60_000);

  it('goes on after a death in the middle of what the user has written', async () => {
    await loseJob();
    // The last of the comments, so that the parts before it are done when the server waits for it.
    await site.current.rows.query('BEGIN');
    await site.current.rows.query(
      `SELECT 1 FROM notes WHERE id = (SELECT max(id) FROM notes WHERE author_id = $1) FOR UPDATE`,
      [userId],
    );
    await until(async () => {
      const left = await count('FROM notes WHERE author_id = $1');
      return left > 0 && left < COMMENTS;
    }, PATIENCE_MS);
    await node.process.kill();
    await site.current.rows.query('COMMIT');
    expect(await count('FROM users WHERE id = $1')).toBe(1);
    node = await site.current.start();
    await loseJob();
    await until(async () => (await count('FROM users WHERE id = $1')) === 0, PATIENCE_MS);
  }, 120_000);

  it('has handed everything over, removed what was theirs and freed the name', async () => {
    expect(await Promise.all(projectIds.map(isThere))).toEqual([false, false]);
    const ghosts = `FROM notes n JOIN users u ON u.id = n.author_id JOIN discussed_commits c ON c.id = n.commit_id
      WHERE u.kind = 'ghost' AND c.project_id = $1`;
    expect(await count(ghosts, [elsewhere])).toBe(COMMENTS);
    expect(await count(`FROM routes WHERE path LIKE 'doomed%'`, [])).toBe(0);
    expect(await count(`FROM users WHERE kind = 'ghost'`, [])).toBe(1);
    expect((await node.api.post('/groups', { name: 'doomed', path: 'doomed' })).status).toBe(201);
  });
});
