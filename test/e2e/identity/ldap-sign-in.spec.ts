import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { PasswordLogins } from '../../../src/identity/identity.api';
import { startApplication, type TestApplication } from '../../support/application';
import { DIRECTORY_CERTIFICATE, DIRECTORY_KEY } from '../../support/directory-certificate';
import { BASE, DirectoryServer } from '../../support/directory-server';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  while (running.length > 0) await running.pop()?.();
});

async function startDirectory(options: { secure?: boolean } = {}): Promise<DirectoryServer> {
  const directory = await DirectoryServer.start(options);
  running.push(() => directory.stop());
  return directory;
}

async function startService(providers: Readonly<Record<string, object>>): Promise<TestApplication> {
  const app = await startApplication({ LDAP_CONFIG: JSON.stringify(providers), LDAP_SYNC_MINUTES: '10080' });
  running.push(app.close);
  return app;
}

/** A service with one directory. */
async function start(fields: object) {
  const directory = await startDirectory();
  const app = await startService({ ldapmain: directory.provider(fields) });
  return { directory, app };
}

/** One with the usual settings, for all tests that need no others: without people. */
let usual: { readonly directory: DirectoryServer; readonly app: TestApplication };
beforeAll(async () => {
  usual = await start({});
  running.length = 0;
});
afterAll(async () => {
  await usual.app.close();
  await usual.directory.stop();
});
async function empty() {
  usual.directory.clear();
  await usual.app.database.query('DELETE FROM users; DELETE FROM sign_in_failures');
  return usual;
}

const outcome = (app: TestApplication, login: string, password: string) =>
  app.nest.get(PasswordLogins).signIn(login, password, '127.0.0.1');

async function signedIn(app: TestApplication, login: string, password: string): Promise<number | null> {
  const told = await outcome(app, login, password);
  return 'user' in told ? told.user.id : null;
}

async function only<T extends object>(
  app: TestApplication,
  text: string,
  values: unknown[] = [],
): Promise<T> {
  const { rows } = await app.database.query<T>(text, values);
  expect(rows).toHaveLength(1);
  return rows[0] ?? Promise.reject(new Error('one row was expected'));
}

const INVALID = { refused: 'invalid' };

