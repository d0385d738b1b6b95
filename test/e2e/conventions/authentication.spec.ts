import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const UNAUTHORIZED = { message: '401 Unauthorized' };

describe('authentication', () => {
  let user: BuiltUser;
  let project: BuiltProject;
  let file: string;

  beforeAll(async () => {
    user = await app.current.build.user();
    project = await app.current.build.project({ owner: user, files: { README: 'hello' } });
    file = `/projects/${project.id}/repository/files/README?ref=master`;
  });

  describe('takes a personal access token', () => {
    it('from the Private-Token header', async () => {
      expect((await app.current.api.with({ 'Private-Token': user.token }).get(file)).status).toBe(200);
    });

    it('from the private_token parameter', async () => {
      expect((await app.current.api.get(`${file}&private_token=${user.token}`)).status).toBe(200);
    });

    it('as a bearer token', async () => {
      expect((await app.current.api.with({ Authorization: `Bearer ${user.token}` }).get(file)).status).toBe(
        200,
      );
    });

    it('from the access_token parameter', async () => {
      expect((await app.current.api.get(`${file}&access_token=${user.token}`)).status).toBe(200);
    });

    it('from a body parameter of a write', async () => {
      const answer = await app.current.api.post(`/projects/${project.id}/repository/files/by-body`, {
        private_token: user.token,
        branch: 'master',
        content: 'x',
        commit_message: 'by body',
      });
      expect(answer.status).toBe(201);
    });
  });

  it.each(['impersonation', 'oauth'] as const)('takes an %s token like a personal one', async (kind) => {
    const token = await app.current.build.token(user, ['api'], { kind });
    expect((await app.current.as({ token }).get(file)).status).toBe(200);
    expect((await app.current.api.with({ Authorization: `Bearer ${token}` }).get(file)).status).toBe(200);
  });

  it('refuses a wrong token even where anonymous callers are welcome', async () => {
    const open = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
    const path = `/projects/${open.id}/repository/files/README?ref=master`;
    expect((await app.current.api.get(path)).status).toBe(200);
    const wrong = { token: 'no-such-token-at-all' };
    for (const client of [
      app.current.as(wrong),
      app.current.api.with({ Authorization: `Bearer ${wrong.token}` }),
    ]) {
      const answer = await client.get(path);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(UNAUTHORIZED);
    }
  });

  it('refuses two bearer tokens at once instead of choosing one', async () => {
    const answer = await app.current.api
      .with({ Authorization: `Bearer ${user.token}` })
      .get(`${file}&access_token=${user.token}`);
    expect(answer.status).toBe(401);
  });

  it.each(['private_token[]', 'private_token[a]', 'access_token[]', 'access_token[a]', 'job_token[]'])(
    'refuses %s: no token, but no anonymous call either',
    async (name) => {
      const open = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
      const path = `/projects/${open.id}/repository/files/README?ref=master`;
      const answer = await app.current.api.get(`${path}&${name}=${user.token}`);
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      const besides = await app.current.as(user).get(`${path}&private_token[]=x`);
      expect(besides.status).toBe(401);
    },
  );

  it('takes the last of a parameter given more than once', async () => {
    for (const name of ['private_token', 'access_token']) {
      const lastIsGood = await app.current.api.get(`${file}&${name}=wrong&${name}=${user.token}`);
      expect(lastIsGood.status).toBe(200);
      const lastIsWrong = await app.current.api.get(`${file}&${name}=${user.token}&${name}=wrong`);
      expect(lastIsWrong.status).toBe(401);
    }
  });

  it('refuses a token in a JSON body that is no text', async () => {
    const path = `/projects/${project.id}/repository/commits`;
    for (const token of [{ private_token: ['x'] }, { private_token: 1 }, { access_token: 0 }]) {
      expect((await app.current.as(user).post(path, token)).status).toBe(401);
    }
  });

  it('says that a token has expired', async () => {
    const token = await app.current.build.token(user, ['api'], { expiresAt: new Date(Date.now() - 1000) });
    const answer = await app.current.as({ token }).get(file);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: 'invalid_token',
      error_description: 'Token is expired. You can either do re-authorization or token refresh.',
    });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
  });

  it('says that a token was revoked', async () => {
    const token = await app.current.build.token(user, ['api'], { revokedAt: new Date() });
    const answer = await app.current.as({ token }).get(file);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: 'invalid_token',
      error_description: 'Token was revoked. You have to re-authorize from the user.',
    });
  });

  it('tells a blocked user so', async () => {
    const blocked = await app.current.build.user({ blocked: true });
    const answer = await app.current.as(blocked).get(file);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ message: '403 Forbidden - Your account has been blocked.' });
  });

  it('keeps only the digest of a token', async () => {
    const { rows } = await app.current.database.query<{ row: string }>(
      'SELECT t::text AS row FROM access_tokens t',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(user.token))).toEqual([]);
  });

  it('notes when a token was used', async () => {
    const token = await app.current.build.token(user, ['api']);
    const lastUse = async () => {
      const { rows } = await app.current.database.query<{ last_used_at: Date | null }>(
        `SELECT last_used_at FROM access_tokens WHERE digest = sha256($1::text::bytea)`,
        [token],
      );
      return rows[0]?.last_used_at ?? null;
    };
    expect(await lastUse()).toBeNull();
    await app.current.as({ token }).get(file);
    for (let attempt = 0; attempt < 100 && (await lastUse()) === null; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await lastUse()).toBeInstanceOf(Date);
  });

  describe('by session cookie', () => {
    const csrfToken = 'a csrf token';
    let cookie: string;
    beforeAll(async () => {
      cookie = `other=1; _service_session=${await app.current.build.token(user, [], { kind: 'session', csrfToken })}`;
    });
    const write = { branch: 'master', content: 'x', commit_message: 'by session' };

    it('reads without a CSRF token', async () => {
      expect((await app.current.api.with({ Cookie: cookie }).get(file)).status).toBe(200);
    });

    it('counts as anonymous for a write without one, or with a wrong one', async () => {
      const path = `/projects/${project.id}/statuses/master`;
      const anonymous = await app.current.api.with({ Cookie: cookie }).post(path, { state: 'success' });
      expect(anonymous.status).toBe(401);
      const wrong = await app.current.api
        .with({ Cookie: cookie, 'X-CSRF-Token': 'wrong' })
        .post(path, { state: 'success' });
      expect(wrong.status).toBe(401);
    });

    it('writes with the right one', async () => {
      const answer = await app.current.api
        .with({ Cookie: cookie, 'X-CSRF-Token': csrfToken })
        .post(`/projects/${project.id}/repository/files/by-session`, write);
      expect(answer.status).toBe(201);
    });

    it('counts a stale or unknown cookie as anonymous', async () => {
      const answer = await app.current.api.with({ Cookie: '_service_session=unknown' }).get(file);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: '404 Project Not Found' });
    });
  });

  it('accepts CI job tokens only where an endpoint says so', async () => {
    const token = await app.current.build.token(user, [], { kind: 'job' });
    const answer = await app.current.api.with({ 'Job-Token': token }).get(file);
    expect(answer.status).toBe(401);
  });

  it('does not take a session or a job token for a personal one', async () => {
    for (const kind of ['session', 'job'] as const) {
      const token = await app.current.build.token(user, ['api'], { kind });
      expect((await app.current.as({ token }).get(file)).status).toBe(401);
    }
  });
});

