import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let alice: BuiltUser;
let bob: BuiltUser;
let blocked: BuiltUser;

beforeAll(async () => {
  const { build, database } = app.current;
  admin = await build.user({ username: 'zadmin', admin: true });
  alice = await build.user({ username: 'Alice' });
  bob = await build.user({ username: 'bob_100%' });
  await build.user({ username: 'external', external: true });
  blocked = await build.user({ username: 'blocked', blocked: true });
  await database.query(
    `UPDATE users SET two_factor_enabled = true, created_at = '2020-01-01' WHERE id = $1`,
    [bob.id],
  );
  await database.query(
    `INSERT INTO identities (user_id, provider, extern_uid) VALUES ($1, 'ldapmain', 'CN=Alice')`,
    [alice.id],
  );
});

const names = async (query: string, by: BuiltUser | null): Promise<string[]> => {
  const api = by ? app.current.as(by) : app.current.api;
  const { status, body } = await api.get(`/users?${query}`);
  expect(status).toBe(200);
  return body.map((user: { username: string }) => user.username);
};

describe('GET /users', () => {
  it('shows normal callers six fields of everybody but external users, newest first', async () => {
    const { body } = await app.current.as(alice).get('/users');
    expect(body.map((user: { id: number }) => user.id)).toEqual([blocked.id, bob.id, alice.id, admin.id]);
    expect(body[1]).toEqual({
      id: bob.id,
      username: bob.username,
      name: bob.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://service.test/${bob.username}`,
    });
  });

  it('shows administrators everybody with their accounts', async () => {
    const { body } = await app.current.as(admin).get('/users');
    expect(body).toHaveLength(5);
    expect(body[3]).toMatchObject({
      email: alice.email,
      is_admin: false,
      identities: [{ provider: 'ldapmain', extern_uid: 'CN=Alice' }],
    });
  });

  it('lets anonymous callers look one username up, and no more', async () => {
    const { status, body } = await app.current.api.get('/users');
    expect([status, body]).toEqual([
      403,
      { message: '403 Forbidden - Not authorized to access /api/v4/users' },
    ]);
    expect(await names('username=ALICE', null)).toEqual(['Alice']);
    expect(await names('username=nobody', null)).toEqual([]);
    // Or it would tell whose e-mail it is.
    for (const email of [alice.email, 'other@example.com'])
      expect(await names(`username=alice&search=${email}`, null)).toEqual(['Alice']);
  });

  it('searches names and usernames by part and e-mails as a whole', async () => {
    expect(await names('search=LIC', alice)).toEqual(['Alice']);
    expect(await names('search=name%20of%20al', alice)).toEqual(['Alice']);
    expect(await names(`search=${alice.email.toUpperCase()}`, alice)).toEqual(['Alice']);
    expect(await names('search=example.com', alice)).toEqual([]);
  });

  it('takes wildcards of a search as they are', async () => {
    expect(await names('search=%25', alice)).toEqual(['bob_100%']);
    expect(await names('search=_', alice)).toEqual(['bob_100%']);
    expect(await names('search=%5C', alice)).toEqual([]);
  });

  it('filters by state', async () => {
    expect(await names('active=true', alice)).toEqual(['bob_100%', 'Alice', 'zadmin']);
    expect(await names('blocked=true', alice)).toEqual(['blocked']);
    expect(await names('blocked=true&active=true', alice)).toEqual([]);
  });

  it('narrows by what is for administrators', async () => {
    expect(await names('external=true', admin)).toEqual(['external']);
    expect(await names('extern_uid=cn=alice&provider=ldapmain', admin)).toEqual(['Alice']);
    expect(await names('two_factor=enabled', admin)).toEqual(['bob_100%']);
    expect(await names('two_factor=disabled', admin)).toHaveLength(4);
    expect(await names('created_before=2020-06-01T00:00:00Z', admin)).toEqual(['bob_100%']);
    expect(await names('created_after=2020-06-01T00:00:00Z', admin)).toHaveLength(4);
  });

  it('orders for administrators, and ignores the wish of others', async () => {
    expect((await names('order_by=created_at&sort=asc', admin))[0]).toBe('bob_100%');
    expect((await names('order_by=id&sort=asc', admin))[0]).toBe('zadmin');
    expect((await names('order_by=updated_at', admin)).length).toBe(5);
    expect((await names('order_by=name', admin))[0]).toBe('zadmin');
    expect((await names('order_by=id&sort=asc&created_before=2000-01-01&two_factor=enabled', alice))[0]).toBe(
      'blocked',
    );
  });

  it('refuses narrowing by external or identity to others', async () => {
    for (const query of ['external=true', 'extern_uid=x&provider=y']) {
      expect((await app.current.as(alice).get(`/users?${query}`)).status).toBe(403);
      expect((await app.current.api.get(`/users?username=alice&${query}`)).status).toBe(401);
    }
  });

  it('answers 400 to values it does not know', async () => {
    for (const query of [
      'order_by=email',
      'sort=up',
      'two_factor=maybe',
      'created_after=soon',
      'active=perhaps',
    ]) {
      expect((await app.current.as(alice).get(`/users?${query}`)).status).toBe(400);
    }
    const { body } = await app.current.as(admin).get('/users?extern_uid=x');
    expect(body.error).toContain('provide all or none of parameters');
  });

  it('comes in pages, with the same headers for HEAD', async () => {
    const page = await app.current.as(alice).get('/users?per_page=3&page=2');
    expect(page.body.map((user: { id: number }) => user.id)).toEqual([admin.id]);
    expect(page.headers).toMatchObject({
      'x-total': '4',
      'x-total-pages': '2',
      'x-page': '2',
      'x-prev-page': '1',
    });
    const head = await app.current.as(alice).head('/users?per_page=3&page=2');
    expect(head.headers['x-total']).toBe('4');
    expect(head.headers['link']).toBe(page.headers['link']);
  });
});
