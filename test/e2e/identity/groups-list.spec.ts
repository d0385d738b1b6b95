import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let stranger: BuiltUser;
let external: BuiltUser;
let top: BuiltGroup;
let middle: BuiltGroup;

beforeAll(async () => {
  const { build } = app.current;
  admin = await build.user({ admin: true });
  user = await build.user();
  stranger = await build.user();
  external = await build.user({ external: true });
  top = await build.group({ path: 'top' });
  middle = await build.group({ path: 'middle', parent: top, members: { developer: user } });
  await build.group({ path: 'bottom', parent: middle });
  await build.group({ path: 'aside', parent: top });
  await build.group({ path: 'owned', members: { owner: user } });
  await build.group({ path: 'public', visibility: 'public' });
  await build.group({ path: 'internal', visibility: 'internal' });
  const lapsed = await build.group({ path: 'lapsed' });
  await build.member('namespace', lapsed.id, user, 'owner', '2020-01-01');
});

const paths = async (by: BuiltUser | null, query = ''): Promise<string[]> => {
  const { status, body } = await (by ? app.current.as(by) : app.current.api).get(`/groups?${query}`);
  expect(status).toBe(200);
  return body.map((group: { path: string }) => group.path);
};

describe('GET /groups', () => {
  it('lists the caller’s groups with what is above and below, by name', async () => {
    expect(await paths(user)).toEqual(['bottom', 'middle', 'owned', 'top']);
    expect(await paths(stranger)).toEqual([]);
  });

  it('adds what is open to all with all_available', async () => {
    expect(await paths(user, 'all_available=true')).toEqual([
      'bottom',
      'internal',
      'middle',
      'owned',
      'public',
      'top',
    ]);
    expect(await paths(stranger, 'all_available=true')).toEqual(['internal', 'public']);
    expect(await paths(external, 'all_available=true')).toEqual(['public']);
  });

  it('lists public groups for anonymous callers', async () => {
    expect(await paths(null)).toEqual(['public']);
    expect(await paths(null, 'owned=true&all_available=true')).toEqual(['public']);
  });

  it('lists all groups for administrators unless they ask for their own', async () => {
    expect(await paths(admin)).toHaveLength(8);
    expect(await paths(admin, 'all_available=false')).toEqual([]);
    expect(await paths(admin, 'owned=true')).toEqual([]);
  });

  it('narrows to a level, and to what is owned', async () => {
    expect(await paths(user, 'owned=true&all_available=true')).toEqual(['owned']);
    expect(await paths(user, 'min_access_level=30')).toEqual(['bottom', 'middle', 'owned']);
    expect(await paths(user, 'min_access_level=40')).toEqual(['owned']);
    expect((await app.current.as(user).get('/groups?min_access_level=35')).status).toBe(400);
  });

  it('searches, leaves out, and orders', async () => {
    expect(await paths(user, 'search=TTO')).toEqual(['bottom']);
    expect(await paths(user, `skip_groups[]=${top.id}&skip_groups[]=${middle.id}`)).toEqual([
      'bottom',
      'owned',
    ]);
    expect(await paths(user, `skip_groups=${top.id}&skip_groups=${middle.id}`)).toEqual(['bottom', 'owned']);
    expect(await paths(user, 'order_by=id')).toEqual(['top', 'middle', 'bottom', 'owned']);
    expect(await paths(user, 'order_by=path&sort=desc')).toEqual(['top', 'owned', 'middle', 'bottom']);
    expect((await app.current.as(user).get('/groups?order_by=size')).status).toBe(400);
    expect((await app.current.as(user).get('/groups?sort=up')).status).toBe(400);
  });

  it('shows the listed fields', async () => {
    const { body } = await app.current.as(user).get('/groups?search=middle');
    expect(body).toEqual([
      {
        id: middle.id,
        name: 'middle',
        path: 'middle',
        description: '',
        visibility: 'private',
        lfs_enabled: true,
        avatar_url: null,
        web_url: 'http://service.test/groups/top/middle',
        request_access_enabled: false,
        full_name: 'top / middle',
        full_path: 'top/middle',
        file_template_project_id: null,
        parent_id: top.id,
      },
    ]);
  });

  it('comes in pages', async () => {
    const { body, headers } = await app.current.as(user).get('/groups?per_page=1&page=2');
    expect(body[0].path).toBe('middle');
    expect(headers).toMatchObject({ 'x-total': '4', 'x-next-page': '3', 'x-prev-page': '1' });
    expect((await app.current.as(user).head('/groups?per_page=1&page=2')).headers['x-total']).toBe('4');
  });
});
