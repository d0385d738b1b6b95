import { useApplication } from '../../support/application';

import { Cast, type AccessRow } from '../../support/access-row';
import { statementsDuring } from '../../support/statement-trace';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const LINK = 'https://ci.example/%{project_path}/%{default_branch}?id=%{project_id}';
const IMAGE = 'https://img.example/%{commit_sha}.svg';
const URLS = { link_url: LINK, image_url: IMAGE };
const PLAIN = { link_url: 'https://example.com/a', image_url: 'http://example.com/a.png' };

let owner: BuiltUser;
let maintainer: BuiltUser;
let guest: BuiltUser;
let group: BuiltGroup;
let inner: BuiltGroup;
let project: BuiltProject;

beforeEach(async () => {
  const { build } = app.current;
  owner = await build.user();
  maintainer = await build.user();
  guest = await build.user();
  group = await build.group({ members: { owner, maintainer, guest } });
  inner = await build.group({ parent: group });
  project = await build.project({ namespace: inner, files: { a: 'a' } });
});

const add = async (path: string, urls: object = PLAIN): Promise<number> => {
  const { status, body } = await app.current.as(owner).post(`${path}/badges`, urls);
  expect(status).toBe(201);
  return body.id;
};
const ofProject = () => `/projects/${project.id}`;
const ofGroup = () => `/groups/${group.id}`;

const MANAGE_ROW = (success: number): AccessRow => ({
  'anonymous public': 401,
  'anonymous internal': 401,
  'anonymous private': 401,
  'stranger public': 403,
  'stranger internal': 403,
  'stranger private': 404,
  guest: 403,
  reporter: 403,
  developer: 403,
  maintainer: success,
  owner: success,
  admin: success,
});

describe('POST /projects/:id/badges', () => {
  it('makes a badge and shows it with its values', async () => {
    const { status, body } = await app.current.as(maintainer).post(`${ofProject()}/badges`, URLS);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      ...URLS,
      rendered_link_url: `https://ci.example/${project.fullPath}/master?id=${project.id}`,
      rendered_image_url: `https://img.example/${project.tip}.svg`,
      kind: 'project',
    });
    expect(Object.keys(body)).toEqual([
      'id',
      'link_url',
      'image_url',
      'rendered_link_url',
      'rendered_image_url',
      'kind',
    ]);
  });

  it.each([
    [{ image_url: PLAIN.image_url }, '400 (Bad request) "link_url" not given'],
    [{ link_url: PLAIN.link_url }, '400 (Bad request) "image_url" not given'],
  ])('wants both URLs: %j', async (body, message) => {
    const answer = await app.current.as(maintainer).post(`${ofProject()}/badges`, body);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });

  it.each([
    ['', "can't be blank"],
    ['   ', "can't be blank"],
    ['badge', 'must be a valid URL'],
    ['//example.com/a', 'must be a valid URL'],
    ['/a.svg', 'must be a valid URL'],
    ['%{project_path}', 'must be a valid URL'],
    ['http://', 'must be a valid URL'],
    ['https:///a', 'is blocked: Only allowed schemes are http, https'],
    ['https:example.com', 'is blocked: Only allowed schemes are http, https'],
    ['javascript:alert(1)', 'is blocked: Only allowed schemes are http, https'],
    ['javascript://example.com/%{default_branch}', 'is blocked: Only allowed schemes are http, https'],
    ['data:text/html,x', 'is blocked: Only allowed schemes are http, https'],
    ['ftp://example.com/a', 'is blocked: Only allowed schemes are http, https'],
    ['%{default_branch}://example.com', 'is blocked: Only allowed schemes are http, https'],
    ['java\nscript:alert(1)', 'must be a valid URL'],
    ['https://example.com/\r\nSet-Cookie: a=b', 'must be a valid URL'],
    [' https://example.com/a', 'must be a valid URL'],
    ['https:\\\\example.com', 'must be a valid URL'],
    ['https://user@example.com/a', 'is blocked: Username and password are not allowed'],
    ['https://:secret@example.com/a', 'is blocked: Username and password are not allowed'],
    ['https://@example.com/a', 'is blocked: Username and password are not allowed'],
    ['https://%{default_branch}@example.com/a', 'is blocked: Username and password are not allowed'],
    [`https://example.com/${'a'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
  ])('refuses %j', async (url, problem) => {
    const { status, body } = await app.current
      .as(maintainer)
      .post(`${ofProject()}/badges`, { link_url: url, image_url: url });
    expect([status, body]).toEqual([400, { message: { link_url: [problem], image_url: [problem] } }]);
    expect((await app.current.as(guest).get(`${ofProject()}/badges`)).body).toEqual([]);
  });

  it.each([
    ['a list', ['https://example.com']],
    ['a hash', { a: 'https://example.com' }],
  ])('takes no %s for a URL', async (_, value) => {
    const { status, body } = await app.current
      .as(maintainer)
      .post(`${ofProject()}/badges`, { ...PLAIN, link_url: value });
    expect([status, body]).toEqual([400, { error: 'link_url is invalid' }]);
  });

  it.each([
    ['https://%{project_path}.example.com/', () => `https://${project.fullPath}.example.com/`],
    ['https://a.example/%7Bproject_id%7D/%{unknown}', () => 'https://a.example/%7Bproject_id%7D/%{unknown}'],
    ['https://a.example/%%7Bproject_id%7D', () => `https://a.example/${project.id}`],
    ['https://a.example/%7bproject_id%7D', () => `https://a.example/%7bproject_id%7D`],
    ['HTTPS://A.example/%{project_id}%{project_id}', () => `HTTPS://A.example/${project.id}${project.id}`],
  ])('takes %j', async (url, rendered) => {
    const { status, body } = await app.current
      .as(maintainer)
      .post(`${ofProject()}/badges`, { link_url: url, image_url: url });
    expect([status, body.link_url, body.rendered_link_url]).toEqual([201, url, rendered()]);
  });

  it('is for maintainers', async () => {
    const cast = await Cast.of(app.current, { a: 'a' });
    expect(await cast.row((api, { id }) => api.post(`/projects/${id}/badges`, PLAIN))).toEqual(
      MANAGE_ROW(201),
    );
  });
});

