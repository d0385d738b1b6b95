import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OutgoingMails } from '../../support/outgoing-mails';
import { newSigningKey } from '../../support/signed-commits';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let mails: OutgoingMails;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
  mails = OutgoingMails.of(app.current);
});

const TAKEN = ['has already been taken'];
const KEY_NOT_FOUND = [404, { message: '404 GPG Key Not Found' }];
const USER_NOT_FOUND = [404, { message: '404 User Not Found' }];
const MALFORMED = {
  message: {
    key: [
      "is invalid. A valid public GPG key begins with '-----BEGIN PGP PUBLIC KEY BLOCK-----' and ends with '-----END PGP PUBLIC KEY BLOCK-----'",
    ],
  },
};

const newKey = async (): Promise<string> =>
  (await newSigningKey({ emails: ['ann@example.com'] })).toPublic().armor().trim();
const add = (key: unknown, by = user) => app.current.as(by).post('/user/gpg_keys', { key });

async function added(by = user): Promise<{ id: number; key: string }> {
  const { body } = await add(await newKey(), by).expect(201);
  return body;
}

describe('POST /user/gpg_keys', () => {
  it('adds a key, its fields in the order of the specification', async () => {
    const key = await newKey();
    const { status, body } = await add(`${key}\n`);
    expect([status, Object.entries(body)]).toEqual([
      201,
      [
        ['id', expect.any(Number)],
        ['key', key],
        ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)],
      ],
    ]);
  });

  it('tells the owner by mail', async () => {
    const owner = await app.current.build.user();
    await added(owner);
    expect(mails.to(owner.email)).toEqual([
      {
        to: owner.email,
        subject: 'GPG key was added to your account',
        text: expect.stringMatching(/Fingerprint: [0-9A-F]{40}/),
      },
    ]);
  });

  it.each([
    [undefined, { message: '400 (Bad request) "key" not given' }],
    ['', MALFORMED],
    ['ssh-rsa AAAA', MALFORMED],
    ['-----BEGIN PGP PUBLIC KEY BLOCK-----\n-----END PGP PUBLIC KEY BLOCK-----', MALFORMED],
    [['a', 'b'], { error: 'key is invalid' }],
    [{ a: 'b' }, { error: 'key is invalid' }],
  ])('refuses %j', async (key, body) => {
    const answer = await add(key);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  it('refuses a private key, and repeats nothing of it', async () => {
    const key = await newSigningKey({ emails: ['ann@example.com'] });
    const { status, body } = await add(key.armor());
    expect([status, body]).toEqual([400, MALFORMED]);
  });

  it('refuses a key that anybody has', async () => {
    const { key } = await added();
    for (const by of [user, await app.current.build.user()]) {
      const { status, body } = await add(key, by);
      expect([status, body]).toEqual([
        400,
        { message: { key: TAKEN, fingerprint: TAKEN, primary_keyid: TAKEN } },
      ]);
    }
  });

  it('gives a key to one of those who send it at the same time', async () => {
    const key = await newKey();
    const others = [user, await app.current.build.user(), await app.current.build.user()];
    const answers = await Promise.all(others.map((by) => add(key, by)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('ends at some number of keys', async () => {
    const owner = await app.current.build.user();
    await app.current.database.query(
      `INSERT INTO gpg_keys (user_id, key, fingerprint, key_id, user_ids)
       SELECT $1, 'x', 'x' || i, 'x' || i, '[]' FROM generate_series(1, 100) i`,
      [owner.id],
    );
    const { status, body } = await add(await newKey(), owner);
    expect([status, body]).toEqual([
      400,
      { message: { base: ['Maximum number of GPG keys (100) exceeded'] } },
    ]);
  });

  it('is for those who are signed in, with a scope that writes', async () => {
    expect((await app.current.api.post('/user/gpg_keys', {})).status).toBe(401);
    const reader = await app.current.build.user({ scopes: ['read_user'] });
    expect((await add(await newKey(), reader)).status).toBe(403);
  });
});

describe('GET /user/gpg_keys', () => {
  it('lists one’s own, in pages, the oldest first', async () => {
    const owner = await app.current.build.user();
    const [first, second] = [await added(owner), await added(owner)];
    const all = await app.current.as(owner).get('/user/gpg_keys');
    expect([all.status, all.body, all.headers['x-total']]).toEqual([200, [first, second], '2']);
    const page = await app.current.as(owner).get('/user/gpg_keys?per_page=1&page=2');
    expect(page.body).toEqual([second]);
    const head = await app.current.as(owner).head('/user/gpg_keys');
    expect([head.status, head.headers['x-total'], head.text]).toEqual([200, '2', undefined]);
    expect((await app.current.api.get('/user/gpg_keys')).status).toBe(401);
  });
});

describe('GET /user/gpg_keys/:key_id', () => {
  it('shows one’s own alone', async () => {
    const key = await added();
    expect((await app.current.as(user).get(`/user/gpg_keys/${key.id}`)).body).toEqual(key);
    for (const other of [await app.current.build.user(), admin]) {
      const { status, body } = await app.current.as(other).get(`/user/gpg_keys/${key.id}`);
      expect([status, body]).toEqual(KEY_NOT_FOUND);
    }
    expect((await app.current.as(user).get('/user/gpg_keys/0')).status).toBe(404);
    expect((await app.current.as(user).get('/user/gpg_keys/x')).body).toEqual({ error: 'key_id is invalid' });
  });
});

describe.each([
  [
    'DELETE /user/gpg_keys/:key_id',
    [204, {}],
    (id: number, by: BuiltUser) => app.current.as(by).delete(`/user/gpg_keys/${id}`),
  ],
  [
    'POST /user/gpg_keys/:key_id/revoke',
    [202, { message: '202 Accepted' }],
    (id: number, by: BuiltUser) => app.current.as(by).post(`/user/gpg_keys/${id}/revoke`),
  ],
])('%s', (_row, success, remove) => {
  it('removes one’s own, which can be added again', async () => {
    const { id, key } = await added();
    const stranger = await remove(id, await app.current.build.user());
    expect([stranger.status, stranger.body]).toEqual(KEY_NOT_FOUND);
    const gone = await remove(id, user);
    expect([gone.status, gone.body]).toEqual(success);
    const again = await remove(id, user);
    expect([again.status, again.body]).toEqual(KEY_NOT_FOUND);
    expect((await remove(id, { ...user, token: 'unknown' })).status).toBe(401);
    await add(key).expect(201);
  });
});

describe('DELETE /user/gpg_keys/:key_id under a condition', () => {
  it('keeps a key that has changed since', async () => {
    const { id } = await added();
    const since = new Date(Date.now() - 86_400_000).toUTCString();
    const stale = app.current.as(user).with({ 'If-Unmodified-Since': since });
    expect((await stale.delete(`/user/gpg_keys/${id}`)).status).toBe(412);
    await app.current.as(user).get(`/user/gpg_keys/${id}`).expect(200);
  });
});

const ofUser = (path = '') => `/users/${user.id}/gpg_keys${path}`;

describe('GET /users/:id/gpg_keys', () => {
  it('lists the keys of a user for administrators', async () => {
    const owner = await app.current.build.user();
    const key = await added(owner);
    const { status, body, headers } = await app.current.as(admin).get(`/users/${owner.id}/gpg_keys`);
    expect([status, body, headers['x-total']]).toEqual([200, [key], '1']);
    expect((await app.current.api.get(ofUser())).status).toBe(401);
    expect((await app.current.as(user).get(ofUser())).status).toBe(403);
    const nobody = await app.current.as(admin).get('/users/0/gpg_keys');
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
  });
});

describe('POST /users/:id/gpg_keys', () => {
  it('adds a key to another user, for administrators', async () => {
    const { status, body } = await app.current.as(admin).post(ofUser(), { key: await newKey() });
    expect(status).toBe(201);
    await app.current.as(user).get(`/user/gpg_keys/${body.id}`).expect(200);
    expect((await app.current.api.post(ofUser(), { key: 'x' })).status).toBe(401);
    expect((await app.current.as(user).post(ofUser(), { key: await newKey() })).status).toBe(403);
    const nobody = await app.current.as(admin).post('/users/0/gpg_keys', { key: await newKey() });
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
  });
});

describe.each([
  [
    'DELETE /users/:id/gpg_keys/:key_id',
    [204, {}],
    (id: number, by: { token: string }, owner: BuiltUser) =>
      app.current.as(by).delete(`/users/${owner.id}/gpg_keys/${id}`),
  ],
  [
    'POST /users/:id/gpg_keys/:key_id/revoke',
    [202, { message: '202 Accepted' }],
    (id: number, by: { token: string }, owner: BuiltUser) =>
      app.current.as(by).post(`/users/${owner.id}/gpg_keys/${id}/revoke`),
  ],
])('%s', (_row, success, remove) => {
  it('removes a key of that user, for administrators', async () => {
    const { id } = await added();
    expect((await remove(id, { token: 'unknown' }, user)).status).toBe(401);
    expect((await remove(id, user, user)).status).toBe(403);
    const elsewhere = await remove(id, admin, admin);
    expect([elsewhere.status, elsewhere.body]).toEqual(KEY_NOT_FOUND);
    const nobody = await remove(id, admin, { ...user, id: 0 });
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
    const gone = await remove(id, admin, user);
    expect([gone.status, gone.body]).toEqual(success);
    expect((await app.current.as(user).get(`/user/gpg_keys/${id}`)).status).toBe(404);
  });
});
