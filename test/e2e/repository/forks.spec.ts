import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import { until } from '#libs/testing';
import { CopyFork } from '../../../src/repository/forks/fork-copy.job';
import { Storages } from '../../../src/repository/storages/storages';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const fork = (by: BuiltUser, { id }: { id: number }, body: object = {}) =>
  app.current.as(by).post(`/projects/${id}/fork`, body);
const show = async (by: BuiltUser, id: number) => (await app.current.as(by).get(`/projects/${id}`)).body;
const idsOf = (records: { id: number }[]): number[] => records.map(({ id }) => id);
const git = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' });

/** Where the repository of a project that the service has made is. */
async function repositoryOf(id: number): Promise<string> {
  const { rows } = await app.current.database.query<{ storage: string; disk: string }>(
    'SELECT repository_storage AS storage, disk_path AS disk FROM projects WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error('there is no such project');
  return app.current.nest.get(Storages).locate({ repositoryStorage: row.storage, diskPath: row.disk }).path;
}

const copied = (by: BuiltUser, id: number) =>
  until(async () => (await show(by, id)).import_status !== 'started');

async function networkOf(id: number): Promise<number | undefined> {
  const { rows } = await app.current.database.query<{ network: number }>(
    'SELECT network_id::int AS network FROM fork_network_members WHERE project_id = $1',
    [id],
  );
  return rows[0]?.network;
}

describe('POST /projects/:id/fork', () => {
  let owner: BuiltUser;
  let user: BuiltUser;

  beforeAll(async () => {
    [owner, user] = [await app.current.build.user(), await app.current.build.user()];
  });

  it('makes a project of the caller’s with the branches, tags and objects of the source', async () => {
    const source = await app.current.build.project({
      owner,
      visibility: 'public',
      files: { 'README.md': 'Read me\n', 'a/b.txt': 'b' },
      columns: { description: 'To be forked', tag_list: ['one'] },
    });
    git(source.repositoryPath, 'branch', 'topic', 'master');
    git(source.repositoryPath, 'tag', '-a', '-m', 'First', 'v1', 'master');
    git(source.repositoryPath, 'update-ref', 'refs/keep-around/x', 'master');
    const { status, body } = await fork(user, source);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: source.path,
      path_with_namespace: `${user.username}/${source.path}`,
      description: 'To be forked',
      visibility: 'public',
      tag_list: ['one'],
      creator_id: user.id,
      namespace: { id: user.namespaceId },
      import_status: 'started',
      forked_from_project: { id: source.id, path_with_namespace: source.fullPath, forks_count: 1 },
    });
    await copied(user, body.id);
    expect(await show(user, body.id)).toMatchObject({ import_status: 'finished', default_branch: 'master' });
    const repository = await repositoryOf(body.id);
    const refs = (path: string) =>
      git(path, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags');
    expect(refs(repository)).toBe(refs(source.repositoryPath));
    expect(git(repository, 'for-each-ref', 'refs/keep-around')).toBe('');
    expect(git(repository, 'fsck', '--full', '--strict')).toBe('');
    const file = await app.current.as(user).get(`/projects/${body.id}/repository/files/a%2Fb.txt/raw?ref=v1`);
    expect(file.text).toBe('b');
  });

  it('stands on its own: what is lost in the source is still in the fork', async () => {
    const source = await app.current.build.project({ owner, visibility: 'public', files: { a: '1' } });
    const { body } = await fork(user, source).expect(201);
    await copied(user, body.id);
    await app.current.as(await app.current.build.user({ admin: true })).delete(`/projects/${source.id}`);
    await until(async () => (await repositoryOf(source.id).catch(() => null)) === null);
    expect(git(await repositoryOf(body.id), 'fsck', '--full')).toBe('');
    expect(await show(user, body.id)).not.toHaveProperty('forked_from_project');
  });

  it('protects the default branch of the fork and lets its owner push there', async () => {
    const source = await app.current.build.project({ owner, visibility: 'public', files: { a: '1' } });
    const { body } = await fork(user, source);
    await copied(user, body.id);
    const branch = await app.current.as(user).get(`/projects/${body.id}/repository/branches/master`);
    expect(branch.body).toMatchObject({ protected: true, can_push: true });
    const write = { branch: 'master', content: '2', commit_message: 'Mine' };
    await app.current.as(user).put(`/projects/${body.id}/repository/files/a`, write).expect(200);
    expect(git(source.repositoryPath, 'show', 'master:a')).toBe('1');
  });

  it('goes into a group by id or path, under other names, and is no more visible than that', async () => {
    const { build } = app.current;
    const group = await build.group({ visibility: 'internal', members: { maintainer: user } });
    const source = await build.project({ owner, visibility: 'public' });
    const first = await fork(user, source, { namespace: group.fullPath, name: 'Renamed', path: 'renamed' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      name: 'Renamed',
      path_with_namespace: `${group.fullPath}/renamed`,
      visibility: 'internal',
    });
    const second = await fork(user, source, { namespace: group.id });
    expect(second.body.path_with_namespace).toBe(`${group.fullPath}/${source.path}`);
    for (const [path, place] of Object.entries({
      three: { namespace_id: group.id },
      four: { namespace_path: group.fullPath },
    })) {
      const { body } = await fork(user, source, { ...place, path, name: path }).expect(201);
      expect(body.path_with_namespace).toBe(`${group.fullPath}/${path}`);
    }
  });

  it('of an empty project is an empty one', async () => {
    const source = await app.current.build.project({ owner, visibility: 'public' });
    const { body } = await fork(user, source).expect(201);
    await copied(user, body.id);
    expect(await show(user, body.id)).toMatchObject({ import_status: 'finished', empty_repo: true });
  });

  it('answers 409 where a name is taken, also to one of two at once', async () => {
    const { build } = app.current;
    const source = await build.project({ owner, visibility: 'public' });
    await fork(user, source).expect(201);
    const again = await fork(user, source);
    const taken = ['has already been taken'];
    expect([again.status, again.body]).toEqual([409, { message: { name: taken, path: taken } }]);
    await fork(user, source, { name: 'Other' }).expect(409, { message: { path: taken } });
    const other = await build.project({ owner, visibility: 'public' });
    const answers = await Promise.all([fork(user, other), fork(user, other), fork(user, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await show(user, other.id)).forks_count).toBe(1);
    await fork(owner, source).expect(409);
  });

  it('refuses namespaces where the caller may make no projects, and names that none can have', async () => {
    const { build } = app.current;
    const source = await build.project({ owner, visibility: 'public' });
    const group = await build.group({ members: { developer: user } });
    for (const namespace of [group.id, 0, 'no/such', owner.username]) {
      const { status, body } = await fork(user, source, { namespace });
      expect([status, body]).toEqual([404, { message: '404 Target Namespace Not Found' }]);
    }
    expect((await fork(user, source, { path: '../x' })).status).toBe(400);
    expect((await fork(user, source, { name: '' })).body.message).toHaveProperty('name');
    expect((await fork(user, source, { namespace: ['a'] })).status).toBe(400);
    expect((await show(owner, source.id)).forks_count).toBe(0);
  });

  it('counts against the limit of own projects', async () => {
    const limited = await app.current.build.user();
    await app.current.database.query('UPDATE users SET projects_limit = 0 WHERE id = $1', [limited.id]);
    const source = await app.current.build.project({ owner, visibility: 'public' });
    const { status, body } = await fork(limited, source);
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^403 Forbidden - Personal project/)]);
  });

  it('is for whoever may read the code', async () => {
    const { build } = app.current;
    const [guest, reporter] = [await build.user(), await build.user()];
    const hidden = await build.project({ owner, members: { guest, reporter }, files: { a: 'secret' } });
    for (const by of [guest, user]) {
      const { status, body } = await fork(by, hidden);
      expect([status, body]).toEqual([404, { message: '404 Project Not Found' }]);
    }
    await app.current.api.post(`/projects/${hidden.id}/fork`).expect(401);
    const { body } = await fork(reporter, hidden).expect(201);
    expect(body.visibility).toBe('private');
    const closed = await build.project({
      owner,
      visibility: 'public',
      columns: { repository_access: 'private' },
    });
    await fork(user, closed).expect(404);
  });

  it('tells what it was forked from only to those who may know of that', async () => {
    const { build } = app.current;
    const [reporter, other] = [await build.user(), await build.user()];
    const group = await build.group({ members: { owner: reporter, developer: other } });
    const hidden = await build.project({ owner, members: { reporter }, files: { a: '1' } });
    const { body } = await fork(reporter, hidden, { namespace: group.id });
    expect((await show(reporter, body.id)).forked_from_project.id).toBe(hidden.id);
    expect(await show(other, body.id)).not.toHaveProperty('forked_from_project');
    const listed = await app.current.as(other).get(`/groups/${group.id}/projects`);
    expect(idsOf(listed.body)).toEqual([body.id]);
    expect(listed.body[0]).not.toHaveProperty('forked_from_project');
  });
});