describe('POST /groups/:id/badges', () => {
  it('makes a badge of the kind group', async () => {
    const { status, body } = await app.current.as(owner).post(`${ofGroup()}/badges`, PLAIN);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        ...PLAIN,
        rendered_link_url: PLAIN.link_url,
        rendered_image_url: PLAIN.image_url,
        kind: 'group',
      },
    ]);
  });

  it('is for owners', async () => {
    const stranger = await app.current.build.user();
    const status = async (user: BuiltUser | null) =>
      (await (user ? app.current.as(user) : app.current.api).post(`${ofGroup()}/badges`, PLAIN)).status;
    expect([await status(null), await status(stranger), await status(maintainer)]).toEqual([401, 404, 403]);
  });
});

describe('GET /projects/:id/badges', () => {
  it('lists the project’s own and those of all groups above, the oldest first, in pages', async () => {
    const first = await add(`/groups/${inner.id}`);
    const second = await add(ofProject());
    const third = await add(ofGroup());
    await add(`/groups/${(await app.current.build.group({ members: { owner } })).id}`);
    const { body, headers } = await app.current.as(guest).get(`${ofProject()}/badges`);
    expect(body.map(({ id, kind }: { id: number; kind: string }) => [id, kind])).toEqual([
      [first, 'group'],
      [second, 'project'],
      [third, 'group'],
    ]);
    expect(headers['x-total']).toBe('3');
    const page = await app.current.as(guest).get(`${ofProject()}/badges?per_page=2&page=2`);
    expect([page.body.map(({ id }: { id: number }) => id), page.headers['x-total-pages']]).toEqual([
      [third],
      '2',
    ]);
    const head = await app.current.as(guest).head(`${ofProject()}/badges`);
    expect([head.status, head.headers['x-total']]).toEqual([200, '3']);
  });

  it('gives badges of a group the values of the project', async () => {
    await add(ofGroup(), URLS);
    const older = await app.current.build.project({ namespace: group, files: { b: 'b' } });
    await app.current.database.query(`UPDATE projects SET created_at = '2001-01-01' WHERE id = $1`, [
      older.id,
    ]);
    const { body } = await app.current.as(maintainer).get(`${ofProject()}/badges`);
    expect(body[0].rendered_link_url).toBe(`https://ci.example/${project.fullPath}/master?id=${project.id}`);
  });

  it('follows the repository: a push, another default branch, no commits at all', async () => {
    await add(ofProject(), URLS);
    const rendered = async (id = project.id) => {
      const { body } = await app.current.as(maintainer).get(`/projects/${id}/badges`);
      return [body[0].rendered_link_url, body[0].rendered_image_url];
    };
    const commit = await app.current.as(owner).post(`${ofProject()}/repository/commits`, {
      branch: 'odd@#x/y',
      start_branch: 'master',
      commit_message: 'm',
      actions: [{ action: 'create', file_path: 'n', content: 'n' }],
    });
    await app.current.as(owner).put(ofProject(), { default_branch: 'odd@#x/y' }).expect(200);
    expect(await rendered()).toEqual([
      `https://ci.example/${project.fullPath}/odd%40%23x/y?id=${project.id}`,
      `https://img.example/${commit.body.id}.svg`,
    ]);
    const empty = await app.current.build.project({ namespace: inner });
    await add(`/projects/${empty.id}`, URLS);
    expect(await rendered(empty.id)).toEqual([
      `https://ci.example/${empty.fullPath}/%{default_branch}?id=${empty.id}`,
      IMAGE,
    ]);
  });

  it('tells nothing of the repository to those who may not read it', async () => {
    await add(ofProject(), URLS);
    const { body } = await app.current.as(guest).get(`${ofProject()}/badges`);
    expect([body[0].rendered_link_url, body[0].rendered_image_url]).toEqual([
      `https://ci.example/${project.fullPath}/%{default_branch}?id=${project.id}`,
      IMAGE,
    ]);
  });

  it('is for all who see the project', async () => {
    const cast = await Cast.of(app.current, { a: 'a' });
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/badges`))).toEqual({
      'anonymous public': 200,
      'anonymous internal': 404,
      'anonymous private': 404,
      'stranger public': 200,
      'stranger internal': 200,
      'stranger private': 404,
      guest: 200,
      reporter: 200,
      developer: 200,
      maintainer: 200,
      owner: 200,
      admin: 200,
    });
  });
});

describe('lists of badges', () => {
  it('cost the same however many there are', async () => {
    const cost = async (path: string): Promise<number> =>
      (await statementsDuring(() => app.current.as(owner).get(path).expect(200))).length;
    for (const source of [ofProject(), `/groups/${inner.id}`]) {
      await add(source, URLS);
      const one = await cost(`${source}/badges`);
      for (let more = 0; more < 5; more += 1) await add(source, URLS);
      expect(await cost(`${source}/badges`)).toBe(one);
      expect(one).toBeLessThanOrEqual(5);
    }
  });
});

describe('GET /groups/:id/badges', () => {
  it('lists the group’s own', async () => {
    await add(ofGroup());
    await add(ofProject());
    const own = await add(`/groups/${inner.id}`);
    const { body, headers } = await app.current.as(guest).get(`/groups/${inner.id}/badges`);
    expect([body.map(({ id }: { id: number }) => id), headers['x-total']]).toEqual([[own], '1']);
  });

  it('gives the values of the first project by creation that the caller may see', async () => {
    const { build, database } = app.current;
    const open = await build.group({ visibility: 'public', members: { owner } });
    await add(`/groups/${open.id}`, URLS);
    const link = async (user: BuiltUser | null) => {
      const api = user ? app.current.as(user) : app.current.api;
      return (await api.get(`/groups/${open.id}/badges`)).body[0].rendered_link_url;
    };
    expect(await link(owner)).toBe(LINK);
    const shown = await build.project({ namespace: open, visibility: 'public', files: { a: 'a' } });
    const hidden = await build.project({ namespace: open, files: { a: 'a' } });
    await database.query(`UPDATE projects SET created_at = '2001-01-01' WHERE id = $1`, [hidden.id]);
    expect(await link(owner)).toBe(`https://ci.example/${hidden.fullPath}/master?id=${hidden.id}`);
    expect(await link(null)).toBe(`https://ci.example/${shown.fullPath}/master?id=${shown.id}`);
    expect(await link(await build.user())).toBe(await link(null));
  });

  it('hides with the group', async () => {
    const stranger = await app.current.build.user();
    const { status, body } = await app.current.as(stranger).get(`${ofGroup()}/badges`);
    expect([status, body]).toEqual([404, { message: '404 Group Not Found' }]);
  });
});

