import { OAuthFixture } from '../../support/oauth-client';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let oauth: OAuthFixture;
beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
  oauth = new OAuthFixture(app.current);
});

const application = (more: object = {}): object => ({
  name: 'Reports',
  redirect_uri: 'https://reports.example/callback',
  scopes: 'read_user',
  ...more,
});
const create = (more: object = {}) => app.current.as(admin).post('/applications', application(more));

describe('POST /applications', () => {
  it('registers an application and tells its secret, this once', async () => {
    const { status, body } = await create({ confidential: false });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      application_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      application_name: 'Reports',
      callback_url: 'https://reports.example/callback',
      confidential: false,
      secret: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const { rows } = await app.current.database.query('SELECT * FROM oauth_applications WHERE id = $1', [
      body.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(body.secret);
    expect(rows[0]).toMatchObject({ trusted: false, owner_id: null, scopes: ['read_user'] });
  });

  it('takes several redirect URIs, by line, and several scopes', async () => {
    const { body } = await create({
      redirect_uri: 'https://a.example/x?y=1\r\ncom.example.app:/callback\n\nhttp://127.0.0.1:8080/',
      scopes: 'api read_user sudo',
    });
    expect(body).toMatchObject({
      callback_url: 'https://a.example/x?y=1\ncom.example.app:/callback\nhttp://127.0.0.1:8080/',
      confidential: true,
    });
  });

  it.each([
    ['name', { name: ' ' }],
    ['redirect_uri', { redirect_uri: '' }],
    ['scopes', { scopes: '' }],
  ])('says 400 for an empty %s', async (name, more) => {
    const { status, body } = await create(more);
    expect([status, body]).toEqual([400, { error: `${name} is empty` }]);
  });

  it.each(['name', 'redirect_uri', 'scopes'])('says 400 without %s', async (name) => {
    const { status, body } = await create({ [name]: undefined });
    expect([status, body]).toEqual([400, { message: `400 (Bad request) "${name}" not given` }]);
  });

  it.each([
    ['name', { name: 'n'.repeat(256) }, 'is too long (maximum is 255 characters)'],
    ['scopes', { scopes: 'api everything' }, 'can only contain available scopes'],
    ['redirect_uri', { redirect_uri: '/callback' }, 'must be an absolute URI'],
    ['redirect_uri', { redirect_uri: 'https://a.example/#part' }, 'cannot contain a fragment'],
    ['redirect_uri', { redirect_uri: 'http://a.example/' }, 'must use https, except on this machine'],
    ['redirect_uri', { redirect_uri: 'javascript:alert(1)' }, 'has a scheme that is not allowed'],
    [
      'redirect_uri',
      { redirect_uri: 'https://a.example\nhttps://me@b.example' },
      'cannot contain a user name or password',
    ],
  ])('says what is wrong with a %s: %j', async (name, more, sentence) => {
    const { status, body } = await create(more);
    expect([status, body]).toEqual([400, { message: { [name]: [sentence] } }]);
  });

  it('is for administrators, before anything else', async () => {
    expect((await app.current.as(user).post('/applications', {})).status).toBe(403);
    expect((await app.current.api.post('/applications', {})).status).toBe(401);
    const reader = await app.current.build.token(admin, ['read_user']);
    expect((await app.current.as({ token: reader }).post('/applications', application())).status).toBe(403);
  });
});

describe('GET /applications', () => {
  it('lists them in pages, without secrets', async () => {
    const { body: created } = await create({ name: 'Listed' });
    const { status, body, headers } = await app.current.as(admin).get('/applications?per_page=100');
    expect(status).toBe(200);
    expect(headers['x-total']).toBe(String(body.length));
    expect(body).toContainEqual({
      id: created.id,
      application_id: created.application_id,
      application_name: 'Listed',
      callback_url: 'https://reports.example/callback',
      confidential: true,
    });
    expect(JSON.stringify(body)).not.toContain(created.secret);
    expect((await app.current.as(admin).get('/applications?per_page=1&page=2')).body).toEqual([body[1]]);
  });

  it('is for administrators', async () => {
    expect((await app.current.as(user).get('/applications')).status).toBe(403);
    expect((await app.current.api.get('/applications')).status).toBe(401);
  });
});

describe('DELETE /applications/:id', () => {
  it('removes the application, and every code and token of it', async () => {
    const client = await oauth.client();
    const { access_token: access, refresh_token: refresh } = await oauth.tokens(client, user);
    const code = await oauth.code(client, user);
    expect(await oauth.use(access)).toBe(200);
    const { status, text } = await app.current.as(admin).delete(`/applications/${client.id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await oauth.use(access)).toBe(401);
    expect((await oauth.refresh(client, refresh)).body.error).toBe('invalid_client');
    expect((await oauth.exchange(client, code)).body.error).toBe('invalid_client');
    expect((await oauth.refresh(null, refresh)).body.error).toBe('invalid_grant');
  });

  it('says 404 where there is none', async () => {
    const { status, body } = await app.current.as(admin).delete('/applications/999999');
    expect([status, body]).toEqual([404, { message: '404 Application Not Found' }]);
  });

  it('is for administrators', async () => {
    const { id } = await oauth.client();
    expect((await app.current.as(user).delete(`/applications/${id}`)).status).toBe(403);
    expect((await app.current.api.delete(`/applications/${id}`)).status).toBe(401);
  });
});