describe('the copying of a repository', () => {
  const lastAttempt = { id: 'x', attempt: 9, isLastAttempt: true, signal: new AbortController().signal };
  const copy = (projectId: number, sourceId: number) =>
    app.current.nest.get(CopyFork).run({ projectId, sourceId }, lastAttempt);
  const restart = (id: number) =>
    app.current.database.query(`UPDATE projects SET import_status = 'started' WHERE id = $1`, [id]);

  let user: BuiltUser;
  let source: BuiltProject;
  let forkId: number;

  beforeEach(async () => {
    const { build } = app.current;
    user = await build.user();
    source = await build.project({ visibility: 'public', files: { a: '1' } });
    git(source.repositoryPath, 'branch', 'topic', 'master');
    forkId = (await fork(user, source)).body.id;
    await copied(user, forkId);
  });

  it('goes on where a killed process left off, and leaves what was pushed meanwhile', async () => {
    const repository = await repositoryOf(forkId);
    const base = `/projects/${forkId}/repository`;
    const write = { branch: 'master', content: 'mine', commit_message: 'Mine' };
    await app.current.as(user).post(`${base}/files/b`, write).expect(201);
    await app.current.as(user).delete(`${base}/branches/topic`).expect(204);
    await restart(forkId);
    await copy(forkId, source.id);
    expect(git(repository, 'show', 'master:b')).toBe('mine');
    expect(git(repository, 'rev-parse', 'topic').trim()).toBe(source.tip);
    expect((await show(user, forkId)).import_status).toBe('finished');
  });

  it('tells maintainers why it has failed', async () => {
    await restart(forkId);
    await copy(forkId, 0);
    expect(await show(user, forkId)).toMatchObject({
      import_status: 'failed',
      import_error: 'The project that this one was to be forked from is gone.',
    });
    await restart(forkId);
    await fs.rename(source.repositoryPath, `${source.repositoryPath}.away`);
    await expect(copy(forkId, source.id)).rejects.toThrow();
    await fs.rename(`${source.repositoryPath}.away`, source.repositoryPath);
    expect(await show(user, forkId)).toMatchObject({
      import_status: 'failed',
      import_error: 'The repository could not be copied.',
    });
    const stranger = await app.current.build.user();
    expect(await show(stranger, forkId)).not.toHaveProperty('import_error');
  });

  it('waits for a source that is still being filled', async () => {
    await restart(forkId);
    await restart(source.id);
    const attempt = { ...lastAttempt, isLastAttempt: false };
    const run = app.current.nest.get(CopyFork).run({ projectId: forkId, sourceId: source.id }, attempt);
    await expect(run).rejects.toThrow('still being filled');
    expect((await show(user, forkId)).import_status).toBe('started');
  });

  it('does nothing for a fork that is finished or deleted', async () => {
    await copy(forkId, 0);
    expect((await show(user, forkId)).import_status).toBe('finished');
    await app.current.as(user).delete(`/projects/${forkId}`).expect(202);
    await copy(forkId, source.id);
  });
});

