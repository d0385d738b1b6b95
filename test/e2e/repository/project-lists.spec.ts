import { Client } from 'pg';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const as = (user: { token: string }) => app.current.as(user);

/** The ids that a request answers, in its order. */
const idsOf = async (path: string, user?: { token: string }): Promise<number[]> => {
  const { status, body } = await (user ? as(user) : app.current.api).get(path);
  expect(status).toBe(200);
  const rows: { id: number }[] = body;
  return rows.map(({ id }) => id);
};

const ids = (...projects: BuiltProject[]): number[] => projects.map(({ id }) => id);

describe('GET /projects', () => {
  let owner: BuiltUser, member: BuiltUser, stranger: BuiltUser, external: BuiltUser, admin: BuiltUser;
  let open: BuiltProject,
    internal: BuiltProject,
    hidden: BuiltProject,
    ofGroup: BuiltProject,
    shared: BuiltProject;

  beforeAll(async () => {
    const { build } = app.current;
    owner = await build.user();
    member = await build.user();
    stranger = await build.user();
    external = await build.user({ external: true });
    admin = await build.user({ admin: true });
    const group = await build.group({ members: { owner: member } });
    const subgroup = await build.group({ parent: group });
    const readers = await build.group({ members: { developer: member } });
    open = await build.project({
      owner,
      visibility: 'public',
      path: 'alpha-open',
      columns: { issues_access: 'disabled' },
    });
    internal = await build.project({
      owner,
      visibility: 'internal',
      path: 'beta-internal',
      columns: { archived: true },
    });
    hidden = await build.project({
      owner,
      path: 'gamma-hidden',
      members: { reporter: member },
      columns: { issues_access: 'private', description: 'Holds 100% of_the secrets' },
    });
    ofGroup = await build.project({ namespace: subgroup, path: 'delta-group' });
    shared = await build.project({ owner, path: 'epsilon-shared' });
    await build.share(shared, readers, 'reporter');
  });

  it('shows each caller what they may see, newest first', async () => {
    expect(await idsOf('/projects')).toEqual(ids(open));
    expect(await idsOf('/projects', external)).toEqual(ids(open));
    expect(await idsOf('/projects', stranger)).toEqual(ids(internal, open));
    expect(await idsOf('/projects', owner)).toEqual(ids(shared, hidden, internal, open));
    expect(await idsOf('/projects', member)).toEqual(ids(shared, ofGroup, hidden, internal, open));
    expect(await idsOf('/projects', admin)).toEqual(ids(shared, ofGroup, hidden, internal, open));
  });

  it('shows anonymous callers the simple form, others the full one unless they ask for the simple one', async () => {
    const [anonymous] = (await app.current.api.get('/projects')).body;
    expect(anonymous).not.toHaveProperty('visibility');
    const [full] = (await as(owner).get('/projects')).body;
    expect(full).toMatchObject({ visibility: 'private', permissions: {}, namespace: { kind: 'user' } });
    expect(full.namespace).not.toHaveProperty('web_url');
    expect(full).not.toHaveProperty('printing_merge_requests_link_enabled');
    const [simple] = (await as(owner).get('/projects?simple=true')).body;
    expect(simple).not.toHaveProperty('visibility');
  });

  it('shows those of which the caller is the owner, or a member', async () => {
    expect(await idsOf('/projects?owned=true', owner)).toEqual(ids(shared, hidden, internal, open));
    expect(await idsOf('/projects?owned=true', member)).toEqual(ids(ofGroup));
    expect(await idsOf('/projects?owned=True', admin)).toEqual([]);
    expect(await idsOf('/projects?membership=true', member)).toEqual(ids(shared, ofGroup, hidden));
    expect(await idsOf('/projects?membership=true', stranger)).toEqual([]);
    expect(await idsOf('/projects?owned=true')).toEqual([]);
    expect(await idsOf('/projects?membership=true')).toEqual([]);
  });

  it('shows those in which the caller has a level', async () => {
    expect(await idsOf('/projects?min_access_level=20', member)).toEqual(ids(shared, ofGroup, hidden));
    expect(await idsOf('/projects?min_access_level=30', member)).toEqual(ids(ofGroup));
    expect(await idsOf('/projects?min_access_level=50', member)).toEqual(ids(ofGroup));
    expect(await idsOf('/projects?min_access_level=10', stranger)).toEqual([]);
  });

  it('shows archived ones, live ones, or both', async () => {
    expect(await idsOf('/projects?archived=true', owner)).toEqual(ids(internal));
    expect(await idsOf('/projects?archived=false', owner)).toEqual(ids(shared, hidden, open));
  });

  it('shows those of a visibility, as far as the caller sees them', async () => {
    expect(await idsOf('/projects?visibility=private', stranger)).toEqual([]);
    expect(await idsOf('/projects?visibility=private', owner)).toEqual(ids(shared, hidden));
    expect(await idsOf('/projects?visibility=internal', stranger)).toEqual(ids(internal));
  });

  it('shows those with issues or merge requests that the caller may use', async () => {
    expect(await idsOf('/projects?with_issues_enabled=true', member)).toEqual(
      ids(shared, ofGroup, hidden, internal),
    );
    expect(await idsOf('/projects?with_issues_enabled=true', stranger)).toEqual(ids(internal));
    expect(await idsOf('/projects?with_merge_requests_enabled=1', stranger)).toEqual(ids(internal, open));
    expect(await idsOf('/projects?with_issues_enabled=true')).toEqual([]);
  });

  it('searches names, paths and descriptions for the text itself', async () => {
    expect(await idsOf('/projects?search=BETA', owner)).toEqual(ids(internal));
    expect(await idsOf('/projects?search=100%25%20of_the', owner)).toEqual(ids(hidden));
    expect(await idsOf('/projects?search=%25', owner)).toEqual(ids(hidden));
    expect(await idsOf('/projects?search=_', owner)).toEqual(ids(hidden));
    expect(await idsOf('/projects?search=%27%20OR%201%3D1--', owner)).toEqual([]);
    expect(await idsOf('/projects?search=gamma', stranger)).toEqual([]);
  });

  it('orders by any of the columns, ties by the larger id', async () => {
    expect(await idsOf('/projects?order_by=name&sort=asc', owner)).toEqual(
      ids(open, internal, shared, hidden),
    );
    expect(await idsOf('/projects?order_by=path', owner)).toEqual(ids(hidden, shared, internal, open));
    expect(await idsOf('/projects?order_by=id&sort=asc', owner)).toEqual(ids(open, internal, hidden, shared));
    await app.current.database.query(`UPDATE projects SET last_activity_at = '2020-01-01'`);
    expect(await idsOf('/projects?order_by=last_activity_at&sort=asc', owner)).toEqual(
      ids(shared, hidden, internal, open),
    );
    expect(await idsOf('/projects?order_by=updated_at', owner)).toHaveLength(4);
  });

  it.each([
    ['order_by=secret', { error: 'order_by does not have a valid value' }],
    ['sort=up', { error: 'sort does not have a valid value' }],
    ['visibility=secret', { error: 'visibility does not have a valid value' }],
    ['archived=maybe', { error: 'archived is invalid' }],
    ['min_access_level=15', { error: 'min_access_level does not have a valid value' }],
    ['search[]=x', { error: 'search is invalid' }],
  ])('refuses %s', async (query, body) => {
    const answer = await app.current.api.get(`/projects?${query}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body });
  });

  it('comes in pages', async () => {
    const page = await as(owner).get('/projects?per_page=3&page=2&order_by=id');
    expect(page.body.map(({ id }: { id: number }) => id)).toEqual(ids(open));
    expect(page.headers).toMatchObject({
      'x-total': '4',
      'x-total-pages': '2',
      'x-prev-page': '1',
      'x-next-page': '',
    });
    const head = await as(owner).head('/projects?per_page=3');
    expect(head.headers).toMatchObject({ 'x-total': '4', 'x-next-page': '2' });
  });

  it('is walked by key to its end, with the link that each page gives', async () => {
    let path: string | undefined = '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2&simple=true';
    const seen: number[] = [];
    while (path !== undefined && seen.length < 20) {
      const { headers, body }: { headers: Record<string, string>; body: { id: number }[] } =
        await as(owner).get(path);
      seen.push(...body.map(({ id }) => id));
      expect(headers).not.toHaveProperty('x-total');
      path = /<http:\/\/service\.test(\/[^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
      if (path !== undefined) expect(path).toContain('id_after=');
    }
    expect(seen).toEqual(ids(open, internal, hidden, shared));
    const down = await as(owner).get('/projects?pagination=keyset&order_by=id&per_page=3');
    expect(down.headers['link']).toContain(`id_before=${internal.id}`);
  });

  it('is walked by key in the order of ids alone', async () => {
    expect((await as(owner).get('/projects?pagination=keyset')).status).toBe(405);
    expect((await as(owner).get('/projects?pagination=keyset&order_by=id&id_after=x')).status).toBe(400);
  });

  it('shows statistics to reporters and above', async () => {
    const rows: { id: number; statistics?: object }[] = (await as(member).get('/projects?statistics=true'))
      .body;
    expect(rows.filter(({ statistics }) => statistics).map(({ id }) => id)).toEqual(
      ids(shared, ofGroup, hidden),
    );
  });

  it('tells secrets of a project to its maintainers alone', async () => {
    const rows: { id: number; runners_token?: string }[] = (await as(member).get('/projects')).body;
    expect(rows.filter((row) => 'runners_token' in row).map(({ id }) => id)).toEqual(ids(ofGroup));
  });

  it('asks the database as often for a hundred projects as for two', async () => {
    const user = await app.current.build.user();
    await app.current.database.query(
      `WITH made AS (
         INSERT INTO projects (namespace_id, creator_id, name, path, repository_storage, disk_path)
         SELECT $1, $2, 'many-' || n, 'many-' || n, 'default', 'many/' || n FROM generate_series(1, 100) n
         RETURNING id, path)
       INSERT INTO routes (path, project_id) SELECT $3 || '/' || path, id FROM made`,
      [user.namespaceId, user.id, user.username],
    );
    const query = jest.spyOn(Client.prototype, 'query');
    const costOf = async (perPage: number): Promise<number> => {
      query.mockClear();
      const { body } = await as(user).get(`/projects?owned=true&statistics=true&per_page=${perPage}`);
      expect(body).toHaveLength(perPage);
      const texts = query.mock.calls.map(([first]) => JSON.stringify(first));
      return texts.filter(
        (text) => /projects|members|users|namespaces/.test(text) && !text.includes('pgboss'),
      ).length;
    };
    await costOf(2);
    const few = await costOf(2);
    expect(few).toBeGreaterThan(4);
    expect(few).toBeLessThan(10);
    expect(await costOf(99)).toBe(few);
    query.mockRestore();
  });
});

describe('GET /groups/:id', () => {
  it('shows the projects of the group and those shared with it, as far as the caller sees them', async () => {
    const { build, api } = app.current;
    const owner = await build.user();
    const group = await build.group({ visibility: 'public', members: { owner } });
    const [open, hidden] = [
      await build.project({ namespace: group, visibility: 'public' }),
      await build.project({ namespace: group }),
    ];
    const elsewhere = await build.project();
    await build.share(elsewhere, group, 'guest');
    const { body } = await as(owner).get(`/groups/${group.id}`);
    expect(body.projects.map(({ id }: { id: number }) => id)).toEqual(ids(hidden, open));
    expect(body.shared_projects.map(({ id }: { id: number }) => id)).toEqual(ids(elsewhere));
    const anonymous = await api.get(`/groups/${group.id}`);
    expect(anonymous.body.projects.map(({ id }: { id: number }) => id)).toEqual(ids(open));
    expect(anonymous.body.shared_projects).toEqual([]);
    expect(anonymous.body.projects[0]).not.toHaveProperty('visibility');
  });
});
