import { useApplication } from '../../support/application';
import supertest from 'supertest';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const MOST = 200 * 1024;
/** Decoders stop at the end that the picture tells, so that it may be as large as is wanted. */
const ofSize = (bytes: number): Buffer => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);

let admin: BuiltUser;
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  user = await app.current.build.user();
});

const send = (content: Buffer, filename: string) =>
  app.current.as(admin).put(`/users/${user.id}`).attach('avatar', content, { filename });
const server = () => supertest(app.current.nest.getHttpServer());
const pathOf = (url: string): string => new URL(url).pathname;

describe('PUT /users/:id with an avatar', () => {
  it('keeps the picture and serves it to anybody under its own type', async () => {
    const { status, body } = await send(PNG, 'me.png');
    expect(status).toBe(200);
    expect(body.avatar_url).toBe(`http://service.test/uploads/-/system/user/avatar/${user.id}/me.png`);
    const picture = await server().get(pathOf(body.avatar_url));
    expect(picture.status).toBe(200);
    expect(picture.body).toEqual(PNG);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="me.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringContaining('public'),
      etag: expect.any(String),
    });
    const again = await server()
      .get(pathOf(body.avatar_url))
      .set('if-none-match', picture.headers['etag'] ?? '');
    expect(again.status).toBe(304);
    const head = await server().head(pathOf(body.avatar_url));
    expect([head.status, head.headers['content-length']]).toEqual([200, String(PNG.length)]);
  });

  it('shows it wherever the user appears', async () => {
    const url = (await send(PNG, 'me.png')).body.avatar_url;
    const group = await app.current.build.group({ visibility: 'public', members: { owner: user } });
    const api = app.current.as(user);
    for (const path of ['/user', `/users/${user.id}`])
      expect((await api.get(path)).body.avatar_url).toBe(url);
    for (const path of [`/users?username=${user.username}`, `/groups/${group.id}/members`])
      expect((await api.get(path)).body[0].avatar_url).toBe(url);
  });

  it('replaces the picture, and the old address is gone', async () => {
    const before = pathOf((await send(PNG, 'before.png')).body.avatar_url);
    const after = pathOf((await send(GIF, 'after.gif')).body.avatar_url);
    expect((await server().get(before)).status).toBe(404);
    const picture = await server().get(after);
    expect([picture.headers['content-type'], picture.body]).toEqual(['image/gif', GIF]);
  });

  it.each([
    ['../../etc/passwd', 'passwd.png'],
    ["me & 'you'.html", 'me____you_.html.png'],
    ['a\r\nSet-Cookie: x.png', /^[\w.+-]+\.png$/],
    ['.png', 'png.png'],
    ['x'.repeat(300) + '.png', /^x{96}\.png$/],
    ['ünï.PNG', '_n_.PNG'],
  ])('makes a harmless name of %j', async (given, name) => {
    const { body } = await send(PNG, given);
    const made = body.avatar_url.split('/').at(-1);
    if (typeof name === 'string') expect(made).toBe(name);
    else expect(made).toMatch(name);
    expect((await server().get(pathOf(body.avatar_url))).status).toBe(200);
  });

  it.each([
    ['a page', '<html><script>alert(1)</script></html>', 'me.png'],
    ['a drawing that may run scripts', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'me.svg'],
    ['text', 'no picture', 'me.jpg'],
    ['nothing', '', 'me.png'],
    ['a program', '\x7fELF\x02\x01\x01', 'me.gif'],
  ])('refuses %s whatever it is called', async (_, content, name) => {
    const { status, body } = await send(Buffer.from(content, 'latin1'), name);
    expect([status, body]).toEqual([
      400,
      { message: { avatar: [expect.stringContaining('is not an image')] } },
    ]);
    expect((await app.current.as(user).get('/user')).body.avatar_url).toBeNull();
  });

  it('takes 200 KB and not a byte more', async () => {
    expect((await send(ofSize(MOST), 'large.png')).status).toBe(200);
    const { status, body } = await send(ofSize(MOST + 1), 'large.png');
    expect([status, body]).toEqual([400, { message: { avatar: ['is too big (should be at most 200 KB)'] } }]);
  });

  it('keeps the picture when a client sends an empty part, as python-gitlab does', async () => {
    await send(PNG, 'me.png').expect(200);
    const { status, body } = await app.current
      .as(admin)
      .put(`/users/${user.id}`)
      .field('avatar', '')
      .field('name', 'N');
    expect([status, body.name, body.avatar_url]).toEqual([200, 'N', expect.stringContaining('me.png')]);
  });
});

describe('POST /users with an avatar', () => {
  const create = (content: Buffer) =>
    app.current
      .as(admin)
      .post('/users')
      .field('email', `new-${user.id}@example.com`)
      .field('username', `new-${user.id}`)
      .field('name', 'New')
      .field('password', 'long enough')
      .attach('avatar', content, { filename: 'new.png' });

  it('keeps the picture with the new account', async () => {
    const { status, body } = await create(PNG);
    expect(status).toBe(201);
    expect((await server().get(pathOf(body.avatar_url))).body).toEqual(PNG);
  });

  it('makes no account where the picture is refused', async () => {
    expect((await create(Buffer.from('text'))).status).toBe(400);
    expect((await app.current.api.get(`/users?username=new-${user.id}`)).body).toEqual([]);
  });
});

describe('GET /uploads/-/system/:kind/avatar/:id/:filename', () => {
  it('answers 404 to what is no picture', async () => {
    await send(PNG, 'me.png').expect(200);
    for (const path of [
      `user/avatar/${user.id}/other.png`,
      `user/avatar/${user.id}x/me.png`,
      'user/avatar/2000000000/me.png',
      `toad/avatar/${user.id}/me.png`,
      `project/avatar/${user.id}/me.png`,
      `group/avatar/${user.id}/me.png`,
      `user/avatar/${user.id}/..%2f..%2fme.png`,
    ])
      expect((await server().get(`/uploads/-/system/${path}`)).status).toBe(404);
  });

  it('hides the picture of who is deleted', async () => {
    const path = pathOf((await send(PNG, 'me.png')).body.avatar_url);
    await app.current.as(admin).delete(`/users/${user.id}`).expect(204);
    expect((await server().get(path)).status).toBe(404);
  });

  it('hides the picture of a public project in a group that is being removed', async () => {
    const { build, database } = app.current;
    const namespace = await build.group({ visibility: 'public' });
    const project = await build.project({ visibility: 'public', namespace });
    await database.query(
      `INSERT INTO avatars (project_id, file_name, content_type, content) VALUES ($1, 'p.png', 'image/png', $2)`,
      [project.id, PNG],
    );
    const path = `/uploads/-/system/project/avatar/${project.id}/p.png`;
    expect((await server().get(path)).status).toBe(200);
    await database.query('UPDATE namespaces SET pending_delete = true WHERE id = $1', [namespace.id]);
    expect((await server().get(path)).status).toBe(404);
  });

  it('shows pictures of public groups and projects alone', async () => {
    const { build, database } = app.current;
    for (const visibility of ['public', 'internal', 'private'] as const) {
      const group = await build.group({ visibility });
      await database.query(
        `INSERT INTO avatars (namespace_id, file_name, content_type, content) VALUES ($1, 'g.png', 'image/png', $2)`,
        [group.id, PNG],
      );
      const { status } = await server().get(`/uploads/-/system/group/avatar/${group.id}/g.png`);
      expect(status).toBe(visibility === 'public' ? 200 : 404);
    }
  });
});
