import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const idsOf = (records: { id: number }[]): number[] => records.map(({ id }) => id);
const sorted = (projects: { id: number }[]): number[] => idsOf(projects).sort((a, b) => a - b);

describe('GET /groups/:id/projects', () => {
  let admin: BuiltUser;
  let owner: BuiltUser;
  let stranger: BuiltUser;
  let group: BuiltGroup;
  let child: BuiltGroup;
  let open: BuiltProject;
  let hidden: BuiltProject;
  let archived: BuiltProject;
  let below: BuiltProject;
  let shared: BuiltProject;

  beforeAll(async () => {
    const { build } = app.current;
    [admin, owner, stranger] = [await build.user({ admin: true }), await build.user(), await build.user()];
    group = await build.group({ visibility: 'public', members: { owner } });
    child = await build.group({ visibility: 'public', parent: group });
    open = await build.project({
      path: 'b-open',
      namespace: group,
      visibility: 'public',
      files: { 'a.txt': 'a' },
    });
    hidden = await build.project({ path: 'c-hidden', namespace: group });
    archived = await build.project({
      path: 'a-archived',
      namespace: group,
      visibility: 'internal',
      columns: { archived: true, issues_access: 'disabled', merge_requests_access: 'disabled' },
    });
    below = await build.project({ path: 'below', namespace: child, visibility: 'public' });
    shared = await build.project({ path: 'shared', visibility: 'public' });
    await build.share(shared, group, 'developer');
    await build.project({ visibility: 'public' });
  });

  const found = async (by: BuiltUser | null, query = ''): Promise<number[]> => {
    const api = by ? app.current.as(by) : app.current.api;
    const { status, body } = await api.get(`/groups/${group.id}/projects?${query}`);
    expect(status).toBe(200);
    return idsOf(body);
  };

  /** What a job of the project leaves behind. */
  const artifactOf = (project: BuiltProject, kind: string) =>
    app.current.database.query(
      `WITH pipeline AS (
         INSERT INTO pipelines (project_id, ref, sha, source) VALUES ($1, 'master', 'a', 'push') RETURNING id),
       status AS (
         INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, name, status, kind)
         SELECT $1, id, 'a', 'master', 'scan', 'success', 'job' FROM pipeline RETURNING id, pipeline_id),
       job AS (
         INSERT INTO jobs (id, project_id, pipeline_id, definition, timeout_seconds)
         SELECT id, $1, pipeline_id, '{}', 60 FROM status RETURNING id)
       INSERT INTO job_artifacts (job_id, project_id, file_type, file_format, file_name, size, sha256, place)
       SELECT id, $1, $2, 'raw', 'report.json', 1, 'b', 'c' FROM job`,
      [project.id, kind],
    );

  it('lists the group’s own and shared projects, the newest first, as far as the caller sees them', async () => {
    expect(await found(owner)).toEqual([shared.id, archived.id, hidden.id, open.id]);
    expect(await found(stranger)).toEqual([shared.id, archived.id, open.id]);
    expect(await found(null)).toEqual([shared.id, open.id]);
    expect(await found(admin)).toHaveLength(4);
  });

  it('leaves shared ones out and takes those of subgroups in', async () => {
    expect(await found(owner, 'with_shared=false')).toEqual([archived.id, hidden.id, open.id]);
    expect(await found(owner, 'with_shared=false&include_subgroups=true')).toEqual([
      below.id,
      archived.id,
      hidden.id,
      open.id,
    ]);
    expect(await found(null, 'include_subgroups=true')).toEqual([shared.id, below.id, open.id]);
  });

  it('narrows by every filter', async () => {
    expect(await found(owner, 'archived=true')).toEqual([archived.id]);
    expect(await found(owner, 'archived=false')).toEqual([shared.id, hidden.id, open.id]);
    expect(await found(owner, 'visibility=private')).toEqual([hidden.id]);
    expect(await found(owner, 'search=HIDD')).toEqual([hidden.id]);
    expect(await found(owner, 'with_issues_enabled=true')).toEqual([shared.id, hidden.id, open.id]);
    expect(await found(owner, 'with_merge_requests_enabled=true&with_shared=false')).toEqual([
      hidden.id,
      open.id,
    ]);
    expect(await found(owner, 'owned=true')).toEqual([archived.id, hidden.id, open.id]);
    expect(await found(stranger, 'owned=true')).toEqual([]);
    expect(await found(owner, 'min_access_level=40')).toEqual([archived.id, hidden.id, open.id]);
    expect(await found(owner, 'min_access_level=30')).toHaveLength(4);
    expect(await found(stranger, 'min_access_level=10')).toEqual([]);
  });

  it('narrows to what the caller has starred', async () => {
    const { database } = app.current;
    await database.query('INSERT INTO project_stars (user_id, project_id) VALUES ($1, $2)', [
      stranger.id,
      open.id,
    ]);
    await database.query('INSERT INTO project_stars (user_id, project_id) VALUES ($1, $2)', [
      owner.id,
      hidden.id,
    ]);
    expect(await found(stranger, 'starred=true')).toEqual([open.id]);
    expect(await found(owner, 'starred=true')).toEqual([hidden.id]);
    expect(await found(null, 'starred=true')).toEqual([]);
    expect(idsOf((await app.current.as(stranger).get('/projects?starred=true')).body)).toEqual([open.id]);
  });

  it('narrows to projects whose jobs have reported on their security', async () => {
    expect(await found(owner, 'with_security_reports=true')).toEqual([]);
    expect(await found(owner, 'with_security_reports=false')).toHaveLength(4);
    await artifactOf(open, 'archive');
    await artifactOf(hidden, 'sast');
    await artifactOf(hidden, 'dast');
    expect(await found(owner, 'with_security_reports=true')).toEqual([hidden.id]);
    expect(await found(stranger, 'with_security_reports=true')).toEqual([]);
  });

  it('orders by every column', async () => {
    const own = 'with_shared=false';
    expect(await found(owner, `${own}&order_by=name&sort=asc`)).toEqual([archived.id, open.id, hidden.id]);
    expect(await found(owner, `${own}&order_by=path`)).toEqual([hidden.id, open.id, archived.id]);
    expect(await found(owner, `${own}&order_by=id&sort=asc`)).toEqual([open.id, hidden.id, archived.id]);
    for (const column of ['created_at', 'updated_at', 'last_activity_at'])
      expect(await found(owner, `${own}&order_by=${column}`)).toHaveLength(3);
  });

  it('refuses values that are none', async () => {
    const get = (query: string) => app.current.as(owner).get(`/groups/${group.id}/projects?${query}`);
    for (const query of [
      'order_by=size',
      'sort=up',
      'visibility=secret',
      'min_access_level=35',
      'with_shared=2',
    ])
      expect((await get(query)).status).toBe(400);
  });

  it('shows the simple form when asked to and to anonymous callers', async () => {
    const simple = (await app.current.as(owner).get(`/groups/${group.id}/projects?simple=true&search=open`))
      .body;
    expect(simple[0]).not.toHaveProperty('visibility');
    const full = (await app.current.as(owner).get(`/groups/${group.id}/projects?search=open`)).body;
    expect(full[0]).toMatchObject({ id: open.id, visibility: 'public', namespace: { id: group.id } });
    const anonymous = (await app.current.api.get(`/groups/${group.id}/projects?search=open`)).body;
    expect(anonymous).toEqual(simple);
  });

  it('tells custom attributes to administrators', async () => {
    await app.current.database.query(
      `INSERT INTO custom_attributes (project_id, key, value) VALUES ($1, 'room', '7')`,
      [open.id],
    );
    const get = async (by: BuiltUser) =>
      (await app.current.as(by).get(`/groups/${group.id}/projects?search=open&with_custom_attributes=true`))
        .body[0];
    expect((await get(admin)).custom_attributes).toEqual([{ key: 'room', value: '7' }]);
    expect(await get(owner)).not.toHaveProperty('custom_attributes');
  });

  it('comes in pages', async () => {
    const { body, headers } = await app.current
      .as(owner)
      .get(`/groups/${group.id}/projects?per_page=2&page=2`);
    expect(idsOf(body)).toEqual([hidden.id, open.id]);
    expect(headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '2', 'x-prev-page': '1' });
    const head = await app.current.as(owner).head(`/groups/${group.id}/projects?per_page=2&page=2`);
    expect([head.status, head.headers['x-total']]).toEqual([200, '4']);
  });

  it('is hidden with a private group, but for who sees a project in it', async () => {
    const { build } = app.current;
    const secret = await build.group({ members: { guest: owner } });
    const guest = await build.user();
    const project = await build.project({ namespace: secret, members: { guest } });
    await build.project({ namespace: secret });
    const get = (by: BuiltUser) => app.current.as(by).get(`/groups/${secret.id}/projects`);
    expect((await get(stranger)).body).toEqual({ message: '404 Group Not Found' });
    expect((await app.current.api.get(`/groups/${secret.id}/projects`)).status).toBe(404);
    expect(idsOf((await get(guest)).body)).toEqual([project.id]);
    expect((await get(owner)).body).toHaveLength(2);
  });
});

