import { execFileSync } from 'node:child_process';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let owner: BuiltUser;

beforeAll(async () => {
  owner = await app.current.build.user();
});

const transfer = (by: BuiltUser, { id }: { id: number }, namespace: unknown) =>
  app.current.as(by).put(`/projects/${id}/transfer`, { namespace });
const groupOf = (level: 'developer' | 'maintainer' | 'owner', options: object = {}): Promise<BuiltGroup> =>
  app.current.build.group({ members: { [level]: owner }, ...options });

describe('PUT /projects/:id/transfer', () => {
  it('moves the project into a group, by id or path, and answers it', async () => {
    const { build, database } = app.current;
    const [group, other] = [await groupOf('maintainer', { visibility: 'public' }), await groupOf('owner')];
    const project = await build.project({ owner, visibility: 'public', files: { a: '1' } });
    const place = async () =>
      (await database.query('SELECT disk_path FROM projects WHERE id = $1', [project.id])).rows;
    const before = await place();
    const { status, body } = await transfer(owner, project, group.fullPath.toUpperCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: project.id,
      path_with_namespace: `${group.fullPath}/${project.path}`,
      namespace: { id: group.id, kind: 'group' },
      visibility: 'public',
    });
    expect(body).not.toHaveProperty('owner');
    const further = await app.current
      .as(await build.user({ admin: true }))
      .put(`/projects/${encodeURIComponent(body.path_with_namespace)}/transfer?namespace=${other.id}`);
    expect(further.body).toMatchObject({
      path_with_namespace: `${other.fullPath}/${project.path}`,
      visibility: 'private',
    });
    expect(await place()).toEqual(before);
    expect(
      execFileSync('git', ['-C', project.repositoryPath, 'show', 'master:a'], { encoding: 'utf8' }),
    ).toBe('1');
  });

  it('moves it home to the caller’s own namespace', async () => {
    const group = await groupOf('owner');
    const project = await app.current.build.project({ namespace: group });
    const { body } = await transfer(owner, project, owner.namespaceId).expect(200);
    expect(body).toMatchObject({ namespace: { kind: 'user' }, owner: { id: owner.id } });
  });

  it('is for owners who may make projects in the target', async () => {
    const { build } = app.current;
    const [maintainer, stranger] = [await build.user(), await build.user()];
    const project = await build.project({ owner, members: { maintainer } });
    const group = await build.group({ members: { owner: maintainer, developer: owner } });
    await transfer(maintainer, project, group.id).expect(403);
    await transfer(stranger, project, group.id).expect(404);
    await app.current.api.put(`/projects/${project.id}/transfer`, { namespace: group.id }).expect(401);
    const { status, body } = await transfer(owner, project, group.id);
    expect([status, body.message]).toEqual([400, { new_namespace: [expect.any(String)] }]);
    expect((await app.current.as(owner).get(`/projects/${project.id}`)).body.path_with_namespace).toBe(
      project.fullPath,
    );
  });

  it('does not tell namespaces that are hidden from those that are not there', async () => {
    const project = await app.current.build.project({ owner });
    const hidden = await app.current.build.group();
    const stranger = await app.current.build.user();
    for (const namespace of [hidden.id, hidden.fullPath, stranger.username, 0, 'no/such']) {
      const { status, body } = await transfer(owner, project, namespace);
      expect([status, body]).toEqual([404, { message: '404 Namespace Not Found' }]);
    }
  });

  it('refuses values that are none', async () => {
    const project = await app.current.build.project({ owner });
    const missing = await app.current.as(owner).put(`/projects/${project.id}/transfer`);
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: '400 (Bad request) "namespace" not given' },
    ]);
    await transfer(owner, project, ['a', 'b']).expect(400);
  });

  it('refuses the namespace it is in, and one where its name or path is taken', async () => {
    const group = await groupOf('owner');
    const { build } = app.current;
    const failed = (sentence: string) => [400, { message: { new_namespace: [sentence] } }];
    const answer = async (project: BuiltProject, namespace: number) => {
      const { status, body } = await transfer(owner, project, namespace);
      return [status, body];
    };
    const there = await build.project({ namespace: group, path: 'there' });
    expect(await answer(there, group.id)).toEqual(failed('Project is already in this namespace.'));
    const namesake = await build.project({ owner, path: 'There' });
    const taken = 'Project with same name or path in target namespace already exists';
    expect(await answer(namesake, group.id)).toEqual(failed(taken));
    expect((await app.current.as(owner).get(`/projects/${namesake.id}`)).body.path_with_namespace).toBe(
      namesake.fullPath,
    );
  });

  it('lets one of several projects of a name have the place', async () => {
    const group = await groupOf('owner');
    const sources = [await groupOf('owner'), await groupOf('owner')];
    const projects: BuiltProject[] = [];
    for (const namespace of sources)
      projects.push(await app.current.build.project({ namespace, path: 'same' }));
    const answers = await Promise.all(projects.map((project) => transfer(owner, project, group.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('ends shares with the groups around, and rules for people who lose access', async () => {
    const { build, database } = app.current;
    const [member, outsider] = [await build.user(), await build.user()];
    const source = await groupOf('owner');
    await build.member('namespace', source.id, outsider, 'developer');
    const top = await groupOf('owner');
    const target = await build.group({ parent: top });
    const elsewhere = await build.group({ visibility: 'public' });
    const project = await build.project({
      namespace: source,
      files: { a: '1' },
      members: { developer: member },
    });
    for (const group of [top, target, elsewhere]) await build.share(project, group, 'developer');
    const { rows } = await database.query<{ id: number }>(
      'SELECT id FROM protected_branches WHERE project_id = $1',
      [project.id],
    );
    const rule = Number(rows[0]?.id);
    await database.query(
      `INSERT INTO protected_branch_access (protected_branch_id, action, user_id, group_id)
       VALUES ($1, 'push', $2, NULL), ($1, 'push', $3, NULL), ($1, 'push', NULL, $4), ($1, 'merge', NULL, $5)`,
      [rule, member.id, outsider.id, elsewhere.id, top.id],
    );
    await database.query(
      `DELETE FROM protected_branch_access WHERE protected_branch_id = $1 AND action IN ('push', 'merge')
         AND access_level IS NOT NULL`,
      [rule],
    );
    const { body } = await transfer(owner, project, target.id).expect(200);
    expect(body.shared_with_groups.map(({ group_id: id }: { group_id: number }) => id)).toEqual([
      elsewhere.id,
    ]);
    const entries = await database.query(
      `SELECT action, access_level AS level, user_id::int AS user, group_id::int AS group FROM protected_branch_access
       WHERE protected_branch_id = $1 AND action IN ('push', 'merge') ORDER BY action, id`,
      [rule],
    );
    expect(entries.rows).toEqual([
      { action: 'merge', level: 40, user: null, group: null },
      { action: 'push', level: null, user: member.id, group: null },
      { action: 'push', level: null, user: null, group: elsewhere.id },
    ]);
  });

  it('gives and takes access with the move', async () => {
    const { build } = app.current;
    const [before, after] = [await build.user(), await build.user()];
    const [source, target] = [await groupOf('owner'), await groupOf('owner')];
    await build.member('namespace', source.id, before, 'developer');
    await build.member('namespace', target.id, after, 'developer');
    const project = await build.project({ namespace: source });
    await transfer(owner, project, target.id).expect(200);
    await app.current.as(before).get(`/projects/${project.id}`).expect(404);
    await app.current.as(after).get(`/projects/${project.id}`).expect(200);
  });
});