describe('signing in by a directory', () => {
  it('opens an account at the first time, and finds it the next time', async () => {
    const { directory, app } = await empty();
    directory.person('Grace.Hopper', { cn: ['Grace Hopper'], mail: ['grace@corp.example'] });
    const id = await signedIn(app, 'Grace.Hopper', 'Grace.Hopper-password');
    expect(await signedIn(app, 'grace.hopper', 'Grace.Hopper-password')).toBe(id);
    expect(await signedIn(app, 'grace@corp.example', 'Grace.Hopper-password')).toBe(id);
    const admin = await app.build.user({ admin: true });
    const { body } = await app.as(admin).get(`/users/${id}`);
    expect(body).toMatchObject({
      username: 'Grace.Hopper',
      name: 'Grace Hopper',
      email: 'grace@corp.example',
      state: 'active',
      is_admin: false,
      identities: [{ provider: 'ldapmain', extern_uid: `uid=grace.hopper,ou=people,${BASE}` }],
    });
    expect(body.confirmed_at).not.toBeNull();
  });

  it('works for git and for the password grant of OAuth alike', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    const id = await signedIn(app, 'grace', 'grace-password');
    const { username } = await only<{ username: string }>(app, 'SELECT username FROM users WHERE id = $1', [
      id,
    ]);
    const owner = { id: Number(id), username, name: '', email: '', token: '', namespaceId: 0 };
    const { id: namespaceId } = await only<{ id: number }>(
      app,
      'SELECT id FROM namespaces WHERE owner_id = $1',
      [id],
    );
    const project = await app.build.project({ owner: { ...owner, namespaceId }, files: { a: 'b' } });
    const fetch_ = (password: string) =>
      fetch(`${app.url}/${project.fullPath}.git/info/refs?service=git-upload-pack`, {
        headers: { authorization: `Basic ${Buffer.from(`grace:${password}`).toString('base64')}` },
      });
    expect((await fetch_('grace-password')).status).toBe(200);
    expect((await fetch_('wrong')).status).toBe(401);
    const grant = (password: string) =>
      fetch(`${app.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', username: 'grace', password }),
      });
    const answer = await grant('grace-password');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ token_type: 'bearer' });
    expect((await grant('wrong')).status).not.toBe(200);
  });

  it('refuses wrong passwords, empty and overlong ones', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    directory.person('ada');
    await signedIn(app, 'ada', 'ada-password');
    for (const password of ['wrong', '', ' ', 'grace-password ', 'x'.repeat(2000), 'grace-password\0']) {
      expect(await outcome(app, 'grace', password)).toEqual(INVALID);
      expect(await outcome(app, 'ada', password.replace('grace', 'ada'))).toEqual(INVALID);
    }
    expect(directory.binds).toHaveLength(7);
    expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
  });

  it('takes a login for a name and nothing else', async () => {
    const { directory, app } = await start({ userFilter: '(objectClass=inetOrgPerson)' });
    directory.person('grace');
    const hostile = [
      '*',
      'gr*',
      'grace)(uid=*',
      '*)(|(uid=*',
      'grace\\2a',
      'grace\0',
      '\\',
      '(',
      'nobody',
      ' ',
    ];
    for (const login of [...hostile, `uid=grace,ou=people,${BASE}`, 'g'.repeat(10_000)])
      expect(await outcome(app, login, 'grace-password')).toEqual(INVALID);
    expect(directory.searches.filter((filter) => filter.includes('(uid='))).toHaveLength(hostile.length);
    expect(directory.binds).toEqual([]);
  });

  it('finds names with special characters', async () => {
    const { directory, app } = await empty();
    directory.person('a*(b)', { mail: ['special@corp.example'] });
    expect(await signedIn(app, 'a*(b)', 'a*(b)-password')).not.toBeNull();
    expect(directory.searches.at(-1)).toContain('a\\2a\\28b\\29');
  });

  it('keeps out whom the filter keeps out, also later', async () => {
    const { directory, app } = await start({ userFilter: '(employeeType=staff)' });
    directory.person('guest');
    directory.person('grace', { employeeType: ['staff'] });
    expect(await outcome(app, 'guest', 'guest-password')).toEqual(INVALID);
    expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
    directory.person('grace', { employeeType: ['former'] });
    expect(await outcome(app, 'grace', 'grace-password')).toEqual(INVALID);
  });

  it('keeps out whom Active Directory has disabled', async () => {
    const { directory, app } = await empty();
    directory.person('grace', { userAccountControl: ['514'] });
    expect(await outcome(app, 'grace', 'grace-password')).toEqual(INVALID);
  });

  it('knows no local password for an account of a directory', async () => {
    const { directory, app } = await empty();
    const dn = directory.person('grace');
    const id = await signedIn(app, 'grace', 'grace-password');
    const admin = await app.build.user({ admin: true });
    expect((await app.as(admin).put(`/users/${id}`, { password: 'a local password' })).status).toBe(200);
    expect(await outcome(app, 'grace', 'a local password')).toEqual(INVALID);
    expect(await signedIn(app, 'grace', 'grace-password')).toBe(id);
    expect(
      (
        await only<{ on: Date | null }>(app, 'SELECT password_expires_at AS on FROM users WHERE id = $1', [
          id,
        ])
      ).on,
    ).toBeNull();
    directory.remove(dn);
    expect(await outcome(app, 'grace', 'a local password')).toEqual(INVALID);
  });

  it('takes new names and e-mails over', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    const id = await signedIn(app, 'grace', 'grace-password');
    directory.person('grace', { cn: ['Grace Brewster'], mail: ['new@corp.example'] });
    await signedIn(app, 'grace', 'grace-password');
    const user = await only(app, 'SELECT name, email FROM users WHERE id = $1', [id]);
    expect(user).toEqual({ name: 'Grace Brewster', email: 'new@corp.example' });
  });

  it('keeps the old e-mail where the new one belongs to somebody else', async () => {
    const { directory, app } = await empty();
    const other = await app.build.user();
    directory.person('grace');
    const id = await signedIn(app, 'grace', 'grace-password');
    directory.person('grace', { mail: [other.email] });
    expect(await signedIn(app, 'grace', 'grace-password')).toBe(id);
    expect(await only(app, 'SELECT email FROM users WHERE id = $1', [id])).toEqual({
      email: 'grace@corp.example',
    });
  });

  it('never takes over a local account: not by its name, nor by its e-mail', async () => {
    const { directory, app } = await empty();
    const local = await app.build.user({ username: 'grace' });
    directory.person('grace', { mail: ['other@corp.example'] });
    directory.person('ada', { mail: [local.email] });
    expect(await outcome(app, 'grace', 'grace-password')).toEqual(INVALID);
    expect(await outcome(app, 'ada', 'ada-password')).toEqual(INVALID);
    expect(directory.binds).toEqual([`uid=ada,ou=people,${BASE}`]);
  });

  it('lets administrators tie an account to the directory, by any spelling of the name', async () => {
    const { directory, app } = await empty();
    const local = await app.build.user({ username: 'grace' });
    const admin = await app.build.user({ admin: true });
    directory.person('hopper', { mail: [local.email] });
    const tie = { provider: 'ldapmain', extern_uid: `UID=Hopper, OU=People, ${BASE}` };
    expect((await app.as(admin).put(`/users/${local.id}`, tie)).status).toBe(200);
    expect(await signedIn(app, 'grace', 'hopper-password')).toBe(local.id);
    expect(await signedIn(app, 'hopper', 'hopper-password')).toBe(local.id);
    const identity = await only(app, 'SELECT extern_uid FROM identities WHERE user_id = $1', [local.id]);
    expect(identity).toEqual({ extern_uid: `uid=hopper,ou=people,${BASE}` });
  });

  it('links by a confirmed e-mail where the operator says so', async () => {
    const { directory, app } = await start({ autoLinkUsers: true });
    const local = await app.build.user({ username: 'grace' });
    const squatter = await app.build.user();
    await app.database.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [squatter.id]);
    directory.person('hopper', { mail: [local.email.toUpperCase()] });
    directory.person('victim', { mail: [squatter.email] });
    directory.person('second', { mail: [local.email] });
    expect(await signedIn(app, 'hopper', 'hopper-password')).toBe(local.id);
    expect(await outcome(app, 'victim', 'victim-password')).toEqual(INVALID);
    expect(await outcome(app, 'second', 'second-password')).toEqual(INVALID);
    expect(await signedIn(app, 'grace', 'hopper-password')).toBe(local.id);
  });

  it('gives a free name where the name is taken, reserved or none', async () => {
    const { directory, app } = await start({ allowUsernameOrEmailLogin: true });
    await app.build.user({ username: 'grace' });
    await app.build.group({ path: 'team' });
    for (const uid of ['grace', 'team', 'admin', 'jörg müller'])
      directory.person(uid, { mail: [`address-of-${[...uid][0]}@corp.example`] });
    const username = async (login: string, password: string) => {
      const id = await signedIn(app, login, password);
      return (await only<{ username: string }>(app, 'SELECT username FROM users WHERE id = $1', [id]))
        .username;
    };
    expect(await username('grace@corp.example', 'grace-password')).toBe('grace1');
    expect(await username('team', 'team-password')).toBe('team1');
    expect(await username('admin', 'admin-password')).toBe('admin1');
    expect(await username('jörg müller', 'jörg müller-password')).toBe('jorg_muller');
  });

  it('needs an e-mail, and only one person of a name', async () => {
    const { directory, app } = await empty();
    directory.person('grace', { mail: [] });
    directory.person('one', { uid: ['one', 'twin'] });
    directory.person('two', { uid: ['two', 'twin'] });
    expect(await outcome(app, 'grace', 'grace-password')).toEqual(INVALID);
    expect(await outcome(app, 'twin', 'one-password')).toEqual(INVALID);
    expect(await signedIn(app, 'one', 'one-password')).not.toBeNull();
  });

  it('opens one account for a person who signs in many times at once', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    const other = await app.startAnother();
    const all = await Promise.all(
      [app, other, app, other, app, other].map((node) => signedIn(node, 'grace', 'grace-password')),
    );
    expect(new Set(all).size).toBe(1);
    expect(all[0]).not.toBeNull();
    await only(app, `SELECT id FROM users WHERE email = 'grace@corp.example'`);
  });

  it('can leave the first word to an administrator', async () => {
    const { directory, app } = await start({ blockAutoCreatedUsers: true });
    directory.person('grace');
    expect(await outcome(app, 'grace', 'grace-password')).toEqual({ refused: 'blocked' });
    const { id } = await only<{ id: number }>(app, `SELECT id FROM users WHERE username = 'grace'`);
    const admin = await app.build.user({ admin: true });
    expect((await app.as(admin).post(`/users/${id}/unblock`)).status).toBe(201);
    expect(await signedIn(app, 'grace', 'grace-password')).toBe(Number(id));
  });

  it('does not let administrators blocked people in', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    const id = await signedIn(app, 'grace', 'grace-password');
    await app.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [id]);
    expect(await outcome(app, 'grace', 'grace-password')).toEqual({ refused: 'blocked' });
  });

  it('asks no more after ten failures', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    await signedIn(app, 'grace', 'grace-password');
    const before = directory.binds.length;
    for (let count = 0; count < 10; count++) await outcome(app, 'grace', `wrong ${count}`);
    expect(directory.binds.length - before).toBe(10);
    expect(await outcome(app, 'grace', 'grace-password')).toEqual({ refused: 'locked' });
    await Promise.all(Array.from({ length: 5 }, () => outcome(app, 'grace', 'grace-password')));
    expect(directory.binds.length - before).toBe(10);
  });

  it('asks nobody about local accounts', async () => {
    const { directory, app } = await empty();
    const admin = await app.build.user({ admin: true });
    const person = {
      username: 'local',
      email: 'local@example.com',
      name: 'Local',
      password: 'a local password',
    };
    expect((await app.as(admin).post('/users', { ...person, skip_confirmation: true })).status).toBe(201);
    await directory.stop();
    expect(await signedIn(app, 'local', 'a local password')).not.toBeNull();
    expect(await outcome(app, 'local', 'wrong')).toEqual(INVALID);
    await directory.resume();
  });

  describe('by several directories', () => {
    it('asks them in their order, and keeps the one that has the person', async () => {
      const [first, second] = [await startDirectory(), await startDirectory()];
      const app = await startService({ ldapone: first.provider(), ldaptwo: second.provider() });
      first.person('both', { mail: ['first@corp.example'] });
      second.person('both', { mail: ['second@corp.example'] });
      second.person('grace');
      const id = await signedIn(app, 'both', 'both-password');
      expect(await only(app, 'SELECT provider FROM identities WHERE user_id = $1', [id])).toEqual({
        provider: 'ldapone',
      });
      expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
      expect(second.binds).toEqual([`uid=grace,ou=people,${BASE}`]);
    });

    it('goes on where one is down', async () => {
      const [first, second] = [await startDirectory(), await startDirectory()];
      const app = await startService({ ldapone: first.provider(), ldaptwo: second.provider() });
      second.person('grace');
      await first.stop();
      expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
      await expect(outcome(app, 'nobody', 'password')).rejects.toThrow('unavailable');
    });
  });
});

describe('passwords on their way', () => {
  const trusting = { verifyCertificates: false };

  it('go through TLS, to a directory whose certificate is trusted', async () => {
    const directory = await startDirectory({ secure: true });
    directory.person('grace');
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'ldap-ca-'));
    running.push(() => fs.rm(folder, { recursive: true }));
    const caFile = path.join(folder, 'ca.pem');
    await fs.writeFile(caFile, DIRECTORY_CERTIFICATE);
    const app = await startService({ ldapmain: directory.provider({ tls: { caFile } }) });
    expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
  });

  it('do not go to one whose certificate is not', async () => {
    const directory = await startDirectory({ secure: true });
    directory.person('grace');
    const app = await startService({ ldapmain: directory.provider() });
    await expect(outcome(app, 'grace', 'grace-password')).rejects.toThrow('unavailable');
    expect(directory.searches).toEqual([]);
  });

  it('go through StartTLS', async () => {
    const directory = await startDirectory();
    directory.person('grace');
    const { port } = await startTlsGate(directory);
    const fields = { url: `ldap://localhost:${port}`, encryption: 'start_tls', tls: trusting };
    const app = await startService({ ldapmain: directory.provider(fields) });
    expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
  });

  it('do not go through a StartTLS whose certificate is not trusted, or that is refused', async () => {
    const directory = await startDirectory();
    directory.person('grace');
    const [distrusted, refusing] = [
      await startTlsGate(directory),
      await startTlsGate(directory, { refusing: true }),
    ];
    for (const { port, received } of [distrusted, refusing]) {
      const fields = { url: `ldap://localhost:${port}`, encryption: 'start_tls' };
      const app = await startService({ ldapmain: directory.provider(fields) });
      await expect(outcome(app, 'grace', 'grace-password')).rejects.toThrow('unavailable');
      expect(received.join('')).not.toContain('password');
    }
    expect(directory.searches).toEqual([]);
  });
});

