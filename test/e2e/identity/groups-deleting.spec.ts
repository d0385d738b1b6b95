import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Jobs } from '#libs/jobs';
import { until } from '#libs/testing';
import { ResumeGroupRemovals } from '../../../src/identity/groups/forgotten-removals.job';
import { NamespaceRemoval } from '../../../src/identity/identity.api';
import { startApplication, useApplication, type TestApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const run = promisify(execFile);
const app = useApplication();

const isGone = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    () => true,
  );

const rowsWith = async ({ database }: TestApplication, statement: string, id: number): Promise<number> =>
  (await database.query(statement, [id])).rowCount ?? 0;

const removed = ({ id }: BuiltGroup): Promise<true> =>
  until(async () => (await rowsWith(app.current, 'SELECT 1 FROM namespaces WHERE id = $1', id)) === 0);

describe('DELETE /groups/:id', () => {
  let owner: BuiltUser;

  beforeAll(async () => {
    owner = await app.current.build.user();
  });

  it('removes the group, what is inside, the projects and their repositories, and frees the path', async () => {
    const { build, database } = app.current;
    const top = await build.group({ path: 'doomed', members: { owner } });
    const child = await build.group({
      path: 'child',
      parent: top,
      members: { developer: await build.user() },
    });
    const projects = [
      await build.project({
        namespace: top,
        files: { 'a.txt': 'a' },
        members: { guest: await build.user() },
      }),
      await build.project({ namespace: child, files: { 'b.txt': 'b' } }),
    ];
    const shared = await build.project();
    await build.share(shared, child, 'developer');
    const { status, body } = await app.current.as(owner).delete(`/groups/${top.id}`);
    expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
    await removed(top);
    for (const project of projects) {
      expect(await isGone(project.repositoryPath)).toBe(true);
      expect(await rowsWith(app.current, 'SELECT 1 FROM projects WHERE id = $1', project.id)).toBe(0);
      expect(await rowsWith(app.current, 'SELECT 1 FROM routes WHERE project_id = $1', project.id)).toBe(0);
    }
    const left = await database.query(
      `SELECT 1 FROM routes WHERE path LIKE 'doomed%' UNION ALL SELECT 1 FROM namespaces WHERE id = $2
       UNION ALL SELECT 1 FROM members WHERE source_kind = 'namespace' AND source_id IN ($1, $2)
       UNION ALL SELECT 1 FROM project_shares WHERE group_id = $2`,
      [top.id, child.id],
    );
    expect(left.rows).toEqual([]);
    const again = await app.current.as(owner).post('/groups', { name: 'doomed', path: 'doomed' });
    expect(again.status).toBe(201);
  });

  it('leaves groups beside and above alone', async () => {
    const { build } = app.current;
    const top = await build.group({ members: { owner } });
    const doomed = await build.group({ path: 'a', parent: top });
    const sibling = await build.group({ path: 'ab', parent: top });
    const project = await build.project({ namespace: sibling });
    await app.current.as(owner).delete(`/groups/${doomed.id}`).expect(202);
    await removed(doomed);
    for (const url of [`/groups/${top.id}`, `/groups/${sibling.id}`, `/projects/${project.id}`])
      expect((await app.current.as(owner).get(url)).status).toBe(200);
  });

  it('is for owners and administrators', async () => {
    const { build } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
      maintainer: await build.user(),
      owner,
    };
    const hidden = await build.group({ members });
    for (const name of ['guest', 'reporter', 'developer', 'maintainer'] as const)
      expect((await app.current.as(members[name]).delete(`/groups/${hidden.id}`)).status).toBe(403);
    const stranger = app.current.as(await build.user());
    expect((await stranger.delete(`/groups/${hidden.id}`)).status).toBe(404);
    const open = await build.group({ visibility: 'public' });
    expect((await stranger.delete(`/groups/${open.id}`)).status).toBe(403);
    expect((await app.current.api.delete(`/groups/${open.id}`)).status).toBe(401);
    const admin = app.current.as(await build.user({ admin: true }));
    expect((await admin.delete(`/groups/${hidden.id}`)).status).toBe(202);
    expect((await admin.delete(`/groups/${hidden.id}`)).body).toEqual({ message: '404 Group Not Found' });
    expect((await admin.delete(`/groups/${owner.namespaceId}`)).status).toBe(404);
  });

  it('does nothing to a group that was changed meanwhile', async () => {
    const { build } = app.current;
    const group = await build.group({ members: { owner } });
    const remove = (since: string) =>
      app.current.as(owner).delete(`/groups/${group.id}`).set('If-Unmodified-Since', since);
    const { status, body } = await remove('Mon, 01 Jan 2001 00:00:00 GMT');
    expect([status, body]).toEqual([412, { message: '412 Precondition Failed' }]);
    expect((await app.current.as(owner).get(`/groups/${group.id}`)).status).toBe(200);
    expect((await remove(new Date(Date.now() + 60_000).toUTCString())).status).toBe(202);
  });

  it('accepts one of several at the same moment', async () => {
    const group = await app.current.build.group({ members: { owner } });
    const remove = () => app.current.as(owner).delete(`/groups/${group.id}`);
    const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 404, 404]);
    await removed(group);
  });
});

