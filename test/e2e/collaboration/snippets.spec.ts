import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import { Cast, type AccessRow } from '../../support/access-row';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { anonymously } from '../../support/anonymously';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let maintainer: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let project: BuiltProject;

beforeAll(async () => {
  const { build } = app.current;
  [maintainer, reporter, guest, stranger] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  admin = await build.user({ admin: true });
  project = await build.project({ visibility: 'public', members: { maintainer, reporter, guest } });
});

const NEW = { title: 'Hello', file_name: 'hello.rb', code: 'puts "<b>"\n', visibility: 'private' };

const path = (snippetId?: number): string =>
  `/projects/${project.id}/snippets${snippetId === undefined ? '' : `/${snippetId}`}`;

const add = async (values: object = {}, user = reporter): Promise<number> => {
  const { status, body } = await app.current.as(user).post(path(), { ...NEW, ...values });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
};

const addPersonal = async (user: BuiltUser, visibility: string): Promise<number> => {
  const { body } = await app.current.as(user).post('/snippets', {
    title: 'Mine',
    file_name: 'mine.txt',
    content: 'text of mine',
    visibility,
  });
  return body.id;
};

describe('POST /projects/:id/snippets', () => {
  it('makes a snippet, field by field', async () => {
    const { status, body } = await app.current
      .as(reporter)
      .post(path(), { ...NEW, description: 'What it does' });
    expect(status).toBe(201);
    const url = `http://service.test/${project.fullPath}/snippets/${body.id}`;
    expect(Object.entries(body)).toEqual(
      Object.entries({
        id: expect.any(Number),
        title: 'Hello',
        file_name: 'hello.rb',
        description: 'What it does',
        visibility: 'private',
        author: {
          id: reporter.id,
          name: reporter.name,
          username: reporter.username,
          state: 'active',
          avatar_url: null,
          web_url: `http://service.test/${reporter.username}`,
        },
        updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        project_id: project.id,
        web_url: url,
        raw_url: `${url}/raw`,
      }),
    );
  });

  it.each([
    [{ title: undefined }, { message: '400 (Bad request) "title" not given' }],
    [{ file_name: undefined }, { message: '400 (Bad request) "file_name" not given' }],
    [{ visibility: undefined }, { message: '400 (Bad request) "visibility" not given' }],
    [{ code: undefined }, { message: '400 (Bad request) "code" not given' }],
    [{ code: ' ' }, { error: 'code is empty' }],
    [{ content: 'x' }, { error: 'code, content are mutually exclusive' }],
    [{ visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [
      { file_name: '💎'.repeat(256) },
      { message: { file_name: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ title: ['a'] }, { error: 'title is invalid' }],
    [{ code: 'a\0b' }, { message: '400 Bad request - null byte' }],
  ])('refuses %j', async (values, refusal) => {
    const { status, body } = await app.current.as(reporter).post(path(), { ...NEW, ...values });
    expect([status, body]).toEqual([400, refusal]);
  });

  it('refuses more than ten megabytes', async () => {
    const { status, body } = await app.current
      .as(reporter)
      .post(path(), { ...NEW, code: 'x'.repeat(10 * 1024 * 1024 + 1) });
    expect([status, body]).toEqual([
      400,
      { message: { content: ['is too long (maximum is 10485760 bytes)'] } },
    ]);
  });
});

describe('who may do what with snippets', () => {
  const SHOWN: AccessRow = {
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
  };
  const CREATED: AccessRow = {
    'anonymous public': 401,
    'anonymous internal': 401,
    'anonymous private': 401,
    'stranger public': 403,
    'stranger internal': 403,
    'stranger private': 404,
    guest: 403,
    reporter: 201,
    developer: 201,
    maintainer: 201,
    owner: 201,
    admin: 201,
  };
  const MANAGED: AccessRow = {
    ...CREATED,
    reporter: 403,
    developer: 403,
    maintainer: 200,
    owner: 200,
    admin: 200,
  };

  it('POST, GET and PUT /projects/:id/snippets[/:snippet_id] ask for reporters, readers and maintainers', async () => {
    const cast = await Cast.of(app.current, {});
    expect(await cast.row((api, { id }) => api.post(`/projects/${id}/snippets`, NEW))).toEqual(CREATED);
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/snippets`))).toEqual(SHOWN);
    const ids = new Map<number, number>();
    for (const { id } of Object.values(cast.projects)) {
      const { body } = await app.current
        .as(cast.users.owner)
        .post(`/projects/${id}/snippets`, { ...NEW, visibility: 'public' });
      ids.set(id, body.id);
    }
    const one = (id: number) => `/projects/${id}/snippets/${ids.get(id)}`;
    expect(await cast.row((api, { id }) => api.get(one(id)))).toEqual(SHOWN);
    expect(await cast.row((api, { id }) => api.get(`${one(id)}/raw`))).toEqual(SHOWN);
    expect(await cast.row((api, { id }) => api.put(one(id), { title: 'Other' }))).toEqual(MANAGED);
  });

  it('lets authors change and remove their own', async () => {
    const id = await add();
    const changed = await app.current.as(reporter).put(path(id), { title: 'Changed' });
    expect([changed.status, changed.body.title]).toEqual([200, 'Changed']);
    expect((await app.current.as(reporter).delete(path(id))).status).toBe(204);
  });

  it('GET /projects/:id/snippets/:snippet_id shows private ones to members and their author alone', async () => {
    const [hidden, inside] = [await add({ visibility: 'private' }), await add({ visibility: 'internal' })];
    const statuses = async (id: number) =>
      Promise.all(
        [app.current.api, app.current.as(stranger), app.current.as(guest), app.current.as(admin)].map(
          async (api) => (await api.get(path(id))).status,
        ),
      );
    expect(await statuses(hidden)).toEqual([404, 404, 200, 200]);
    expect(await statuses(inside)).toEqual([404, 200, 200, 200]);
    const listed = async (api: typeof app.current.api): Promise<number[]> => {
      const { body } = await api.get(`${path()}?per_page=100`);
      return body.map((snippet: { id: number }) => snippet.id);
    };
    expect(await listed(app.current.api)).not.toContain(inside);
    expect(await listed(app.current.as(stranger))).toContain(inside);
    expect(await listed(app.current.as(stranger))).not.toContain(hidden);
    expect(await listed(app.current.as(guest))).toEqual(expect.arrayContaining([hidden, inside]));
    for (const send of [
      app.current.as(stranger).put(path(hidden), { title: 'x' }),
      app.current.as(stranger).delete(path(hidden)),
    ]) {
      const { status, body } = await send;
      expect([status, body]).toEqual([404, { message: '404 Snippet Not Found' }]);
    }
    const raw = await app.current.as(stranger).get(`${path(hidden)}/raw`);
    expect([raw.status, raw.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it('is closed where the project has snippets switched off, and read alone in an archived one', async () => {
    const id = await add({ visibility: 'public' });
    const set = (column: string, value: unknown) =>
      app.current.database.query(`UPDATE projects SET ${column} = $2 WHERE id = $1`, [project.id, value]);
    await set('snippets_access', 'disabled');
    expect((await app.current.as(maintainer).get(path())).status).toBe(403);
    expect((await app.current.as(maintainer).get(path(id))).status).toBe(403);
    await set('snippets_access', 'private');
    expect((await app.current.as(stranger).get(path(id))).status).toBe(403);
    expect((await app.current.as(guest).get(path(id))).status).toBe(200);
    await set('snippets_access', 'enabled');
    await set('archived', true);
    expect((await app.current.as(maintainer).get(path(id))).status).toBe(200);
    expect((await app.current.as(maintainer).post(path(), NEW)).status).toBe(403);
    expect((await app.current.as(reporter).put(path(id), { title: 'x' })).status).toBe(403);
    expect((await app.current.as(reporter).delete(path(id))).status).toBe(403);
    await set('archived', false);
  });
});

describe('GET /projects/:id/snippets', () => {
  it('lists the newest first, in pages, with a constant number of queries', async () => {
    const { build } = app.current;
    const other = await build.project({ members: { reporter, guest } });
    const here = `/projects/${other.id}/snippets`;
    const ids: number[] = [];
    for (const title of ['a', 'b', 'c']) {
      const { body } = await app.current.as(reporter).post(here, { ...NEW, title });
      ids.unshift(body.id);
    }
    const first = await app.current.as(guest).get(`${here}?per_page=2`);
    expect(first.body.map((snippet: { id: number }) => snippet.id)).toEqual(ids.slice(0, 2));
    expect(first.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2', 'x-per-page': '2' });
    const head = await app.current.as(guest).head(`${here}?per_page=2`);
    expect([head.status, head.headers['x-total'], head.text]).toEqual([200, '3', undefined]);
    const one = await statementsDuring(() => app.current.as(guest).get(`${here}?per_page=1&page=3`));
    const all = await statementsDuring(() => app.current.as(guest).get(here));
    expect(all).toHaveLength(one.length);
  });
});

describe('GET /projects/:id/snippets/:snippet_id/raw', () => {
  it('sends the text as text, never as a page', async () => {
    const id = await add({ code: '<script>alert(1)</script>', file_name: '../x".html' });
    const { status, headers, text } = await app.current.as(guest).get(`${path(id)}/raw`);
    expect([status, text]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(headers['content-disposition']).toContain('filename="../x_.html"');
  });

  it('answers HEAD with the same headers', async () => {
    const id = await add();
    const { status, headers } = await app.current.as(guest).head(`${path(id)}/raw`);
    expect([status, headers['content-length']]).toEqual([200, String(NEW.code.length)]);
  });
});

describe('GET /projects/:id/snippets/:snippet_id/user_agent_detail', () => {
  it('tells administrators where a snippet comes from', async () => {
    const { body: made } = await app.current.as(reporter).post(path(), NEW).set('User-Agent', 'A browser');
    const detail = `${path(made.id)}/user_agent_detail`;
    const { status, body } = await app.current.as(admin).get(detail);
    expect([status, body]).toEqual([
      200,
      { user_agent: 'A browser', ip_address: expect.stringContaining('127.0.0.1'), akismet_submitted: false },
    ]);
    expect((await app.current.as(maintainer).get(detail)).status).toBe(403);
    expect((await app.current.api.get(detail)).status).toBe(401);
    await app.current.database.query('UPDATE snippets SET user_agent = NULL WHERE id = $1', [made.id]);
    const unknown = await app.current.as(admin).get(detail);
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 UserAgentDetail Not Found' }]);
  });
});

describe('GET /snippets/:id/user_agent_detail', () => {
  it('is for administrators', async () => {
    const detail = `/snippets/${await addPersonal(stranger, 'private')}/user_agent_detail`;
    expect((await app.current.as(admin).get(detail)).body.akismet_submitted).toBe(false);
    expect((await app.current.as(stranger).get(detail)).status).toBe(403);
    expect((await app.current.api.get(detail)).status).toBe(401);
  });
});

describe('PUT /projects/:id/snippets/:snippet_id', () => {
  it('changes what is given and nothing else', async () => {
    const id = await add({ description: 'old' });
    const { status, body } = await app.current
      .as(maintainer)
      .put(path(id), { code: 'new text', visibility: 'public', author_id: guest.id, project_id: 1 });
    expect([status, body.title, body.description, body.visibility]).toEqual([200, 'Hello', 'old', 'public']);
    expect([body.author.id, body.project_id]).toEqual([reporter.id, project.id]);
    expect((await app.current.api.get(`${path(id)}/raw`)).text).toBe('new text');
    const cleared = await app.current.as(reporter).put(path(id), { description: null });
    expect(cleared.body.description).toBeNull();
  });

  it.each([
    [{}, { error: expect.stringContaining('at least one parameter must be provided') }],
    [{ title: '' }, { message: { title: ["can't be blank"] } }],
    [{ code: '' }, { error: 'code is empty' }],
    [{ visibility: 'x' }, { error: 'visibility does not have a valid value' }],
  ])('refuses %j', async (values, refusal) => {
    const { status, body } = await app.current.as(reporter).put(path(await add()), values);
    expect([status, body]).toEqual([400, refusal]);
  });

  it('knows no snippet of another project, nor a personal one', async () => {
    const other = await app.current.build.project({ members: { reporter } });
    const { body } = await app.current.as(reporter).post(`/projects/${other.id}/snippets`, NEW);
    const personal = await addPersonal(reporter, 'public');
    for (const id of [body.id, personal, 2 ** 40]) {
      expect((await app.current.as(reporter).get(path(id))).status).toBe(404);
      expect((await app.current.as(reporter).put(path(id), { title: 'x' })).status).toBe(404);
      expect((await app.current.as(reporter).delete(path(id))).status).toBe(404);
    }
  });
});

describe('DELETE /projects/:id/snippets/:snippet_id', () => {
  it('removes it once, unless it has been changed since', async () => {
    const id = await add();
    const early = await app.current
      .as(maintainer)
      .delete(path(id))
      .set('If-Unmodified-Since', 'Mon, 01 Jan 2018 00:00:00 GMT');
    expect([early.status, early.body]).toEqual([412, { message: '412 Precondition Failed' }]);
    expect((await app.current.as(maintainer).delete(path(id))).status).toBe(204);
    expect((await app.current.as(maintainer).delete(path(id))).status).toBe(404);
  });
});

describe('GET, POST, PUT and DELETE /snippets', () => {
  it('makes a personal snippet, internal by default', async () => {
    const { status, body } = await app.current
      .as(stranger)
      .post('/snippets', { title: 'Mine', file_name: 'a.txt', content: 'text' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      visibility: 'internal',
      description: null,
      project_id: null,
      author: { id: stranger.id },
      web_url: `http://service.test/snippets/${body.id}`,
      raw_url: `http://service.test/snippets/${body.id}/raw`,
    });
    const raw = await app.current.as(guest).get(`/snippets/${body.id}/raw`);
    expect([raw.status, raw.text]).toEqual([200, 'text']);
  });

  it('lists own ones, and public ones of all', async () => {
    const { build } = app.current;
    const [writer, external] = [await build.user(), await build.user({ external: true })];
    const [hidden, inside, open] = [
      await addPersonal(writer, 'private'),
      await addPersonal(writer, 'internal'),
      await addPersonal(writer, 'public'),
    ];
    const ids = async (user: BuiltUser, url: string): Promise<number[]> => {
      const { body } = await app.current.as(user).get(url);
      return body.map((snippet: { id: number }) => snippet.id);
    };
    expect(await ids(writer, '/snippets')).toEqual([open, inside, hidden]);
    expect(await ids(external, '/snippets')).toEqual([]);
    expect(await ids(external, '/snippets/public')).toEqual(expect.arrayContaining([open]));
    expect(await ids(external, '/snippets/public')).not.toContain(inside);
    const statuses = async (user: BuiltUser) =>
      Promise.all(
        [hidden, inside, open].map(async (id) => (await app.current.as(user).get(`/snippets/${id}`)).status),
      );
    expect(await statuses(external)).toEqual([404, 404, 200]);
    expect(await statuses(stranger)).toEqual([404, 200, 200]);
    expect(await statuses(admin)).toEqual([200, 200, 200]);
    expect((await app.current.as(stranger).put(`/snippets/${open}`, { title: 'x' })).status).toBe(403);
    expect((await app.current.as(stranger).delete(`/snippets/${hidden}`)).body).toEqual({
      message: '404 Snippet Not Found',
    });
    const changed = await app.current.as(admin).put(`/snippets/${open}`, { title: 'By the administrator' });
    expect([changed.status, changed.body.title]).toEqual([200, 'By the administrator']);
    expect((await app.current.as(writer).delete(`/snippets/${hidden}`)).status).toBe(204);
    expect((await app.current.as(writer).get(`/snippets/${hidden}`)).status).toBe(404);
  });

  it('knows no snippet of a project', async () => {
    const id = await add({ visibility: 'public' });
    expect((await app.current.as(reporter).get(`/snippets/${id}`)).status).toBe(404);
    expect((await app.current.as(reporter).delete(`/snippets/${id}`)).status).toBe(404);
  });

  it.each([
    'GET /snippets',
    'GET /snippets/public',
    'GET /snippets/:id',
    'GET /snippets/:id/raw',
    'POST /snippets',
    'PUT /snippets/:id',
    'DELETE /snippets/:id',
  ])('asks who calls: %s', async (row) => {
    expect((await anonymously(app.current, row)).status).toBe(401);
  });

  it.each([
    [{ title: 'a', file_name: 'b' }, { message: '400 (Bad request) "content" not given' }],
    [{ title: 'a', file_name: 'b', content: '' }, { error: 'content is empty' }],
  ])('refuses %j', async (values, refusal) => {
    const { status, body } = await app.current.as(stranger).post('/snippets', values);
    expect([status, body]).toEqual([400, refusal]);
  });

  it('refuses a change of nothing', async () => {
    const id = await addPersonal(stranger, 'public');
    expect((await app.current.as(stranger).put(`/snippets/${id}`, {})).status).toBe(400);
  });
});

describe('when an author goes', () => {
  it('gives their snippets to the ghost, or removes them with a hard delete', async () => {
    const { build } = app.current;
    const [kept, removed] = [await build.user(), await build.user()];
    for (const user of [kept, removed]) await build.member('project', project.id, user, 'reporter');
    const [first, second] = [
      await add({ visibility: 'public' }, kept),
      await add({ visibility: 'public' }, removed),
    ];
    await app.current.as(admin).delete(`/users/${kept.id}`);
    await app.current.as(admin).delete(`/users/${removed.id}?hard_delete=true`);
    await until(async () => (await app.current.as(admin).get(path(second))).status === 404);
    await until(async () => (await app.current.as(admin).get(path(first))).body.author?.username === 'ghost');
  });
});