describe('the visibility of a fork', () => {
  it('is never above that of its source', async () => {
    const { build } = app.current;
    const [owner, user] = [await build.user(), await build.user()];
    const source = await build.project({ owner, visibility: 'public' });
    const first = (await fork(user, source)).body;
    const second = (await fork(owner, first, { path: 'fork-of-fork', name: 'Fork of fork' })).body;
    await app.current.as(owner).put(`/projects/${source.id}`, { visibility: 'internal' }).expect(200);
    expect((await show(user, first.id)).visibility).toBe('internal');
    expect((await show(owner, second.id)).visibility).toBe('internal');
    const above = await app.current.as(user).put(`/projects/${first.id}`, { visibility: 'public' });
    expect([above.status, above.body]).toEqual([
      400,
      {
        message: {
          visibility_level: ['public is not allowed since the fork source project has lower visibility.'],
        },
      },
    ]);
    await app.current.as(user).delete(`/projects/${first.id}/fork`).expect(204);
    await app.current.as(user).put(`/projects/${first.id}`, { visibility: 'public' }).expect(200);
    expect((await show(owner, second.id)).visibility).toBe('internal');
  });
});

describe('the code of a fork', () => {
  it('is for members alone where that of its source is', async () => {
    const { build } = app.current;
    const [owner, member, stranger] = [await build.user(), await build.user(), await build.user()];
    const source = await build.project({
      owner,
      visibility: 'public',
      members: { reporter: member },
      files: { secret: 's' },
    });
    await app.current
      .as(owner)
      .put(`/projects/${source.id}`, { repository_access_level: 'private' })
      .expect(200);
    expect((await fork(stranger, source)).status).toBe(404);
    const { body } = await fork(member, source).expect(201);
    expect(body).toMatchObject({ visibility: 'public', repository_access_level: 'private' });
    await copied(member, body.id);
    await app.current.as(member).get(`/projects/${body.id}/repository/tree`).expect(200);
    await app.current.as(stranger).get(`/projects/${body.id}/repository/tree`).expect(403);
  });
});