describe('GET /projects/:id/badges/:badge_id', () => {
  it('shows one, a group’s too', async () => {
    const own = await add(ofProject(), URLS);
    const inherited = await add(ofGroup());
    const api = app.current.as(guest);
    const { body } = await api.get(`${ofProject()}/badges/${own}`);
    expect(body).toEqual((await api.get(`${ofProject()}/badges`)).body[0]);
    expect((await api.get(`${ofProject()}/badges/${inherited}`)).body.kind).toBe('group');
  });

  it('finds none of another project', async () => {
    const other = await app.current.build.project({ namespace: inner });
    const foreign = await add(`/projects/${other.id}`);
    const { status, body } = await app.current.as(owner).get(`${ofProject()}/badges/${foreign}`);
    expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    expect((await app.current.as(owner).get(`${ofProject()}/badges/x`)).body).toEqual({
      error: 'badge_id is invalid',
    });
  });
});

describe('GET /groups/:id/badges/:badge_id', () => {
  it('shows the group’s own alone', async () => {
    const own = await add(`/groups/${inner.id}`);
    const above = await add(ofGroup());
    const api = app.current.as(guest);
    expect((await api.get(`/groups/${inner.id}/badges/${own}`)).body).toMatchObject({ id: own, ...PLAIN });
    expect((await api.get(`/groups/${inner.id}/badges/${above}`)).status).toBe(404);
  });
});

