import { GitFixture, until } from '#libs/testing';
import { RemoteSchedule } from '../../../src/repository/mirrors/remote-schedule.job';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let owner: BuiltUser;
beforeAll(async () => {
  owner = await app.current.build.user();
});

const urlOf = ({ fullPath }: { fullPath: string }, user = ''): string =>
  `${app.current.url.replace('://', `://${user}`)}/${fullPath}.git`;

/** The import that was queued has come to its end; answers the project's record. */
const settled = async ({ id }: { id: number }) => {
  const { body } = await until(async () => {
    const answer = await app.current.as(owner).get(`/projects/${id}`);
    return ['finished', 'failed'].includes(answer.body.import_status) && answer;
  });
  return body;
};

const upstreamProject = (visibility: 'public' | 'private' = 'public') =>
  app.current.build.project({ visibility, files: { README: 'first\n' } });

/** A project that mirrors another, brought up to date once; `settings` go with it. */
async function mirrorOf(
  upstream: BuiltProject,
  settings: object = {},
): Promise<{ id: number; git: GitFixture }> {
  const { body } = await app.current
    .as(owner)
    .post('/projects', {
      name: `mirror of ${upstream.path}`,
      import_url: urlOf(upstream),
      mirror: true,
      ...settings,
    })
    .expect(201);
  expect(await settled(body)).toMatchObject({ import_status: 'finished', import_error: null });
  return { id: body.id, git: GitFixture.on(await repositoryPath(body.id)) };
}

async function repositoryPath(id: number): Promise<string> {
  const { rows } = await app.current.database.query('SELECT disk_path FROM projects WHERE id = $1', [id]);
  const [storage] = app.current.settings.repositoryStorages.values();
  return `${storage}/${rows[0].disk_path}.git`;
}

/** As if the last update had been a while ago. */
const wait = (id: number) =>
  app.current.database.query(
    `UPDATE project_remotes SET last_update_at = now() - interval '1 hour' WHERE project_id = $1`,
    [id],
  );

/** Asks for an update and waits for its end. */
async function pull({ id }: { id: number }) {
  await wait(id);
  const answer = await app.current.as(owner).post(`/projects/${id}/mirror/pull`);
  expect([answer.status, answer.body]).toEqual([200, null]);
  return settled({ id });
}

const remoteOf = async (id: number) => {
  const { rows } = await app.current.database.query('SELECT * FROM project_remotes WHERE project_id = $1', [
    id,
  ]);
  return rows[0];
};

const refs = (git: GitFixture): Promise<string> =>
  git.git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags');

