import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OutgoingMails } from '../../support/outgoing-mails';
import { newSshKey } from '../../support/ssh-keys';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let mails: OutgoingMails;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
  mails = OutgoingMails.of(app.current);
});

const TAKEN = { fingerprint: ['has already been taken'], key: ['has already been taken'] };
const MALFORMED = { key: ['is invalid'], fingerprint: ['cannot be generated'] };
const KEY_NOT_FOUND = [404, { message: '404 Key Not Found' }];
const USER_NOT_FOUND = [404, { message: '404 User Not Found' }];

const add = (params: object, by = user) => app.current.as(by).post('/user/keys', params);

async function addedKey(by = user): Promise<{ id: number; key: string }> {
  const { body } = await add({ title: 'laptop', key: newSshKey() }, by).expect(201);
  return body;
}

describe('POST /user/keys', () => {
  it('adds a key, its fields in the order of the specification', async () => {
    const key = `${newSshKey()} ann@laptop`;
    const { status, body } = await add({ title: 'laptop', key: `${key}\n` });
    expect(status).toBe(201);
    expect(Object.entries(body)).toEqual([
      ['id', expect.any(Number)],
      ['title', 'laptop'],
      ['key', key],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)],
    ]);
  });

  it('tells the owner by mail', async () => {
    const owner = await app.current.build.user();
    await add({ title: 'from afar', key: newSshKey() }, owner).expect(201);
    expect(mails.to(owner.email)).toEqual([
      {
        to: owner.email,
        subject: 'SSH key was added to your account',
        text: expect.stringMatching(/Title: from afar\nFingerprint: SHA256:[\w+/]{43}/),
      },
    ]);
  });

  it.each([
    [{ key: 'ssh-rsa AAAA' }, { message: '400 (Bad request) "title" not given' }],
    [{ title: 'x' }, { message: '400 (Bad request) "key" not given' }],
    [{ title: 'x', key: 'ssh-rsa nonsense' }, { message: MALFORMED }],
    [{ title: 'x', key: '' }, { message: MALFORMED }],
    [{ title: ' ', key: 'no' }, { message: { title: ["can't be blank"], ...MALFORMED } }],
    [{ title: 'x', key: ['a', 'b'] }, { error: 'key is invalid' }],
    [{ title: { a: 'b' }, key: 'x' }, { error: 'title is invalid' }],
    [{ title: 'x', key: 'ssh-rsa \0' }, { message: '400 Bad request - null byte' }],
  ])('refuses %j', async (params, body) => {
    const answer = await add(params);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  it('refuses a title of more than 255 characters', async () => {
    const { status, body } = await add({ title: 'x'.repeat(256), key: newSshKey() });
    expect([status, body]).toEqual([
      400,
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ]);
    await add({ title: 'x'.repeat(255), key: newSshKey() }).expect(201);
  });

  it('refuses weak keys', async () => {
    const short = await add({ title: 'x', key: newSshKey('rsa', 1024) });
    expect([short.status, short.body]).toEqual([400, { message: { key: ['must be at least 2048 bits'] } }]);
    const dsa = await add({ title: 'x', key: newSshKey('dsa') });
    expect(dsa.body.message.key).toEqual(['type is forbidden. Must be RSA, ECDSA, or ED25519']);
  });

  it('refuses a key that anybody has, whatever its comment', async () => {
    const { key } = await addedKey();
    for (const by of [user, await app.current.build.user()]) {
      const { status, body } = await add({ title: 'other', key: `${key} other comment` }, by);
      expect([status, body]).toEqual([400, { message: TAKEN }]);
    }
  });

  it('gives a key to one of those who send it at the same time', async () => {
    const key = newSshKey();
    const others = [user, await app.current.build.user(), await app.current.build.user()];
    const answers = await Promise.all(others.map((by) => add({ title: 'race', key }, by)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({ message: TAKEN });
  });

  it('ends at some number of keys', async () => {
    const owner = await app.current.build.user();
    await app.current.database.query(
      `INSERT INTO ssh_keys (user_id, title, key, fingerprint)
       SELECT $1, 'x', 'x', decode(md5(i::text), 'hex') FROM generate_series(1, 200) i`,
      [owner.id],
    );
    const { status, body } = await add({ title: 'x', key: newSshKey() }, owner);
    expect([status, body]).toEqual([
      400,
      { message: { base: ['Maximum number of SSH keys (200) exceeded'] } },
    ]);
  });

  it('is for those who are signed in, with a scope that writes', async () => {
    expect((await app.current.api.post('/user/keys', {})).status).toBe(401);
    const reader = await app.current.build.user({ scopes: ['read_user'] });
    expect((await add({ title: 'x', key: newSshKey() }, reader)).status).toBe(403);
  });
});

describe('GET /user/keys', () => {
  it('lists one’s own, in pages, the oldest first', async () => {
    const owner = await app.current.build.user();
    const [first, second] = [await addedKey(owner), await addedKey(owner)];
    const all = await app.current.as(owner).get('/user/keys');
    expect([all.status, all.body]).toEqual([200, [first, second]]);
    const page = await app.current.as(owner).get('/user/keys?per_page=1&page=2');
    expect(page.body).toEqual([second]);
    expect(page.headers).toMatchObject({ 'x-total': '2', 'x-prev-page': '1', 'x-next-page': '' });
    const head = await app.current.as(owner).head('/user/keys');
    expect([head.status, head.headers['x-total'], head.text]).toEqual([200, '2', undefined]);
  });

  it('may be read with read_user, never anonymously', async () => {
    const reader = await app.current.build.user({ scopes: ['read_user'] });
    expect((await app.current.as(reader).get('/user/keys')).body).toEqual([]);
    expect((await app.current.api.get('/user/keys')).status).toBe(401);
    const files = await app.current.build.user({ scopes: ['read_repository'] });
    expect((await app.current.as(files).get('/user/keys')).status).toBe(403);
  });
});

describe('GET /user/keys/:key_id', () => {
  it('shows one’s own alone', async () => {
    const key = await addedKey();
    expect((await app.current.as(user).get(`/user/keys/${key.id}`)).body).toEqual(key);
    for (const other of [await app.current.build.user(), admin]) {
      const { status, body } = await app.current.as(other).get(`/user/keys/${key.id}`);
      expect([status, body]).toEqual(KEY_NOT_FOUND);
    }
    expect((await app.current.api.get(`/user/keys/${key.id}`)).status).toBe(401);
  });

  it('finds nothing for ids that are none', async () => {
    expect((await app.current.as(user).get('/user/keys/0')).status).toBe(404);
    expect((await app.current.as(user).get('/user/keys/9007199254740991')).status).toBe(404);
    expect((await app.current.as(user).get('/user/keys/abc')).body).toEqual({ error: 'key_id is invalid' });
  });
});

describe('DELETE /user/keys/:key_id', () => {
  it('removes for good, so that the key can be added again', async () => {
    const { id, key } = await addedKey();
    const gone = await app.current.as(user).delete(`/user/keys/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    const again = await app.current.as(user).delete(`/user/keys/${id}`);
    expect([again.status, again.body]).toEqual(KEY_NOT_FOUND);
    await add({ title: 'again', key }).expect(201);
  });

  it('touches no key of others', async () => {
    const { id } = await addedKey();
    const stranger = await app.current.build.user();
    const { status, body } = await app.current.as(stranger).delete(`/user/keys/${id}`);
    expect([status, body]).toEqual(KEY_NOT_FOUND);
    expect((await app.current.api.delete(`/user/keys/${id}`)).status).toBe(401);
    await app.current.as(user).get(`/user/keys/${id}`).expect(200);
  });

  it('keeps a key that has changed since', async () => {
    const { id } = await addedKey();
    const since = new Date(Date.now() - 86_400_000).toUTCString();
    const stale = await app.current
      .as(user)
      .with({ 'If-Unmodified-Since': since })
      .delete(`/user/keys/${id}`);
    expect([stale.status, stale.body]).toEqual([412, { message: '412 Precondition Failed' }]);
    await app.current
      .as(user)
      .with({ 'If-Unmodified-Since': new Date(Date.now() + 86_400_000).toUTCString() })
      .delete(`/user/keys/${id}`)
      .expect(204);
  });
});

describe('GET /users/:id/keys', () => {
  it('shows everybody’s keys to everybody', async () => {
    const owner = await app.current.build.user();
    const key = await addedKey(owner);
    for (const api of [app.current.api, app.current.as(user), app.current.as(admin)]) {
      const { status, body, headers } = await api.get(`/users/${owner.id}/keys`);
      expect([status, body, headers['x-total']]).toEqual([200, [key], '1']);
    }
  });

  it('knows nobody by another name', async () => {
    for (const id of ['0', '999999999', 'abc', user.username]) {
      const { status, body } = await app.current.api.get(`/users/${id}/keys`);
      expect([status, body]).toEqual(USER_NOT_FOUND);
    }
  });
});

describe('POST /users/:id/keys', () => {
  it('adds a key to another user, for administrators', async () => {
    const key = newSshKey();
    const { status, body } = await app.current
      .as(admin)
      .post(`/users/${user.id}/keys`, { title: 'given', key });
    expect([status, body.key]).toEqual([201, key]);
    await app.current.as(user).get(`/user/keys/${body.id}`).expect(200);
  });

  it('looks at the parameters before it looks for the user', async () => {
    const path = '/users/0/keys';
    expect((await app.current.as(admin).post(path, { title: 'x' })).body).toEqual({
      message: '400 (Bad request) "key" not given',
    });
    const { status, body } = await app.current.as(admin).post(path, { title: 'x', key: newSshKey() });
    expect([status, body]).toEqual(USER_NOT_FOUND);
  });

  it('is refused to everybody else', async () => {
    const params = { title: 'x', key: newSshKey() };
    expect((await app.current.api.post(`/users/${user.id}/keys`, params)).status).toBe(401);
    expect((await app.current.as(user).post(`/users/${user.id}/keys`, params)).status).toBe(403);
  });
});

describe('DELETE /users/:id/keys/:key_id', () => {
  it('removes a key of that user, for administrators', async () => {
    const { id } = await addedKey();
    const path = `/users/${user.id}/keys/${id}`;
    expect((await app.current.api.delete(path)).status).toBe(401);
    expect((await app.current.as(user).delete(path)).status).toBe(403);
    const other = await app.current.as(admin).delete(`/users/${admin.id}/keys/${id}`);
    expect([other.status, other.body]).toEqual(KEY_NOT_FOUND);
    const nobody = await app.current.as(admin).delete(`/users/0/keys/${id}`);
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
    await app.current.as(admin).delete(path).expect(204);
    expect((await app.current.as(admin).delete(path)).status).toBe(404);
  });
});

describe('GET /keys/:id', () => {
  it('tells administrators whose a key is', async () => {
    const key = await addedKey();
    const { status, body } = await app.current.as(admin).get(`/keys/${key.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...key, user: { id: user.id, username: user.username, email: user.email } });
    expect((await app.current.as(admin).get('/keys/0')).status).toBe(404);
  });

  it('is for them alone', async () => {
    const { id } = await addedKey();
    expect((await app.current.api.get(`/keys/${id}`)).status).toBe(401);
    expect((await app.current.as(user).get(`/keys/${id}`)).status).toBe(403);
  });
});