describe('PUT /projects/:id/badges/:badge_id', () => {
  it('changes what is given', async () => {
    const id = await add(ofProject(), URLS);
    const api = app.current.as(maintainer);
    const changed = await api.put(`${ofProject()}/badges/${id}`, { image_url: 'https://example.com/new' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id, link_url: LINK, image_url: 'https://example.com/new' }),
    ]);
    const same = await api.put(`${ofProject()}/badges/${id}`, {});
    expect([same.status, same.body]).toEqual([200, changed.body]);
  });

  it('refuses what no badge can have, and badges of a group or of elsewhere', async () => {
    const id = await add(ofProject());
    const inherited = await add(ofGroup());
    const other = await app.current.build.project({ namespace: inner });
    const foreign = await add(`/projects/${other.id}`);
    const api = app.current.as(owner);
    const bad = await api.put(`${ofProject()}/badges/${id}`, { link_url: 'javascript:alert(1)' });
    expect([bad.status, Object.keys(bad.body.message)]).toEqual([400, ['link_url']]);
    const refused = await api.put(`${ofProject()}/badges/${inherited}`, PLAIN);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'To edit a Group badge please use the Group endpoint' },
    ]);
    expect((await api.put(`${ofProject()}/badges/${foreign}`, PLAIN)).status).toBe(404);
    expect((await app.current.as(guest).put(`${ofProject()}/badges/${id}`, PLAIN)).status).toBe(403);
  });
});

describe('PUT /groups/:id/badges/:badge_id', () => {
  it('is for owners, and for the group’s own badges', async () => {
    const id = await add(ofGroup());
    const foreign = await add(ofProject());
    const url = 'https://example.com/changed';
    const change = (user: BuiltUser, badge: number) =>
      app.current.as(user).put(`${ofGroup()}/badges/${badge}`, { link_url: url });
    expect((await change(maintainer, id)).status).toBe(403);
    expect((await change(owner, foreign)).status).toBe(404);
    const { status, body } = await change(owner, id);
    expect([status, body.link_url, body.image_url]).toEqual([200, url, PLAIN.image_url]);
  });
});

