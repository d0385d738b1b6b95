import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

const BASIC = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'];
const PROFILE = [
  'bio',
  'linkedin',
  'location',
  'organization',
  'public_email',
  'skype',
  'twitter',
  'website_url',
];
const ACCOUNT = [
  ...[
    'can_create_group',
    'can_create_project',
    'color_scheme_id',
    'confirmed_at',
    'current_sign_in_at',
    'email',
  ],
  ...['external', 'extra_shared_runners_minutes_limit', 'identities', 'last_activity_on', 'last_sign_in_at'],
  ...['private_profile', 'projects_limit', 'shared_runners_minutes_limit', 'theme_id', 'two_factor_enabled'],
];
const sorted = (...names: string[]): string[] => [...names].sort();

let admin: BuiltUser;
let user: BuiltUser;
let counter = 0;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
});

/** Parameters of a user nobody has yet. */
const newcomer = (more: object = {}) => {
  counter += 1;
  const username = `newcomer${counter}`;
  return {
    email: `${username}@example.com`,
    username,
    name: 'New Comer',
    password: 'correct horse',
    ...more,
  };
};
const create = (params: object, by = admin) => app.current.as(by).post('/users', params);

describe('POST /users', () => {
  it('creates an account with all its fields, its namespace and its route', async () => {
    const params = newcomer({
      skype: 's',
      linkedin: 'l',
      twitter: 't',
      website_url: 'https://example.com',
      organization: 'Org',
      projects_limit: 7,
      extern_uid: 'uid-1',
      provider: 'ldapmain',
      bio: 'Bio',
      location: 'Here',
      admin: false,
      can_create_group: 'false',
      skip_confirmation: '1',
      private_profile: true,
      shared_runners_minutes_limit: 10,
      extra_shared_runners_minutes_limit: 5,
    });
    const { status, body } = await create({ ...params, public_email: params.email });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      username: params.username,
      name: 'New Comer',
      state: 'active',
      avatar_url: null,
      web_url: `http://service.test/${params.username}`,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      bio: 'Bio',
      location: 'Here',
      public_email: params.email,
      skype: 's',
      linkedin: 'l',
      twitter: 't',
      website_url: 'https://example.com',
      organization: 'Org',
      email: params.email,
      is_admin: false,
      last_sign_in_at: null,
      current_sign_in_at: null,
      confirmed_at: expect.any(String),
      last_activity_on: null,
      theme_id: 1,
      color_scheme_id: 1,
      projects_limit: 7,
      identities: [{ provider: 'ldapmain', extern_uid: 'uid-1' }],
      can_create_group: false,
      can_create_project: true,
      two_factor_enabled: false,
      external: false,
      private_profile: true,
      shared_runners_minutes_limit: 10,
      extra_shared_runners_minutes_limit: 5,
      note: null,
    });
    const namespace = await app.current.as(admin).get(`/namespaces/${params.username}`);
    expect(namespace.body).toMatchObject({ kind: 'user', full_path: params.username, name: 'New Comer' });
  });

  it('keeps the password as an argon2id digest', async () => {
    const params = newcomer();
    const { body } = await create(params);
    const { rows } = await app.current.database.query('SELECT password_digest FROM users WHERE id = $1', [
      body.id,
    ]);
    expect(rows[0].password_digest).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(body)).not.toContain('argon2');
  });

  it('leaves the e-mail unconfirmed by default and defaults the rest', async () => {
    const { body } = await create(newcomer());
    expect(body).toMatchObject({
      confirmed_at: null,
      is_admin: false,
      can_create_group: true,
      projects_limit: 100000,
    });
  });

  it('gives external users neither groups nor projects', async () => {
    const { body } = await create(newcomer({ external: true, can_create_group: true, projects_limit: 5 }));
    expect(body).toMatchObject({
      external: true,
      can_create_group: false,
      projects_limit: 0,
      can_create_project: false,
    });
  });

  it.each(['reset_password', 'force_random_password'])('needs no password with %s', async (flag) => {
    const { status } = await create(newcomer({ password: undefined, [flag]: true }));
    expect(status).toBe(201);
  });

  it('takes a random password before a given one', async () => {
    const params = newcomer({ force_random_password: true, password: 'x' });
    expect((await create(params)).status).toBe(201);
  });

  it('asks for one of the three ways to a password', async () => {
    const none = await create(newcomer({ password: undefined }));
    expect([none.status, none.body.error]).toEqual([
      400,
      'password, reset_password, force_random_password are missing, at least one parameter must be provided',
    ]);
    const refused = await create(newcomer({ password: undefined, reset_password: false }));
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: '400 (Bad request) "password" not given' },
    ]);
  });

  it.each(['email', 'username', 'name'])('requires %s', async (name) => {
    const { status, body } = await create(newcomer({ [name]: undefined }));
    expect([status, body]).toEqual([400, { message: `400 (Bad request) "${name}" not given` }]);
  });

  const FORMAT =
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
  it.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ password: 'x'.repeat(129) }, { password: ['is too long (maximum is 128 characters)'] }],
    [{ bio: 'x'.repeat(256) }, { bio: ['is too long (maximum is 255 characters)'] }],
    [{ projects_limit: -1 }, { projects_limit: ['must be greater than or equal to 0'] }],
    [{ email: 'nowhere' }, { email: ['is invalid'] }],
    [{ email: 'a@b\r\nBcc: c@d' }, { email: ['is invalid'] }],
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ username: 'API' }, { username: ['is a reserved name'] }],
    [{ username: '-dash' }, { username: [FORMAT] }],
    [{ username: '..' }, { username: [FORMAT] }],
    [{ username: '../../etc' }, { username: [FORMAT] }],
    [{ username: 'name.git' }, { username: [FORMAT] }],
    [{ username: 'a b' }, { username: [FORMAT] }],
    [{ public_email: 'other@example.com' }, { public_email: ['is not an email you own'] }],
    [
      { bio: 'x'.repeat(256), projects_limit: -1 },
      { bio: expect.any(Array), projects_limit: expect.any(Array) },
    ],
  ])('refuses %j', async (wrong, message) => {
    const { status, body } = await create(newcomer(wrong));
    expect([status, body]).toEqual([400, { message }]);
  });

  it('answers 400 to values of the wrong type, also on identity fields', async () => {
    for (const wrong of [
      { email: ['a@b.c', 'd@e.f'] },
      { email: { 0: 'a@b.c' } },
      { admin: 'maybe' },
      { projects_limit: 'x' },
    ]) {
      expect((await create(newcomer(wrong))).status).toBe(400);
    }
    expect((await create(newcomer({ extern_uid: 'x' }))).body.error).toContain(
      'provide all or none of parameters',
    );
  });

  it('answers 409 to a taken e-mail or username in any letter case, also to the path of a group', async () => {
    const email = await create(newcomer({ email: user.email.toUpperCase() }));
    expect([email.status, email.body]).toEqual([409, { message: 'Email has already been taken' }]);
    const username = await create(newcomer({ username: user.username.toUpperCase() }));
    expect([username.status, username.body]).toEqual([409, { message: 'Username has already been taken' }]);
    const group = await app.current.build.group();
    expect((await create(newcomer({ username: group.fullPath }))).status).toBe(409);
  });

  it('answers 400 to an identity that is taken', async () => {
    const identity = { provider: 'saml', extern_uid: 'same' };
    expect((await create(newcomer(identity))).status).toBe(201);
    const again = await create(newcomer(identity));
    expect([again.status, again.body]).toEqual([
      400,
      { message: { extern_uid: ['has already been taken'] } },
    ]);
  });

  it('lets one of two simultaneous requests win and leaves nothing of the other', async () => {
    const params = newcomer();
    const answers = await Promise.all([create(params), create(params), create(params)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { rows } = await app.current.database.query('SELECT 1 FROM namespaces WHERE path = $1', [
      params.username,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('ignores what is no parameter', async () => {
    const { body } = await create(
      newcomer({ id: 1, state: 'blocked', is_admin: true, created_at: '2001-01-01' }),
    );
    expect(body).toMatchObject({ state: 'active', is_admin: false });
    expect(body.id).not.toBe(1);
  });

  it('is for administrators: 401, then 400, then 403', async () => {
    expect((await app.current.api.post('/users', {})).status).toBe(401);
    expect((await create({}, user)).status).toBe(400);
    const refused = await create(newcomer(), user);
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
  });
});

describe('GET /users/:id', () => {
  it('shows the profile to anybody', async () => {
    const { status, body } = await app.current.api.get(`/users/${user.id}`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(sorted(...BASIC, ...PROFILE, 'created_at'));
    expect(body).toMatchObject({
      id: user.id,
      username: user.username,
      web_url: `http://service.test/${user.username}`,
    });
  });

  it('shows the account and the highest role to administrators', async () => {
    await app.current.build.group({ members: { maintainer: user } });
    const { body } = await app.current.as(admin).get(`/users/${user.id}`);
    expect(Object.keys(body).sort()).toEqual(
      sorted(...BASIC, ...PROFILE, ...ACCOUNT, 'created_at', 'is_admin', 'note', 'highest_role'),
    );
    expect(body).toMatchObject({ highest_role: 40, email: user.email });
  });

  it('hides the creation time of a private profile from others', async () => {
    const hidden = await app.current.build.user();
    await app.current.database.query('UPDATE users SET private_profile = true WHERE id = $1', [hidden.id]);
    expect((await app.current.as(user).get(`/users/${hidden.id}`)).body).not.toHaveProperty('created_at');
    expect((await app.current.as(hidden).get(`/users/${hidden.id}`)).body).toHaveProperty('created_at');
    expect((await app.current.as(admin).get(`/users/${hidden.id}`)).body).toHaveProperty('created_at');
  });

  it('answers 404 to unknown and unreadable ids', async () => {
    for (const id of ['0', '999999999', 'abc', '1e3', '99999999999999999999', user.username]) {
      const { status, body } = await app.current.api.get(`/users/${id}`);
      expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
    }
  });

  it('takes HEAD and a .json suffix', async () => {
    expect((await app.current.api.head(`/users/${user.id}`)).status).toBe(200);
    expect((await app.current.api.get(`/users/${user.id}.json`)).body.id).toBe(user.id);
  });

  it('shows a blocked user as blocked', async () => {
    const blocked = await app.current.build.user({ blocked: true });
    expect((await app.current.api.get(`/users/${blocked.id}`)).body.state).toBe('blocked');
  });
});

describe('GET /user', () => {
  it('shows the caller their account without what is for administrators', async () => {
    const { body } = await app.current.as(user).get('/user');
    expect(Object.keys(body).sort()).toEqual(sorted(...BASIC, ...PROFILE, ...ACCOUNT, 'created_at'));
    expect(body.email).toBe(user.email);
  });

  it('tells administrators that they are', async () => {
    expect((await app.current.as(admin).get('/user')).body).toMatchObject({ is_admin: true, note: null });
  });

  it('shows the target of sudo, as the target would see it', async () => {
    const token = await app.current.build.token(admin, ['api', 'sudo']);
    const { body } = await app.current.as({ token }).get(`/user?sudo=${user.username.toUpperCase()}`);
    expect(body.id).toBe(user.id);
    expect(body).not.toHaveProperty('is_admin');
  });

  it('takes the scope read_user, and no other narrow one', async () => {
    const reader = await app.current.build.token(user, ['read_user']);
    expect((await app.current.as({ token: reader }).get('/user')).status).toBe(200);
    const other = await app.current.build.token(user, ['read_repository']);
    expect((await app.current.as({ token: other }).get('/user')).body).toMatchObject({
      error: 'insufficient_scope',
    });
  });

  it('asks anonymous callers to sign in', async () => {
    expect((await app.current.api.get('/user')).status).toBe(401);
  });
});
