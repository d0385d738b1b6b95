import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const app = useApplication();

const FIELDS = [
  'repository_size',
  'wiki_size',
  'lfs_objects_size',
  'job_artifacts_size',
  'packages_size',
] as const;
const pathsOf = (body: { path: string }[]): string[] => body.map(({ path }) => path);

let admin: BuiltUser;
let owner: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  owner = await app.current.build.user();
});

describe('GET /groups/:id/subgroups', () => {
  let top: BuiltGroup;
  let hidden: BuiltGroup;
  let developer: BuiltUser;
  let stranger: BuiltUser;
  let external: BuiltUser;

  beforeAll(async () => {
    const { build } = app.current;
    [developer, stranger] = [await build.user(), await build.user()];
    external = await build.user({ external: true });
    top = await build.group({ path: 'top', visibility: 'public', members: { owner } });
    const open = await build.group({ path: 'open', parent: top, visibility: 'public' });
    await build.group({ path: 'within', parent: open, visibility: 'public' });
    await build.group({ path: 'internal', parent: top, visibility: 'internal' });
    hidden = await build.group({ path: 'hidden', parent: top, members: { maintainer: developer } });
    await build.group({ path: 'deep', parent: hidden });
    const around = await build.group({ path: 'around', parent: top });
    await build.group({ path: 'inner', parent: around, members: { developer } });
  });

  const inside = async (by: BuiltUser | null, query = '', group = top): Promise<string[]> => {
    const api = by ? app.current.as(by) : app.current.api;
    const { status, body } = await api.get(`/groups/${group.id}/subgroups?${query}`);
    expect(status).toBe(200);
    return pathsOf(body);
  };

  it('lists direct subgroups by name: all for members of the group, else what the caller has to do with', async () => {
    expect(await inside(owner)).toEqual(['around', 'hidden', 'internal', 'open']);
    expect(await inside(admin)).toEqual(['around', 'hidden', 'internal', 'open']);
    expect(await inside(developer)).toEqual(['around', 'hidden']);
    expect(await inside(stranger)).toEqual([]);
    expect(await inside(null)).toEqual(['open']);
    expect(await inside(developer, '', hidden)).toEqual(['deep']);
  });

  it('adds what is open with all_available', async () => {
    expect(await inside(stranger, 'all_available=true')).toEqual(['internal', 'open']);
    expect(await inside(external, 'all_available=true')).toEqual(['open']);
    expect(await inside(developer, 'all_available=true')).toEqual(['around', 'hidden', 'internal', 'open']);
    expect(await inside(admin, 'all_available=false')).toEqual([]);
  });

  it('narrows to a level, counting what is inherited', async () => {
    expect(await inside(owner, 'owned=true')).toHaveLength(4);
    expect(await inside(owner, 'min_access_level=50')).toHaveLength(4);
    expect(await inside(developer, 'min_access_level=40')).toEqual(['hidden']);
    expect(await inside(developer, 'owned=true')).toEqual([]);
    expect(await inside(developer, 'min_access_level=40', hidden)).toEqual(['deep']);
    expect(await inside(developer, 'min_access_level=50', hidden)).toEqual([]);
  });

  it('searches, leaves out, orders, and comes in pages', async () => {
    expect(await inside(owner, 'search=E')).toEqual(['hidden', 'internal', 'open']);
    expect(await inside(developer, 'search=hid')).toEqual(['hidden']);
    expect(await inside(owner, `skip_groups[]=${hidden.id}`)).toEqual(['around', 'internal', 'open']);
    expect(await inside(owner, 'order_by=path&sort=desc')).toEqual(['open', 'internal', 'hidden', 'around']);
    expect(await inside(owner, 'order_by=id')).toEqual(['open', 'internal', 'hidden', 'around']);
    const { body, headers } = await app.current
      .as(owner)
      .get(`/groups/${top.id}/subgroups?per_page=1&page=2`);
    expect([pathsOf(body), headers['x-total']]).toEqual([['hidden'], '4']);
  });

  it('is hidden with a private group', async () => {
    const { status, body } = await app.current.as(stranger).get(`/groups/${hidden.id}/subgroups`);
    expect([status, body]).toEqual([404, { message: '404 Group Not Found' }]);
    expect((await app.current.api.get(`/groups/${hidden.id}/subgroups`)).status).toBe(404);
    expect((await app.current.as(owner).get(`/groups/${top.id}/subgroups?order_by=size`)).status).toBe(400);
  });
});