describe('POST /groups/:id/projects/:project_id', () => {
  let admin: BuiltUser;
  let user: BuiltUser;

  beforeAll(async () => {
    admin = await app.current.build.user({ admin: true });
    user = await app.current.build.user();
  });

  const transfer = (group: { id: number }, project: number | string, by: BuiltUser = admin) =>
    app.current.as(by).post(`/groups/${group.id}/projects/${project}`);

  it('moves the project with its path, and leaves the repository where it is', async () => {
    const { build, database } = app.current;
    const target = await build.group({ visibility: 'internal', members: { maintainer: user } });
    const project = await build.project({ path: 'Moving', files: { 'a.txt': 'a' } });
    await build.share(project, target, 'developer');
    const place = 'SELECT disk_path FROM projects WHERE id = $1';
    const before = (await database.query(place, [project.id])).rows;
    const { status, body } = await transfer(target, project.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: target.id,
      full_path: target.fullPath,
      projects: [{ id: project.id, path_with_namespace: `${target.fullPath}/Moving` }],
      shared_projects: [],
    });
    const as = app.current.as(user);
    const file = `/projects/${encodeURIComponent(`${target.fullPath}/moving`)}/repository/files/a.txt/raw?ref=master`;
    expect((await as.get(file)).text).toBe('a');
    const formerly = await app.current.as(admin).get(`/projects/${encodeURIComponent(project.fullPath)}`);
    expect(formerly.body).toMatchObject({ id: project.id, path_with_namespace: `${target.fullPath}/Moving` });
    expect((await database.query(place, [project.id])).rows).toEqual(before);
  });

  it('hides a public project as well as its new group', async () => {
    const target = await app.current.build.group();
    const open = await app.current.build.project({ visibility: 'public' });
    await transfer(target, open.id).expect(201);
    expect((await app.current.as(admin).get(`/projects/${open.id}`)).body.visibility).toBe('private');
    expect((await app.current.api.get(`/projects/${open.id}`)).status).toBe(404);
  });

  it('finds the project by its path, and may move it on', async () => {
    const { build } = app.current;
    const [first, second] = [await build.group(), await build.group()];
    const project = await build.project();
    expect((await transfer(first, encodeURIComponent(project.fullPath))).status).toBe(201);
    const path = encodeURIComponent(`${first.fullPath}/${project.path}`);
    expect(sorted((await transfer(second, path)).body.projects)).toEqual([project.id]);
    expect((await app.current.as(admin).get(`/groups/${first.id}`)).body.projects).toEqual([]);
  });

  it('refuses what cannot be there', async () => {
    const { build } = app.current;
    const target = await build.group();
    const there = await build.project({ namespace: target, path: 'there' });
    const failed = (sentence: string) => [400, { message: { new_namespace: [sentence] } }];
    const answer = async (project: number) => {
      const { status, body } = await transfer(target, project);
      return [status, body];
    };
    const namesake = await build.project({ path: 'THERE' });
    const sameName = await build.project({ path: 'other', columns: { name: 'There' } });
    const taken = 'Project with same name or path in target namespace already exists';
    expect(await answer(there.id)).toEqual(failed('Project is already in this namespace.'));
    expect(await answer(namesake.id)).toEqual(failed(taken));
    expect(await answer(sameName.id)).toEqual(failed(taken));
    await build.group({ path: 'as-group', parent: target });
    expect(await answer((await build.project({ path: 'as-group' })).id)).toEqual(failed(taken));
    expect((await app.current.as(admin).get(`/projects/${namesake.id}`)).body.path_with_namespace).toBe(
      namesake.fullPath,
    );
  });

  it('is for administrators alone, and says so before anything else', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const group = await build.group({ members: { owner } });
    const project = await build.project({ owner, members: { maintainer: owner } });
    for (const by of [owner, user]) {
      const { status, body } = await transfer(group, project.id, by);
      expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
    }
    expect((await app.current.api.post(`/groups/${group.id}/projects/${project.id}`)).status).toBe(401);
    expect((await transfer(group, 0)).body).toEqual({ message: '404 Project Not Found' });
    expect((await transfer(group, 'nothing%2Fthere')).body).toEqual({ message: '404 Project Not Found' });
    expect((await transfer({ id: 0 }, project.id)).body).toEqual({ message: '404 Group Not Found' });
    expect((await transfer({ id: owner.namespaceId }, project.id)).status).toBe(404);
  });

  it('gives and takes access with the move', async () => {
    const { build } = app.current;
    const [before, after] = [await build.user(), await build.user()];
    const source = await build.group({ members: { developer: before } });
    const target = await build.group({ members: { developer: after } });
    const project = await build.project({ namespace: source });
    const statuses = async () => [
      (await app.current.as(before).get(`/projects/${project.id}`)).status,
      (await app.current.as(after).get(`/projects/${project.id}`)).status,
    ];
    expect(await statuses()).toEqual([200, 404]);
    await transfer(target, project.id).expect(201);
    expect(await statuses()).toEqual([404, 200]);
  });

  it('lets one of several projects of a name have the place', async () => {
    const { build } = app.current;
    const target = await build.group();
    const projects = [await build.project({ path: 'same' }), await build.project({ path: 'same' })];
    const answers = await Promise.all(projects.map(({ id }) => transfer(target, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});