describe('scopes', () => {
  it.each([
    ['api', 200, 200, 201],
    ['read_api', 200, 200, 403],
    ['read_repository', 200, 403, 403],
    ['write_repository', 403, 403, 403],
    ['read_user', 403, 403, 403],
    ['sudo', 403, 403, 403],
  ] as const)('%s: files %i, other reads %i, writes %i', async (scope, files, reads, writes) => {
    const user = await app.current.build.user();
    const project = await app.current.build.project({ owner: user, files: { README: 'x' } });
    const token = await app.current.build.token(user, [scope]);
    const api = app.current.as({ token });
    const root = `/projects/${project.id}/repository`;
    expect((await api.get(`${root}/files/README?ref=master`)).status).toBe(files);
    expect((await api.get(`${root}/commits`)).status).toBe(reads);
    const body = { branch: 'master', content: 'x', commit_message: 'm' };
    expect((await api.post(`${root}/files/new`, body)).status).toBe(writes);
  });

  it('names the scopes that would do', async () => {
    const user = await app.current.build.user({ scopes: ['read_user'] });
    const project = await app.current.build.project({ owner: user });
    const answer = await app.current.as(user).post(`/projects/${project.id}/repository/commits`, {});
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api',
    });
  });
});

describe('sudo', () => {
  let admin: BuiltUser;
  let other: BuiltUser;
  let sudo: string;
  let theirs: BuiltProject;
  const read = () => `/projects/${theirs.id}/repository/commits`;

  beforeAll(async () => {
    admin = await app.current.build.user({ admin: true });
    other = await app.current.build.user({ username: 'Mixed.Case' });
    theirs = await app.current.build.project({ owner: other, files: { README: 'x' } });
    sudo = await app.current.build.token(admin, ['api', 'sudo']);
  });

  it('refuses in this order: no token, no administrator, a cookie, no scope, nobody of that name', async () => {
    const nobody = await app.current.api.with({ Sudo: other.username }).get('/projects/0/repository/commits');
    expect([nobody.status, nobody.body]).toEqual([401, UNAUTHORIZED]);
    const stale = await app.current.api
      .with({ Sudo: other.username, Cookie: '_service_session=unknown' })
      .get(read());
    expect(stale.status).toBe(401);
    const wrong = await app.current.api.with({ Sudo: other.username, 'Private-Token': 'wrong' }).get(read());
    expect(wrong.status).toBe(401);

    const notAdmin = await app.current.as(other).with({ Sudo: admin.username }).get(read());
    expect([notAdmin.status, notAdmin.body]).toEqual([
      403,
      { message: '403 Forbidden - Must be admin to use sudo' },
    ]);

    const session = await app.current.build.token(admin, [], { kind: 'session' });
    const cookie = await app.current.api
      .with({ Cookie: `_service_session=${session}`, Sudo: other.username })
      .get(read());
    expect([cookie.status, cookie.body]).toEqual([
      403,
      {
        message: '403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo',
      },
    ]);

    const noScope = await app.current.as(admin).with({ Sudo: other.username }).get(read());
    expect(noScope.status).toBe(403);
    expect(noScope.body).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' });

    const unknown = await app.current.as({ token: sudo }).with({ Sudo: 'nonexistent' }).get(read());
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { message: "404 User with ID or username 'nonexistent' Not Found" },
    ]);
  });

  it('acts as the user named by header or parameter, by id or by username in any letter case', async () => {
    const outsider = await app.current.build.user();
    const asOther = app.current.as({ token: sudo });
    expect((await asOther.with({ Sudo: 'mixed.CASE' }).get(read())).status).toBe(200);
    expect((await asOther.with({ Sudo: String(other.id) }).get(read())).status).toBe(200);
    expect((await asOther.get(`${read()}?sudo=${other.id}`)).status).toBe(200);
    expect((await asOther.with({ Sudo: outsider.username }).get(read())).status).toBe(404);
    const parameterWins = await asOther
      .with({ Sudo: outsider.username })
      .get(`${read()}?sudo=${other.username}`);
    expect(parameterWins.status).toBe(200);
  });

  it('works with the sudo scope alone, but only together with sudo', async () => {
    const token = await app.current.build.token(admin, ['sudo']);
    expect((await app.current.as({ token }).with({ Sudo: other.username }).get(read())).status).toBe(200);
    expect((await app.current.as({ token }).get(read())).status).toBe(403);
  });

  it('writes under the name of the other user', async () => {
    const answer = await app.current
      .as({ token: sudo })
      .with({ Sudo: other.username })
      .post(`/projects/${theirs.id}/repository/commits`, {
        branch: 'master',
        commit_message: 'by sudo',
        actions: [{ action: 'create', file_path: 'sudo', content: 'x' }],
      });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ author_email: other.email, committer_name: other.name });
  });

  it('does not act as somebody who is blocked', async () => {
    const blocked = await app.current.build.user({ blocked: true });
    expect((await app.current.as({ token: sudo }).with({ Sudo: blocked.username }).get(read())).status).toBe(
      403,
    );
  });
});

describe('an operator who disables impersonation', () => {
  const strict = useApplication({ IMPERSONATION_ENABLED: 'false' });

  it('has impersonation tokens refused, and no others', async () => {
    const user = await strict.current.build.user();
    const project = await strict.current.build.project({ owner: user, files: { README: 'x' } });
    const file = `/projects/${project.id}/repository/files/README?ref=master`;
    const token = await strict.current.build.token(user, ['api'], { kind: 'impersonation' });
    const refused = await strict.current.as({ token }).get(file);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({
      error: 'invalid_token',
      error_description: 'Token is an impersonation token but impersonation was disabled.',
    });
    expect((await strict.current.as(user).get(file)).status).toBe(200);
  });
});