describe('GET /projects/:id/forks', () => {
  it('lists the forks that the caller sees, with the filters of other lists', async () => {
    const { build } = app.current;
    const [owner, one, two] = [await build.user(), await build.user(), await build.user()];
    const source = await build.project({ owner, visibility: 'public', path: 'listed' });
    const first = (await fork(one, source)).body;
    const second = (await fork(two, source, { path: 'other-path', name: 'Other' })).body;
    await fork(one, await build.project({ visibility: 'public' }));
    await app.current.as(two).put(`/projects/${second.id}`, { visibility: 'private' }).expect(200);
    const found = async (by: BuiltUser | null, query = '') => {
      const api = by ? app.current.as(by) : app.current.api;
      return idsOf((await api.get(`/projects/${source.id}/forks?${query}`)).body);
    };
    expect(await found(two)).toEqual([second.id, first.id]);
    expect(await found(one)).toEqual([first.id]);
    expect(await found(null)).toEqual([first.id]);
    expect(await found(two, 'search=other')).toEqual([second.id]);
    expect(await found(two, 'owned=true')).toEqual([second.id]);
    expect(await found(two, 'order_by=name&sort=asc&per_page=1')).toHaveLength(1);
    expect((await app.current.api.get(`/projects/${source.id}/forks?visibility=open`)).status).toBe(400);
    const hidden = await build.project();
    await app.current.as(one).get(`/projects/${hidden.id}/forks`).expect(404);
  });
});