describe('GET /groups with more about each', () => {
  let top: BuiltGroup;
  let child: BuiltGroup;

  beforeAll(async () => {
    const { build, database } = app.current;
    top = await build.group({ path: 'figures', members: { owner } });
    child = await build.group({ path: 'figures-child', parent: top });
    await build.group({ path: 'figures-empty' });
    for (const [namespace, factor] of [
      [top, 1],
      [child, 10],
      [child, 100],
    ] as const) {
      const { id } = await build.project({ namespace });
      await database.query(
        `INSERT INTO project_statistics (project_id, ${FIELDS.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, ...[1, 2, 3, 4, 5].map((size) => size * factor)],
      );
    }
    await database.query(
      `INSERT INTO custom_attributes (namespace_id, key, value)
       VALUES ($1, 'room', '7'), ($1, 'floor', '1'), ($2, 'room', '7'), ($2, 'floor', '2')`,
      [top.id, child.id],
    );
  });

  const listed = async (query: string, by = admin): Promise<Record<string, unknown>[]> => {
    const { status, body } = await app.current.as(by).get(`/groups?search=figures&${query}`);
    expect(status).toBe(200);
    return body;
  };
  const sizes = (factor: number) => ({
    storage_size: 15 * factor,
    repository_size: factor,
    wiki_size: 2 * factor,
    lfs_objects_size: 3 * factor,
    job_artifacts_size: 4 * factor,
    packages_size: 5 * factor,
  });

  it("sums the sizes of a group's own projects for administrators", async () => {
    expect((await listed('statistics=true')).map(({ path, statistics }) => [path, statistics])).toEqual([
      ['figures', sizes(1)],
      ['figures-child', sizes(110)],
      ['figures-empty', sizes(0)],
    ]);
    expect((await listed('')).some((group) => 'statistics' in group)).toBe(false);
    expect((await listed('statistics=true', owner)).some((group) => 'statistics' in group)).toBe(false);
    const { body } = await app.current.as(admin).get(`/groups/${top.id}/subgroups?statistics=true`);
    expect(body).toMatchObject([{ id: child.id, statistics: sizes(110) }]);
  });

  it('tells custom attributes to administrators, and finds groups by them', async () => {
    const shown = await listed('with_custom_attributes=true');
    expect(shown.map(({ custom_attributes: attributes }) => attributes)).toEqual([
      [
        { key: 'floor', value: '1' },
        { key: 'room', value: '7' },
      ],
      [
        { key: 'floor', value: '2' },
        { key: 'room', value: '7' },
      ],
      [],
    ]);
    const filter = 'custom_attributes[room]=7&custom_attributes[floor]=2';
    expect((await listed(filter)).map(({ id }) => id)).toEqual([child.id]);
    expect(await listed('custom_attributes[room]=8')).toEqual([]);
  });

  it('passes over custom attributes for others', async () => {
    const shown = await listed('with_custom_attributes=true&custom_attributes[room]=8', owner);
    expect(shown.map(({ path }) => path)).toEqual(['figures', 'figures-child']);
    expect(shown.some((group) => 'custom_attributes' in group)).toBe(false);
  });

  it('shows custom attributes on the group’s own page', async () => {
    const get = async (by: BuiltUser, query: string) =>
      (await app.current.as(by).get(`/groups/${top.id}?with_projects=false&${query}`)).body;
    expect((await get(admin, 'with_custom_attributes=true')).custom_attributes).toHaveLength(2);
    expect(await get(admin, '')).not.toHaveProperty('custom_attributes');
    expect(await get(owner, 'with_custom_attributes=true')).not.toHaveProperty('custom_attributes');
  });
});

describe('GET /groups for members of nested groups', () => {
  it('counts a level for everything inside, at any depth, and not for what is above', async () => {
    const { build } = app.current;
    const member = await build.user();
    let parent = await build.group({ path: 'level-0' });
    for (let depth = 1; depth < 8; depth++) {
      const members = depth === 3 ? { maintainer: member } : {};
      parent = await build.group({ path: `level-${depth}`, parent, members });
    }
    const paths = async (query: string) =>
      pathsOf((await app.current.as(member).get(`/groups?${query}`)).body);
    const below = ['level-3', 'level-4', 'level-5', 'level-6', 'level-7'];
    expect(await paths('')).toEqual(['level-0', 'level-1', 'level-2', ...below]);
    expect(await paths('min_access_level=40')).toEqual(below);
    expect(await paths('min_access_level=40&search=5')).toEqual(['level-5']);
    expect(await paths('min_access_level=50')).toEqual([]);
    expect(await paths('owned=true&min_access_level=10')).toEqual([]);
    expect(await paths('all_available=true&search=level-0')).toEqual(['level-0']);
  });
});
