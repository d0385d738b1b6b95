import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import { ROOT_TOKEN, useSite, type ServiceNode } from '../../faults/support/site';

/** A whole process starts in here, beside other test files. */
jest.setTimeout(120_000);

const PASSWORD = 'a-very-secret-password-1';
const CHANGED_PASSWORD = 'a-very-secret-password-2';
const WRONG_PASSWORD = 'a-guess-that-is-typed-wrong';

interface Recorded {
  readonly what: string;
  readonly text: string;
}

/** What somebody may learn a secret from: everything the service says after its start. */
class Ears {
  readonly heard: Recorded[] = [];

  constructor(private readonly url: string) {}

  /** The answer is kept, unless it is the one that is to show a secret. */
  async ask(
    method: string,
    to: string,
    options: { body?: object; token?: string; shows?: 'secret'; basic?: string } = {},
  ) {
    const { body, token = ROOT_TOKEN, shows, basic } = options;
    const answer = await fetch(`${this.url}${to}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
      headers: {
        ...(basic === undefined ? { 'private-token': token } : { authorization: `Basic ${btoa(basic)}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const headers = JSON.stringify([...answer.headers]);
    if (shows !== 'secret') this.heard.push({ what: `${method} ${to}`, text: `${headers}\n${text}` });
    return { status: answer.status, text, json: () => JSON.parse(text) };
  }
}

/** Every digest and secret that is stored, as it could be written down. */
async function storedSecrets(site: ReturnType<typeof useSite>): Promise<Map<string, string>> {
  const { rows } = site.current;
  const columns = await rows.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND (column_name LIKE '%digest%' OR column_name LIKE '%secret%')`,
  );
  const found = new Map<string, string>();
  for (const { table_name: table, column_name: column } of columns.rows) {
    const values = await rows.query<{ it: unknown }>(
      `SELECT DISTINCT "${column}" AS it FROM "${table}" WHERE "${column}" IS NOT NULL`,
    );
    for (const { it } of values.rows) {
      const forms = Buffer.isBuffer(it)
        ? [it.toString('hex'), it.toString('base64'), it.toString('base64url'), JSON.stringify([...it])]
        : [String(it)];
      for (const form of forms) if (form.length >= 16) found.set(form, `${table}.${column}`);
    }
  }
  return found;
}

describe('secrets', () => {
  const site = useSite();
  const secrets = new Map<string, string>([
    [PASSWORD, 'a password'],
    [CHANGED_PASSWORD, 'a changed password'],
    [WRONG_PASSWORD, 'a password typed wrong'],
    [ROOT_TOKEN, "root's token"],
  ]);
  let node: ServiceNode;
  let ears: Ears;
  let logStart = 0;
  let userId = 0;

  /** One who gets everything that holds a secret. */
  async function provision(): Promise<void> {
    const api = '/api/v4';
    const account = {
      email: 'secretive@example.com',
      username: 'secretive',
      name: 'S',
      password: PASSWORD,
      skip_confirmation: true,
    };
    const user = await ears.ask('POST', `${api}/users`, { body: account });
    expect(user.status).toBe(201);
    userId = user.json().id;
    for (const kind of ['personal_access_tokens', 'impersonation_tokens']) {
      const token = await ears.ask('POST', `${api}/users/${userId}/${kind}`, {
        body: { name: 't', scopes: ['api', 'read_user'] },
        shows: 'secret',
      });
      secrets.set(token.json().token, kind);
    }
    const application = await ears.ask('POST', `${api}/applications`, {
      body: { name: 'app', redirect_uri: 'https://app.example/callback', scopes: 'api' },
      shows: 'secret',
    });
    expect(application.status).toBe(201);
    const { application_id: clientId, secret } = application.json();
    secrets.set(secret, 'an application secret');
    const grant = {
      grant_type: 'password',
      username: 'secretive',
      client_id: clientId,
      client_secret: secret,
    };
    await ears.ask('POST', '/oauth/token', { body: { ...grant, password: WRONG_PASSWORD } });
    const tokens = await ears.ask('POST', '/oauth/token', {
      body: { ...grant, password: PASSWORD },
      shows: 'secret',
    });
    for (const name of ['access_token', 'refresh_token']) {
      const value: unknown = tokens.json()[name];
      if (typeof value === 'string') secrets.set(value, name);
    }
    expect(tokens.status).toBe(200);
  }

  async function useThem(): Promise<void> {
    const tokens = [...secrets].filter(([, what]) => /token/.test(what)).map(([token]) => token);
    for (const token of tokens) {
      await ears.ask('GET', '/api/v4/user', { token });
      await ears.ask('GET', '/api/v4/users/nobody', { token });
      await ears.ask('POST', '/api/v4/projects', { token, body: { password: PASSWORD, name: '' } });
    }
    for (const password of [PASSWORD, WRONG_PASSWORD, ...tokens])
      await ears.ask('GET', '/secretive/none.git/info/refs?service=git-upload-pack', {
        basic: `secretive:${password}`,
      });
    await ears.ask('POST', '/users/sign_in', { body: { login: 'secretive', password: PASSWORD } });
    await ears.ask('GET', `/api/v4/user?private_token=${ROOT_TOKEN}`, { token: '' });
    await ears.ask('GET', `/api/v4/projects?per_page=1&private_token=${ROOT_TOKEN}`, { token: '' });
    await ears.ask('PUT', `/api/v4/users/${userId}`, {
      body: { password: CHANGED_PASSWORD, email: 'other@example.com' },
    });
    await ears.ask('PUT', `/api/v4/users/${userId}`, {
      body: { password: CHANGED_PASSWORD, bio: 'x'.repeat(300) },
    });
    await ears.ask('POST', '/api/v4/users', {
      body: { password: PASSWORD, email: 'x', username: '', name: '' },
    });
    await ears.ask('POST', `/api/v4/users/${userId}/emails`, { body: { email: 'third@example.com' } });
    await ears.ask('POST', '/api/v4/users', {
      body: { email: 'reset@example.com', username: 'reset', name: 'R', reset_password: true },
    });
  }

  async function lookEverywhere(): Promise<void> {
    const paths = [
      ...['/user', '/users', '/users?with_custom_attributes=true', `/users/${userId}`, '/user/activities'],
      ...['/personal_access_tokens', `/users/${userId}/impersonation_tokens`, '/applications', '/namespaces'],
      ...['/user/emails', `/users/${userId}/emails`, `/users/${userId}/keys`, `/users/${userId}/gpg_keys`],
      ...['/groups', '/groups?statistics=true', '/projects?statistics=true', '/user/status', '/user_counts'],
    ];
    for (const to of paths) expect((await ears.ask('GET', `/api/v4${to}`)).status).toBe(200);
    for (const to of ['/', '/users/sign_in', '/users/password/new', '/-/readiness', '/api/v4/openapi.json'])
      await ears.ask('GET', to);
  }

  /** Links in mails carry secrets of their own. */
  async function readMails(): Promise<void> {
    const folder = path.join(site.current.dataDir, 'mails');
    await until(async () => (await fs.readdir(folder).catch(() => [])).length >= 3);
    for (const name of await fs.readdir(folder)) {
      const text = (await fs.readFile(path.join(folder, name), 'utf8'))
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=');
      for (const [, token = ''] of text.matchAll(/_token=([\w-]{16,})/g))
        secrets.set(token, `a link in ${name}`);
    }
  }

  beforeAll(async () => {
    node = await site.current.start({ LOG_LEVEL: 'debug' });
    // The greeting of a first start tells the first token, as it is to.
    logStart = node.process.output.length;
    ears = new Ears(node.url);
    await provision();
    await useThem();
    await lookEverywhere();
    await readMails();
    // What is written beside the answers has come once a later request is answered and logged.
    await ears.ask('DELETE', `/api/v4/users/${userId}`);
    await until(async () => {
      const { rows } = await site.current.rows.query('SELECT 1 FROM users WHERE id = $1', [userId]);
      return rows.length === 0;
    });
    for (const [form, what] of await storedSecrets(site)) secrets.set(form, what);
  });

  it('were there to be found', () => {
    const kinds = [...secrets.values()];
    for (const kind of [
      'personal_access_tokens',
      'impersonation_tokens',
      'access_token',
      'an application secret',
    ])
      expect(kinds).toContain(kind);
    expect(kinds.some((what) => what.startsWith('a link in'))).toBe(true);
    expect(kinds.some((what) => what === 'users.password_digest')).toBe(true);
    expect(kinds.some((what) => what === 'access_tokens.digest')).toBe(true);
    expect(ears.heard.length).toBeGreaterThan(40);
  });

  it('appear in no answer', () => {
    const leaks = ears.heard.flatMap(({ what, text }) =>
      [...secrets].filter(([secret]) => text.includes(secret)).map(([, name]) => `${what} shows ${name}`),
    );
    expect(leaks).toEqual([]);
  });

  it('appear in no line of the log', () => {
    const log = node.process.output.slice(logStart) + node.process.errors;
    expect(log).toContain('/api/v4/users');
    const leaks = [...secrets].filter(([secret]) => log.includes(secret)).map(([, name]) => name);
    expect(leaks).toEqual([]);
  });
});