describe('POST /projects/:id/fork/:forked_from_id', () => {
  const relate = (by: BuiltUser, { id }: { id: number }, from: number | string) =>
    app.current.as(by).post(`/projects/${id}/fork/${from}`);
  let owner: BuiltUser;
  let admin: BuiltUser;

  beforeAll(async () => {
    [owner, admin] = [await app.current.build.user(), await app.current.build.user({ admin: true })];
  });

  it('relates two projects, by id or path, and counts it', async () => {
    const { build } = app.current;
    const [project, source] = [await build.project({ owner }), await build.project({ visibility: 'public' })];
    const { status, body } = await relate(owner, project, encodeURIComponent(source.fullPath));
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: project.id, forked_from_project: { id: source.id, forks_count: 1 } });
    expect(await networkOf(project.id)).toBe(await networkOf(source.id));
    const again = await relate(admin, project, (await build.project({ visibility: 'public' })).id);
    expect([again.status, again.body]).toEqual([409, { message: 'Project already forked' }]);
  });

  it('takes the forks of the project along into the network', async () => {
    const { build } = app.current;
    const [top, middle, low] = [
      await build.project({ owner }),
      await build.project({ owner }),
      await build.project({ owner }),
    ];
    await relate(owner, low, middle.id).expect(201);
    await relate(owner, middle, top.id).expect(201);
    expect(await networkOf(low.id)).toBe(await networkOf(top.id));
    await app.current.as(owner).delete(`/projects/${middle.id}/fork`).expect(204);
    expect(await networkOf(low.id)).toBe(await networkOf(middle.id));
    expect(await networkOf(low.id)).not.toBe(await networkOf(top.id));
  });

  it('does not go round', async () => {
    const { build } = app.current;
    const [one, two] = [await build.project({ owner }), await build.project({ owner })];
    await relate(owner, one, one.id).expect(400);
    await relate(owner, one, two.id).expect(201);
    await relate(owner, two, one.id).expect(400);
    expect((await show(owner, one.id)).forks_count).toBe(0);
  });

  it('is for owners of the one who may read the code of the other', async () => {
    const { build } = app.current;
    const [maintainer, stranger] = [await build.user(), await build.user()];
    const project = await build.project({ owner, members: { maintainer } });
    const open = await build.project({ visibility: 'public' });
    const hidden = await build.project({ members: { guest: owner } });
    const unseen = await build.project();
    await relate(maintainer, project, open.id).expect(403);
    await relate(stranger, project, open.id).expect(404);
    await app.current.api.post(`/projects/${project.id}/fork/${open.id}`).expect(401);
    for (const from of [hidden.id, unseen.id, 0, 'no%2Fsuch']) {
      const { status, body } = await relate(owner, project, from);
      expect([status, body]).toEqual([404, { message: '404 Project Not Found' }]);
    }
    await relate(admin, project, unseen.id).expect(201);
  });
});

describe('DELETE /projects/:id/fork', () => {
  it('ends the relation, and answers 304 where there is none', async () => {
    const { build } = app.current;
    const [owner, user] = [await build.user(), await build.user()];
    const source = await build.project({ owner, visibility: 'public' });
    const { body } = await fork(user, source);
    const answer = await app.current.as(user).delete(`/projects/${body.id}/fork`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await show(user, body.id)).not.toHaveProperty('forked_from_project');
    expect((await show(owner, source.id)).forks_count).toBe(0);
    await app.current.as(user).delete(`/projects/${body.id}/fork`).expect(304);
    expect((await show(owner, source.id)).forks_count).toBe(0);
  });

  it('is for owners', async () => {
    const { build } = app.current;
    const [maintainer, stranger] = [await build.user(), await build.user()];
    const project = await build.project({ members: { maintainer } });
    await app.current.as(maintainer).delete(`/projects/${project.id}/fork`).expect(403);
    await app.current.as(stranger).delete(`/projects/${project.id}/fork`).expect(404);
    await app.current.api.delete(`/projects/${project.id}/fork`).expect(401);
  });
});

describe('the number of forks', () => {
  it('is right after many forks, endings and deletions at once', async () => {
    const { build, database } = app.current;
    const source: BuiltProject = await build.project({ visibility: 'public' });
    const users: BuiltUser[] = [];
    for (let count = 0; count < 8; count += 1) users.push(await build.user());
    const forks = await Promise.all(users.map(async (user) => (await fork(user, source)).body.id));
    await Promise.all([
      ...users
        .slice(0, 2)
        .map((user, index) => app.current.as(user).delete(`/projects/${forks[index]}/fork`)),
      ...users.slice(2, 5).map((user, index) => app.current.as(user).delete(`/projects/${forks[index + 2]}`)),
      app.current.as(await build.user()).post(`/projects/${source.id}/fork`),
    ]);
    const { rows } = await database.query('SELECT forks_count FROM projects WHERE id = $1', [source.id]);
    expect(rows).toEqual([{ forks_count: 4 }]);
  });
});