describe('an import by URL', () => {
  it('brings branches, tags and the default branch, with credentials that nobody sees again', async () => {
    const upstream = await upstreamProject('private');
    const reader = await app.current.build.user({ scopes: ['read_repository'] });
    await app.current.build.member('project', upstream.id, reader, 'reporter');
    const from = GitFixture.on(upstream.repositoryPath);
    await from.commit({ branch: 'trunk', parents: [upstream.tip], files: { a: 'b' } });
    await from.git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
    await from.tag('v1', upstream.tip, 'the first');
    await from.tag('light', upstream.tip);
    await from.git('update-ref', 'refs/merge-requests/1/head', upstream.tip);

    const importUrl = urlOf(upstream, `${reader.username}:${reader.token}@`);
    const created = await app.current.as(owner).post('/projects', {
      name: 'imported',
      import_url: importUrl,
      initialize_with_readme: true,
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ mirror: false, default_branch: null, import_error: null });
    expect(['scheduled', 'started', 'finished']).toContain(created.body.import_status);

    const project = await settled(created.body);
    expect(project).toMatchObject({ import_status: 'finished', import_error: null, default_branch: 'trunk' });
    const to = GitFixture.on(await repositoryPath(project.id));
    expect(await refs(to)).toBe(await refs(from));
    expect(await to.git('fsck', '--full', '--strict')).toBe('');
    expect(await to.git('symbolic-ref', 'HEAD')).toBe('refs/heads/trunk');
    expect(JSON.stringify([created.body, project])).not.toContain(reader.token);
    const stored = await remoteOf(project.id);
    expect(Buffer.from(stored.sealed_url).includes(reader.token)).toBe(false);
    expect(stored).toMatchObject({ is_imported: true, next_update_at: null, runner: null });
  });

  it('is told of as any push is, in the name of who asked for it', async () => {
    const { id } = await mirrorOf(await upstreamProject(), { mirror: false });
    const { rows } = await app.current.database.query(
      `SELECT payload FROM outbox_events WHERE payload->>'projectId' = $1`,
      [String(id)],
    );
    expect(rows).toEqual([{ payload: expect.objectContaining({ actorId: owner.id }) }]);
    const branches = await app.current.as(owner).get(`/projects/${id}/repository/branches/master`);
    expect(branches.body).toMatchObject({ protected: true, default: true });
  });

  it.each([
    ['no credentials', '', /refused the credentials/],
    ['wrong credentials', 'me:wrong-secret@', /refused the credentials/],
  ])('fails with %s, and says why without showing them', async (_what, user, reason) => {
    const upstream = await upstreamProject('private');
    const { body } = await app.current
      .as(owner)
      .post('/projects', { name: `x${upstream.id}`, import_url: urlOf(upstream, user) });
    const project = await settled(body);
    expect(project).toMatchObject({ import_status: 'failed', import_error: expect.stringMatching(reason) });
    expect(JSON.stringify(project)).not.toContain('wrong-secret');
    const stranger = await app.current.build.user();
    await app.current.build.member('project', body.id, stranger, 'developer');
    expect((await app.current.as(stranger).get(`/projects/${body.id}`)).body).not.toHaveProperty(
      'import_error',
    );
  });

  it('refuses objects that no push could bring', async () => {
    const upstream = await upstreamProject();
    const from = GitFixture.on(upstream.repositoryPath);
    const make = async (input: string, ...args: string[]) =>
      (await from.gitBytes(args, input)).toString().trim();
    const blob = await make('x', 'hash-object', '-w', '--stdin');
    const inner = await make(`100644 blob ${blob}\tconfig\n`, 'mktree');
    const tree = await make(`040000 tree ${inner}\t.git\n`, 'mktree');
    await from.git('update-ref', 'refs/heads/evil', await make('hostile', 'commit-tree', tree));
    const { body } = await app.current
      .as(owner)
      .post('/projects', { name: 'hostile', import_url: urlOf(upstream) });
    expect(await settled(body)).toMatchObject({
      import_status: 'failed',
      import_error: 'The repository at the import URL has objects that are not valid.',
    });
    const to = GitFixture.on(await repositoryPath(body.id));
    expect(await refs(to)).toBe('');
    expect(await to.git('count-objects', '-v')).toMatch(/^count: 0\n(.*\n)*in-pack: 0\n/);
  });
});