describe('DELETE /projects/:id/badges/:badge_id', () => {
  it('removes the project’s own, once', async () => {
    const id = await add(ofProject());
    const api = app.current.as(maintainer);
    const removed = await api.delete(`${ofProject()}/badges/${id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await api.delete(`${ofProject()}/badges/${id}`)).body).toEqual({ message: '404 Not found' });
  });

  it('leaves a group’s badge alone, whoever asks', async () => {
    const id = await add(ofGroup());
    for (const user of [maintainer, owner]) {
      const { status, body } = await app.current.as(user).delete(`${ofProject()}/badges/${id}`);
      expect([status, body]).toEqual([
        403,
        { error: 'To delete a Group badge please use the Group endpoint' },
      ]);
    }
    expect((await app.current.as(owner).get(`${ofGroup()}/badges/${id}`)).status).toBe(200);
  });

  it('keeps a badge that was changed since the caller saw it', async () => {
    const id = await add(ofProject());
    const path = `${ofProject()}/badges/${id}`;
    const api = app.current.as(maintainer);
    const before = { 'if-unmodified-since': new Date(Date.now() - 60_000).toUTCString() };
    const { status, body } = await api.with(before).delete(path);
    expect([status, body]).toEqual([412, { message: '412 Precondition Failed' }]);
    const now = { 'if-unmodified-since': new Date(Date.now() + 60_000).toUTCString() };
    expect((await api.with(now).delete(path)).status).toBe(204);
  });
});

describe('DELETE /groups/:id/badges/:badge_id', () => {
  it('is for owners', async () => {
    const id = await add(ofGroup());
    expect((await app.current.as(maintainer).delete(`${ofGroup()}/badges/${id}`)).status).toBe(403);
    expect((await app.current.as(owner).delete(`${ofGroup()}/badges/${id}`)).status).toBe(204);
    expect((await app.current.as(owner).get(`${ofProject()}/badges`)).body).toEqual([]);
  });
});

const query = (urls: object): string => new URLSearchParams(Object.entries(urls)).toString();

describe('GET /projects/:id/badges/render', () => {
  it('shows how a badge would look and makes none', async () => {
    const api = app.current.as(maintainer);
    const { status, body } = await api.get(`${ofProject()}/badges/render?${query(URLS)}`);
    expect([status, body]).toEqual([
      200,
      {
        ...URLS,
        rendered_link_url: `https://ci.example/${project.fullPath}/master?id=${project.id}`,
        rendered_image_url: `https://img.example/${project.tip}.svg`,
      },
    ]);
    expect((await api.get(`${ofProject()}/badges`)).body).toEqual([]);
  });

  it('refuses as making one does', async () => {
    const api = app.current.as(maintainer);
    const missing = await api.get(`${ofProject()}/badges/render?link_url=https://example.com`);
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: '400 (Bad request) "image_url" not given' },
    ]);
    const bad = await api.get(
      `${ofProject()}/badges/render?${query({ ...PLAIN, link_url: 'javascript:1' })}`,
    );
    expect([bad.status, Object.keys(bad.body.message)]).toEqual([400, ['link_url']]);
  });

  it('is for maintainers', async () => {
    const cast = await Cast.of(app.current, { a: 'a' });
    const row = await cast.row((api, { id }) => api.get(`/projects/${id}/badges/render?${query(PLAIN)}`));
    expect(row).toEqual(MANAGE_ROW(200));
  });
});

describe('GET /groups/:id/badges/render', () => {
  it('is for owners, with the values of the first project of the group', async () => {
    const first = await app.current.build.project({ namespace: group, files: { a: 'a' } });
    await app.current.build.project({ namespace: group, files: { a: 'a' } });
    const path = `${ofGroup()}/badges/render?${query(URLS)}`;
    const { status, body } = await app.current.as(owner).get(path);
    expect([status, body]).toEqual([
      200,
      {
        ...URLS,
        rendered_link_url: `https://ci.example/${first.fullPath}/master?id=${first.id}`,
        rendered_image_url: `https://img.example/${first.tip}.svg`,
      },
    ]);
    expect((await app.current.as(maintainer).get(path)).status).toBe(403);
    expect((await app.current.api.get(path)).status).toBe(401);
  });
});
