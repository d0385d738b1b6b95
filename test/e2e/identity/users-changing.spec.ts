import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { mailsTo } from '../../support/mailbox';

const app = useApplication({ TIER: 'ultimate' });

let admin: BuiltUser;
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  user = await app.current.build.user();
});

const change = (params: object, id: number | string = user.id, by = admin) =>
  app.current.as(by).put(`/users/${id}`, params);
const column = async (name: string): Promise<unknown> => {
  const { rows } = await app.current.database.query(`SELECT ${name} AS it FROM users WHERE id = $1`, [
    user.id,
  ]);
  return rows[0].it;
};

describe('PUT /users/:id', () => {
  it('changes every field and answers the whole account', async () => {
    const fields = {
      name: 'New Name',
      skype: 's',
      linkedin: 'l',
      twitter: 't',
      website_url: 'https://example.com',
      organization: 'Org',
      projects_limit: 7,
      bio: 'Bio',
      location: 'Here',
      can_create_group: false,
      private_profile: true,
      shared_runners_minutes_limit: 10,
      extra_shared_runners_minutes_limit: 5,
      note: 'A note',
    };
    const { status, body } = await change({
      ...fields,
      public_email: user.email,
      admin: true,
      extern_uid: `uid-${user.id}`,
      provider: 'ldapmain',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...fields,
      id: user.id,
      username: user.username,
      email: user.email,
      public_email: user.email,
      is_admin: true,
      identities: [{ provider: 'ldapmain', extern_uid: `uid-${user.id}` }],
    });
    const shown = await app.current.as(admin).get(`/users/${user.id}`);
    expect(shown.body).toMatchObject({ ...fields, is_admin: true });
    const namespace = await app.current.as(admin).get(`/namespaces/${user.namespaceId}`);
    expect(namespace.body).toMatchObject({ name: 'New Name', path: user.username });
  });

  it('clears texts and limits', async () => {
    await change({ bio: 'Bio', note: 'n', shared_runners_minutes_limit: 3 }).expect(200);
    const { body } = await change({ bio: '', note: null, shared_runners_minutes_limit: null }).expect(200);
    expect(body).toMatchObject({ bio: '', note: null, shared_runners_minutes_limit: null });
  });

  it('takes no parameters at all, and one that stays as it is', async () => {
    expect((await change({})).status).toBe(200);
    expect((await change({ username: user.username, email: user.email })).body).toMatchObject({
      username: user.username,
      email: user.email,
    });
    expect(await column('unconfirmed_email')).toBeNull();
  });

  it('keeps the old e-mail until the new one is confirmed by mail', async () => {
    const email = `new-${user.email}`;
    const { status, body } = await change({ email });
    expect([status, body.email]).toEqual([200, user.email]);
    expect(await column('unconfirmed_email')).toBe(email);
    expect(await mailsTo(app.current, email)).toEqual([expect.stringContaining('confirmation_token=')]);
  });

  it('changes the e-mail at once with skip_reconfirmation, and a public e-mail does not stay behind', async () => {
    await change({ public_email: user.email }).expect(200);
    const email = `new-${user.email}`;
    const { body } = await change({ email, skip_reconfirmation: true });
    expect(body).toMatchObject({ email, public_email: '', confirmed_at: expect.any(String) });
    expect(await column('unconfirmed_email')).toBeNull();
  });

  it('forces a new password at the next sign-in and ends all sessions', async () => {
    const session = await app.current.build.token(user, [], { kind: 'session' });
    const visit = () => app.current.api.with({ cookie: `_service_session=${session}` }).get('/user');
    expect((await visit()).status).toBe(200);
    await change({ password: 'another password' }).expect(200);
    expect(await column('password_expires_at')).toBeInstanceOf(Date);
    expect(await column('password_digest')).toMatch(/^\$argon2id\$/);
    expect((await visit()).status).toBe(401);
  });

  it('does not expire the password that administrators give themselves', async () => {
    await change({ password: 'my own password' }, admin.id).expect(200);
    const { rows } = await app.current.database.query('SELECT password_expires_at FROM users WHERE id = $1', [
      admin.id,
    ]);
    expect(rows[0].password_expires_at).toBeNull();
  });

  it('moves the namespace and the routes of all projects with the username, and frees the old one', async () => {
    const project = await app.current.build.project({ owner: user, path: 'mine', files: { a: 'a' } });
    const other = await app.current.build.project({ visibility: 'public' });
    const username = `renamed-${user.id}`;
    expect((await change({ username })).body).toMatchObject({
      username,
      web_url: `http://service.test/${username}`,
    });
    const api = app.current.as(user);
    expect((await api.get(`/projects/${username}%2Fmine`)).body).toMatchObject({
      id: project.id,
      path_with_namespace: `${username}/mine`,
      name_with_namespace: expect.stringContaining('/ mine'),
    });
    const formerly = await api.get(`/projects/${user.username}%2Fmine`);
    expect(formerly.body.path_with_namespace).toBe(`${username}/mine`);
    expect((await api.get(`/projects/${username}%2Fmine/repository/files/a/raw?ref=master`)).text).toBe('a');
    expect((await api.get(`/projects/${encodeURIComponent(other.fullPath)}`)).status).toBe(200);
    expect((await api.get(`/namespaces/${username}`)).body).toMatchObject({ id: user.namespaceId });
    await app.current.build.group({ path: user.username });
  });

  it('takes a rename that changes letter case alone', async () => {
    const username = user.username.toUpperCase();
    expect((await change({ username })).body.username).toBe(username);
  });

  it('answers 404 to a taken e-mail or username in any letter case, also to the path of a group', async () => {
    const other = await app.current.build.user();
    const group = await app.current.build.group();
    for (const taken of [
      { email: other.email.toUpperCase() },
      { username: other.username.toUpperCase() },
      { username: group.fullPath },
    ]) {
      const { status, body } = await change(taken);
      expect([status, body.message]).toEqual([404, expect.stringMatching(/has already been taken$/)]);
    }
  });

  it('lets one of several win who want the same name at once', async () => {
    const users = await Promise.all([1, 2, 3].map(() => app.current.build.user()));
    const username = `wanted-${user.id}`;
    const answers = await Promise.all(users.map(({ id }) => change({ username }, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const { rows } = await app.current.database.query(
      `SELECT u.username, r.path FROM users u JOIN namespaces n ON n.owner_id = u.id JOIN routes r ON r.namespace_id = n.id
       WHERE u.id = ANY($1)`,
      [users.map(({ id }) => id)],
    );
    expect(rows.every(({ username: name, path }) => name === path)).toBe(true);
  });

  const FORMAT =
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
  it.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ bio: 'x'.repeat(256) }, { bio: ['is too long (maximum is 255 characters)'] }],
    [{ projects_limit: -1 }, { projects_limit: ['must be greater than or equal to 0'] }],
    [{ email: 'nowhere' }, { email: ['is invalid'] }],
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ username: 'admin' }, { username: ['is a reserved name'] }],
    [{ username: '../../etc' }, { username: [FORMAT] }],
    [{ public_email: 'other@example.com' }, { public_email: ['is not an email you own'] }],
  ])('refuses %j and changes nothing', async (wrong, message) => {
    const { status, body } = await change({ location: 'Elsewhere', ...wrong });
    expect([status, body]).toEqual([400, { message }]);
    expect(await column('location')).toBeNull();
  });

  it('answers 400 to values of the wrong type, also on identity fields', async () => {
    for (const wrong of [
      { email: ['a@b.c', 'd@e.f'] },
      { username: { a: 'b' } },
      { admin: 'maybe' },
      { extern_uid: 'x' },
      { provider: 'x' },
      { group_id_for_saml: 1 },
      { avatar: 'no file' },
    ])
      expect((await change(wrong)).status).toBe(400);
  });

  it('updates the identity of a provider, adds one of another, and refuses one that is taken', async () => {
    const identities = async (params: object) => (await change(params)).body.identities;
    expect(await identities({ provider: 'saml', extern_uid: `a${user.id}` })).toEqual([
      { provider: 'saml', extern_uid: `a${user.id}` },
    ]);
    expect(await identities({ provider: 'saml', extern_uid: `b${user.id}` })).toEqual([
      { provider: 'saml', extern_uid: `b${user.id}` },
    ]);
    expect(await identities({ provider: 'ldapmain', extern_uid: `c${user.id}` })).toHaveLength(2);
    const other = await app.current.build.user();
    const { status, body } = await change({ provider: 'saml', extern_uid: `B${user.id}` }, other.id);
    expect([status, body]).toEqual([400, { message: { extern_uid: ['has already been taken'] } }]);
  });

  it("ties an identity to a group's single sign-on", async () => {
    const group = await app.current.build.group();
    const saml = { provider: 'group_saml', extern_uid: 'me' };
    const without = await change({ ...saml, group_id_for_saml: group.id });
    expect([without.status, without.body]).toEqual([404, { message: '404 SAML Provider Not Found' }]);
    const { rows } = await app.current.database.query(
      'INSERT INTO saml_providers (id, group_id) VALUES (4711, $1) RETURNING id',
      [group.id],
    );
    expect(rows).toHaveLength(1);
    const { body } = await change({ ...saml, group_id_for_saml: group.id });
    expect(body.identities).toEqual([{ ...saml, saml_provider_id: 4711 }]);
    const again = await change({ ...saml, extern_uid: 'myself', group_id_for_saml: group.id });
    expect(again.body.identities).toEqual([{ ...saml, extern_uid: 'myself', saml_provider_id: 4711 }]);
    const unknown = await change({ ...saml, group_id_for_saml: 2_000_000_000 });
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 Group Not Found' }]);
  });

  it('takes groups and projects away from who becomes external, and gives them back', async () => {
    expect((await change({ external: true })).body).toMatchObject({
      external: true,
      can_create_group: false,
      projects_limit: 0,
    });
    expect((await change({ external: false, projects_limit: 3 })).body).toMatchObject({
      external: false,
      can_create_group: true,
      projects_limit: 3,
    });
  });

  it('makes administrators and normal users of each other, but keeps the last administrator', async () => {
    await app.current.database.query('UPDATE users SET is_admin = false WHERE id <> $1', [admin.id]);
    await change({ admin: true }).expect(200);
    expect((await app.current.as(user).get(`/users/${admin.id}`)).body.is_admin).toBe(true);
    await change({ admin: false }).expect(200);
    expect((await app.current.as(user).put(`/users/${admin.id}`, { bio: 'x' })).status).toBe(403);
    const last = await change({ admin: false }, admin.id);
    expect([last.status, last.body.message]).toEqual([
      403,
      '403 Forbidden - The last administrator must remain one',
    ]);
  });

  it('is for administrators, upon somebody who is there', async () => {
    expect((await app.current.api.put(`/users/${user.id}`, {})).status).toBe(401);
    expect((await change({ admin: true }, user.id, user)).status).toBe(403);
    for (const id of ['0', '2000000000', 'nobody', '-1']) {
      const { status, body } = await change({ bio: 'x' }, id);
      expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
    }
  });

  it('ignores what is no parameter', async () => {
    await change({ id: 1, state: 'blocked', kind: 'ghost', confirmed_at: null, pending_delete: true }).expect(
      200,
    );
    expect((await app.current.as(admin).get(`/users/${user.id}`)).body).toMatchObject({
      id: user.id,
      state: 'active',
    });
  });
});

describe('POST /users, by mail', () => {
  const newcomer = () => ({
    email: `mail-${user.id}@example.com`,
    username: `mail-${user.id}`,
    name: 'M',
  });

  it('asks to confirm the e-mail, unless skip_confirmation says that it is', async () => {
    const params = newcomer();
    await app.current
      .as(admin)
      .post('/users', { ...params, password: 'long enough' })
      .expect(201);
    expect(await mailsTo(app.current, params.email)).toEqual([
      expect.stringContaining('confirmation_token='),
    ]);
  });

  it('lets the newcomer choose a password with reset_password', async () => {
    const params = { ...newcomer(), reset_password: true, skip_confirmation: true };
    await app.current.as(admin).post('/users', params).expect(201);
    expect(await mailsTo(app.current, params.email)).toEqual([
      expect.stringContaining('reset_password_token='),
    ]);
  });
});