describe('POST /projects/:id/mirror/pull', () => {
  it('POST /projects/:id/mirror/pull brings new commits, branches and tags, and keeps what is gone upstream', async () => {
    const upstream = await upstreamProject();
    const from = GitFixture.on(upstream.repositoryPath);
    await from.commit({ branch: 'old', parents: [upstream.tip], files: { o: 'o' } });
    await from.tag('v1', upstream.tip);
    const { id, git } = await mirrorOf(upstream);

    const tip = await from.commit({ branch: 'master', files: { second: '2' } });
    await from.commit({ branch: 'new/one', parents: [tip], files: { n: 'n' } });
    await from.git('tag', '--force', 'v1', tip);
    await from.git('branch', '-D', 'old');
    expect(await pull({ id })).toMatchObject({ import_status: 'finished', import_error: null });
    expect(await git.git('rev-parse', 'master', 'v1')).toBe(`${tip}\n${tip}`);
    expect(await git.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe(
      'master\nnew/one\nold',
    );
    const remote = await remoteOf(id);
    const minutes = (remote.next_update_at.getTime() - remote.last_update_at.getTime()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThan(61);
  });

  it('keeps branches that went another way and names them, unless they are to be overwritten', async () => {
    const upstream = await upstreamProject();
    const from = GitFixture.on(upstream.repositoryPath);
    const { id, git } = await mirrorOf(upstream);
    const ours = await git.commit({ branch: 'master', files: { ours: 'o' } });
    const theirs = await from.commit({ branch: 'master', files: { theirs: 't' } });
    await from.commit({ branch: 'fine', parents: [theirs], files: { f: 'f' } });
    expect(await pull({ id })).toMatchObject({
      import_status: 'failed',
      import_error:
        'The master branch has diverged from its upstream counterpart and could not be updated automatically.',
    });
    expect(await git.git('rev-parse', 'master')).toBe(ours);
    expect(await git.git('rev-parse', 'fine^')).toBe(theirs);
    expect(await remoteOf(id)).toMatchObject({ retry_count: 1 });

    const settings = { mirror_overwrites_diverged_branches: true };
    const changed = await app.current.as(owner).put(`/projects/${id}`, settings).expect(200);
    expect(changed.body).toMatchObject(settings);
    expect(await pull({ id })).toMatchObject({ import_status: 'finished', import_error: null });
    expect(await git.git('rev-parse', 'master')).toBe(theirs);
    expect(await remoteOf(id)).toMatchObject({ retry_count: 0 });
  });

  it('brings protected branches alone where that is wished', async () => {
    const upstream = await upstreamProject();
    const from = GitFixture.on(upstream.repositoryPath);
    const { id, git } = await mirrorOf(upstream, { only_mirror_protected_branches: true });
    await app.current.build.protectedBranch({ id }, 'release-*', 40);
    const tip = await from.commit({ branch: 'master', files: { second: '2' } });
    await from.git('branch', 'release-1', tip);
    await from.git('branch', 'feature', tip);
    expect(await pull({ id })).toMatchObject({ import_status: 'finished' });
    expect(await git.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe(
      'master\nrelease-1',
    );
  });

  it('stays within what the mirror user may do today', async () => {
    const upstream = await upstreamProject();
    const from = GitFixture.on(upstream.repositoryPath);
    const { id, git } = await mirrorOf(upstream);
    await app.current.database.query(
      `UPDATE protected_branch_access SET access_level = 0 WHERE action = 'push' AND protected_branch_id IN
         (SELECT id FROM protected_branches WHERE project_id = $1)`,
      [id],
    );
    await from.commit({ branch: 'master', files: { second: '2' } });
    expect(await pull({ id })).toMatchObject({
      import_error: 'The mirror user is not allowed to push to the master branch.',
    });
    expect(await git.git('rev-parse', 'master')).toBe(upstream.tip);

    const helper = await app.current.build.user();
    await app.current.build.member('project', id, helper, 'maintainer');
    await app.current
      .as(helper)
      .put(`/projects/${id}`, { import_url: urlOf(upstream) })
      .expect(200);
    expect((await settled({ id })).mirror_user_id).toBe(helper.id);
    await app.current.database.query('UPDATE members SET access_level = 30 WHERE user_id = $1', [helper.id]);
    expect(await pull({ id })).toMatchObject({
      import_error: 'The mirror user is not allowed to push code to all branches on this project.',
    });
    await app.current.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [helper.id]);
    expect(await pull({ id })).toMatchObject({
      import_error: 'The mirror user is not allowed to perform any git operations.',
    });
  });

  it('waits for five minutes after an update, and does nothing while one waits', async () => {
    const { id } = await mirrorOf(await upstreamProject());
    const start = () => app.current.as(owner).post(`/projects/${id}/mirror/pull`).expect(200);
    await start();
    const remote = await remoteOf(id);
    expect(remote.next_update_at.getTime() - remote.last_update_at.getTime()).toBe(5 * 60_000);
    await app.current.database.query(`UPDATE projects SET import_status = 'scheduled' WHERE id = $1`, [id]);
    await wait(id);
    await start();
    expect((await remoteOf(id)).next_update_at).toEqual(remote.next_update_at);
  });

  it('is refused for a project that is no mirror', async () => {
    const project = await app.current.build.project({ owner });
    const answer = await app.current.as(owner).post(`/projects/${project.id}/mirror/pull`);
    expect([answer.status, answer.body]).toEqual([400, { message: 'The project is not mirrored' }]);
  });

  it('is for those who administer the project', async () => {
    const cast = await Cast.of(app.current, { README: 'x' });
    const row = await cast.row((api, { id }) => api.post(`/projects/${id}/mirror/pull`));
    expect(row).toEqual({
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      guest: 403,
      reporter: 403,
      developer: 403,
      maintainer: 400,
      owner: 400,
      admin: 400,
    });
  });
});

describe('the schedule of mirrors', () => {
  const look = () => app.current.nest.get(RemoteSchedule).run({}, { signal: new AbortController().signal });

  it('updates those whose time has come', async () => {
    const upstream = await upstreamProject();
    const { id, git } = await mirrorOf(upstream);
    const tip = await GitFixture.on(upstream.repositoryPath).commit({ branch: 'master', files: { b: 'b' } });
    await look();
    expect((await app.current.as(owner).get(`/projects/${id}`)).body.import_status).toBe('finished');
    await app.current.database.query(
      'UPDATE project_remotes SET next_update_at = now() WHERE project_id = $1',
      [id],
    );
    await look();
    await until(async () => (await git.git('rev-parse', 'master')) === tip);
  });

  it('comes later after each failure, gives up after many, and begins anew when asked', async () => {
    const upstream = await upstreamProject();
    const { id } = await mirrorOf(upstream);
    await app.current.database.query(`UPDATE projects SET visibility = 'private' WHERE id = $1`, [
      upstream.id,
    ]);
    await app.current.database.query(
      'UPDATE project_remotes SET retry_count = 9, next_update_at = now() WHERE project_id = $1',
      [id],
    );
    await look();
    await until(async () => (await remoteOf(id)).retry_count === 10);
    const later = await remoteOf(id);
    expect(later.next_update_at.getTime() - later.last_update_at.getTime()).toBeGreaterThan(299 * 60_000);
    await app.current.database.query(
      'UPDATE project_remotes SET retry_count = 14, next_update_at = now() WHERE project_id = $1',
      [id],
    );
    await look();
    await until(async () => (await remoteOf(id)).retry_count === 15);
    expect(await remoteOf(id)).toMatchObject({ next_update_at: null, runner: null });
    expect((await settled({ id })).import_error).toMatch(/refused the credentials/);
    expect(await pull({ id })).toMatchObject({ import_status: 'failed' });
    expect(await remoteOf(id)).toMatchObject({ retry_count: 1, next_update_at: expect.any(Date) });
  });

  it('leaves archived projects alone, and those that are no mirrors any more', async () => {
    const upstream = await upstreamProject();
    const { id, git } = await mirrorOf(upstream);
    await GitFixture.on(upstream.repositoryPath).commit({ branch: 'master', files: { b: 'b' } });
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [id]);
    await pull({ id });
    expect(await git.git('rev-parse', 'master')).toBe(upstream.tip);
    await app.current.database.query('UPDATE projects SET archived = false WHERE id = $1', [id]);
    const { body } = await app.current.as(owner).put(`/projects/${id}`, { mirror: false }).expect(200);
    expect(body.mirror).toBe(false);
    expect(body).not.toHaveProperty('mirror_user_id');
    expect(await remoteOf(id)).toMatchObject({ next_update_at: null });
  });
});

describe('the settings of a mirror', () => {
  it('turn a project into one, on behalf of who says so', async () => {
    const upstream = await upstreamProject();
    const project = await app.current.build.project({ owner });
    const put = (body: object) => app.current.as(owner).put(`/projects/${project.id}`, body);
    const refused = await put({ mirror: true });
    expect([refused.status, refused.body]).toEqual([400, { message: { import_url: ["can't be blank"] } }]);
    const other = await app.current.build.user();
    const foreign = await put({ mirror: true, import_url: urlOf(upstream), mirror_user_id: other.id });
    expect([foreign.status, foreign.body]).toEqual([400, { message: { mirror_user_id: ['is invalid'] } }]);
    const { body } = await put({
      mirror: true,
      import_url: urlOf(upstream),
      mirror_trigger_builds: true,
    }).expect(200);
    expect(body).toMatchObject({
      mirror: true,
      mirror_user_id: owner.id,
      mirror_trigger_builds: true,
      only_mirror_protected_branches: false,
      mirror_overwrites_diverged_branches: false,
    });
    expect(body).not.toHaveProperty('import_url');
    expect(await settled(project)).toMatchObject({ import_status: 'finished', default_branch: 'master' });
    await put({ import_url: '' }).expect(400);
  });
});