describe('a directory that is not there', () => {
  it('is no reason to accept or refuse a password: 503', async () => {
    const { directory, app } = await empty();
    directory.person('grace');
    await signedIn(app, 'grace', 'grace-password');
    await directory.stop();
    await expect(outcome(app, 'grace', 'grace-password')).rejects.toThrow('unavailable');
    await directory.resume();
    expect(await signedIn(app, 'grace', 'grace-password')).not.toBeNull();
  });

  it('is waited for no longer than its timeout', async () => {
    const { directory, app } = await start({ timeoutSeconds: 0.2 });
    directory.isHanging = true;
    await expect(outcome(app, 'grace', 'grace-password')).rejects.toThrow('unavailable');
  });
});

/** Upgrades what it gets by StartTLS and passes it on; `refusing` says no, as somebody in between would. */
async function startTlsGate(directory: DirectoryServer, { refusing = false } = {}) {
  const received: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => received.push(data.toString('latin1')));
    socket.once('data', (request) => {
      const messageId = request.subarray(4, 5);
      const code = refusing ? 52 : 0;
      socket.write(Buffer.from([0x30, 0x0c, 2, 1, ...messageId, 0x78, 7, 0x0a, 1, code, 4, 0, 4, 0]));
      if (refusing) return;
      const secure = new tls.TLSSocket(socket, {
        isServer: true,
        cert: DIRECTORY_CERTIFICATE,
        key: DIRECTORY_KEY,
      });
      const inner = net.connect(directory.listeningPort, '127.0.0.1');
      secure.on('error', () => inner.destroy());
      inner.on('error', () => secure.destroy());
      secure.pipe(inner).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => new Promise((resolve) => void server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, received };
}