describe('DELETE /groups/:id before the job has begun', () => {
  let node: TestApplication;
  let owner: BuiltUser;
  let member: BuiltUser;
  let borrower: BuiltUser;
  let parent: BuiltGroup;
  let group: BuiltGroup;
  let child: BuiltGroup;
  let project: BuiltProject;
  let lent: BuiltProject;

  beforeAll(async () => {
    node = await startApplication();
    // The removal stays queued: what is asked here is what is seen meanwhile.
    jest.spyOn(node.nest.get(Jobs), 'enqueue').mockResolvedValue();
    const { build } = node;
    [owner, member, borrower] = [await build.user(), await build.user(), await build.user()];
    parent = await build.group({ path: 'parent', visibility: 'public', members: { owner } });
    group = await build.group({
      path: 'group',
      parent,
      visibility: 'public',
      members: { developer: member },
    });
    child = await build.group({
      path: 'child',
      parent: group,
      visibility: 'public',
      members: { maintainer: member },
    });
    project = await build.project({
      path: 'project',
      namespace: child,
      visibility: 'public',
      files: { 'a.txt': 'a' },
      members: { maintainer: member },
    });
    lent = await build.project({ owner: borrower, files: { 'a.txt': 'a' } });
    await build.share(lent, child, 'maintainer');
    expect((await node.as(member).get(`/projects/${lent.id}`)).status).toBe(200);
    await node.as(owner).delete(`/groups/${group.id}`).expect(202);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await node.close();
  });

  const everybody = async () => [
    node.as(owner),
    node.as(member),
    node.as(await node.build.user({ admin: true })),
    node.api,
  ];

  it('nobody finds the group, what is inside, or its projects', async () => {
    for (const api of await everybody()) {
      for (const { id, fullPath } of [group, child])
        for (const name of [id, encodeURIComponent(fullPath)])
          for (const rest of ['', '/subgroups', '/projects'])
            expect((await api.get(`/groups/${name}${rest}`)).status).toBe(404);
      for (const name of [project.id, encodeURIComponent(project.fullPath)])
        for (const rest of ['', '/repository/files/a.txt?ref=master', '/repository/commits'])
          expect((await api.get(`/projects/${name}${rest}`)).status).toBe(404);
    }
  });

  it('no list has it', async () => {
    const names = (body: { path: string }[]): string[] => body.map(({ path }) => path);
    for (const api of await everybody()) {
      expect(names((await api.get('/groups?all_available=true')).body)).not.toEqual(
        expect.arrayContaining(['group']),
      );
      expect((await api.get('/groups?search=child')).body).toEqual([]);
      expect((await api.get(`/groups/${parent.id}/subgroups?all_available=true`)).body).toEqual([]);
      expect((await api.get(`/groups/${parent.id}/projects?include_subgroups=true`)).body).toEqual([]);
      expect(
        (await api.get('/projects?search=project')).body.map(({ id }: { id: number }) => id),
      ).not.toContain(project.id);
    }
    expect((await node.as(member).get('/groups')).body).toEqual([]);
    expect((await node.as(member).get('/namespaces?search=child')).body).toEqual([]);
    expect((await node.as(member).get('/projects?membership=true')).body).toEqual([]);
  });

  it('its members have lost what they had through it', async () => {
    expect((await node.as(member).get(`/projects/${lent.id}`)).status).toBe(404);
    const members = (await node.as(borrower).get(`/projects/${lent.id}/members/all`)).body;
    expect(members.map(({ id }: { id: number }) => id)).toEqual([borrower.id]);
    expect((await node.as(borrower).get(`/projects/${lent.id}`)).body.shared_with_groups).toEqual([]);
  });

  it('git finds no repository', async () => {
    const { token, username } = owner;
    const url = `${node.url.replace('://', `://${username}:${token}@`)}/${project.fullPath}.git`;
    await expect(run('git', ['ls-remote', url])).rejects.toThrow('not found');
  });

  it('nothing can be put into it, and its path is taken', async () => {
    const as = node.as(owner);
    const admin = node.as(await node.build.user({ admin: true }));
    for (const api of [as, admin]) {
      expect((await api.post('/groups', { name: 'n', path: 'n', parent_id: child.id })).status).toBe(404);
      expect((await api.post('/projects', { path: 'n', namespace_id: child.id })).status).toBe(400);
      expect((await api.put(`/groups/${child.id}`, { name: 'n' })).status).toBe(404);
    }
    expect((await admin.post(`/groups/${child.id}/projects/${lent.id}`)).status).toBe(404);
    expect((await admin.post(`/groups/${parent.id}/projects/${project.id}`)).status).toBe(404);
    const again = await as.post('/groups', { name: 'other', path: 'group', parent_id: parent.id });
    expect(again.body).toEqual({ message: { path: ['has already been taken'] } });
  });
});

describe('DELETE /groups/:id while others work in it', () => {
  it('leaves nothing reachable and nothing behind', async () => {
    const { build, database } = app.current;
    const as = (user: BuiltUser) => app.current.as(user);
    const owner = await build.user();
    for (let round = 0; round < 5; round++) {
      const top = await build.group({ members: { owner } });
      const child = await build.group({ parent: top });
      const put = (path: string) => [
        as(owner).post('/projects', { path, namespace_id: child.id }),
        as(owner).post('/projects', {
          path: `${path}-too`,
          namespace_id: top.id,
          initialize_with_readme: true,
        }),
        as(owner).post('/groups', { name: path, path, parent_id: child.id }),
        as(owner).post('/groups', { name: `${path}-2`, path: `${path}-2`, parent_id: child.id }),
      ];
      const puts = [...put('before'), as(owner).delete(`/groups/${top.id}`), ...put('after')];
      const answers = await Promise.all(puts);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      await removed(top);
      const { rows } = await database.query(
        `SELECT path FROM routes WHERE path LIKE $1 || '%' UNION ALL
         SELECT path FROM namespaces WHERE traversal_ids @> ARRAY[$2::bigint]`,
        [top.fullPath, top.id],
      );
      expect(rows).toEqual([]);
    }
  }, 30_000);
});

describe('the removal of a namespace', () => {
  it('goes in parts, and may be asked for again at any time', async () => {
    const { build, nest, database } = app.current;
    const top = await build.group();
    const child = await build.group({ parent: top, members: { owner: await build.user() } });
    const project = await build.project({ namespace: child });
    const removal = nest.get(NamespaceRemoval);
    const { signal } = new AbortController();
    const part = () => removal.removeSome(top.id, signal);
    expect(await part()).toBe(true);
    expect(await isGone(project.repositoryPath)).toBe(true);
    const left = await database.query('SELECT pending_delete FROM namespaces WHERE id = ANY($1)', [
      [top.id, child.id],
    ]);
    expect(left.rows).toEqual([{ pending_delete: true }, { pending_delete: true }]);
    expect(await part()).toBe(true);
    expect(await part()).toBe(true);
    expect(await part()).toBe(false);
    await removal.remove(top.id, signal);
  });

  it('stops between two projects when told to', async () => {
    const { build, nest, database } = app.current;
    const group = await build.group();
    const project = await build.project({ namespace: group });
    const removal = nest.get(NamespaceRemoval);
    await expect(removal.remove(group.id, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect((await database.query('SELECT 1 FROM projects WHERE id = $1', [project.id])).rowCount).toBe(1);
    await removal.remove(group.id, new AbortController().signal);
    expect(await isGone(project.repositoryPath)).toBe(true);
  });

  it('spares a project that is moved away at the same moment', async () => {
    const { build, nest, database } = app.current;
    const [from, to] = [await build.group(), await build.group()];
    const project = await build.project({ namespace: from });
    await database.query('BEGIN');
    await database.query('UPDATE projects SET namespace_id = $2 WHERE id = $1', [project.id, to.id]);
    const removal = nest.get(NamespaceRemoval).remove(from.id, new AbortController().signal);
    await until(async () => {
      const waiting =
        'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
      return ((await database.query(waiting)).rowCount ?? 0) > 0;
    });
    await database.query('COMMIT');
    await removal;
    expect(await isGone(project.repositoryPath)).toBe(false);
    const { rows } = await database.query('SELECT pending_delete FROM projects WHERE id = $1', [project.id]);
    expect(rows).toEqual([{ pending_delete: false }]);
  });

  it('begins again a day after it was given up', async () => {
    const { build, nest, database } = app.current;
    const [forgotten, fresh] = [await build.group(), await build.group()];
    const inside = await build.group({ parent: forgotten });
    await database.query('UPDATE namespaces SET pending_delete = true WHERE id = ANY($1)', [
      [forgotten.id, fresh.id, inside.id],
    ]);
    await database.query(
      `UPDATE namespaces SET updated_at = now() - interval '25 hours' WHERE id = ANY($1)`,
      [[forgotten.id, inside.id]],
    );
    await nest.get(ResumeGroupRemovals).run();
    await removed(forgotten);
    expect(await rowsWith(app.current, 'SELECT 1 FROM namespaces WHERE id = $1', fresh.id)).toBe(1);
  });

  it('takes a personal namespace too', async () => {
    const { build, nest, database } = app.current;
    const user = await build.user();
    const project = await build.project({ owner: user });
    await nest.get(NamespaceRemoval).remove(user.namespaceId, new AbortController().signal);
    expect(await isGone(project.repositoryPath)).toBe(true);
    const { rows } = await database.query('SELECT 1 FROM namespaces WHERE id = $1', [user.namespaceId]);
    expect(rows).toEqual([]);
  });
});
