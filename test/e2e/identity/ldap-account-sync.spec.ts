import { PasswordLogins } from '../../../src/identity/identity.api';
import { SyncDirectories } from '../../../src/identity/ldap/directory-sync.job';
import { startApplication, type TestApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { knownPerson, membersOf } from '../../support/directory-people';
import { DirectoryServer } from '../../support/directory-server';

let first: DirectoryServer;
let second: DirectoryServer;
let app: TestApplication;
let admin: BuiltUser;

beforeAll(async () => {
  first = await DirectoryServer.start();
  second = await DirectoryServer.start();
  const groups = { adminGroup: 'admins', externalGroups: ['partners', 'guests'] };
  const config = {
    ldapmain: first.provider({ timeoutSeconds: 1, maxEntries: 1_000, ...groups }),
    ldapother: second.provider({ timeoutSeconds: 1 }),
  };
  app = await startApplication({ LDAP_CONFIG: JSON.stringify(config), LDAP_SYNC_MINUTES: '10080' });
});
afterAll(async () => {
  await app.close();
  await first.stop();
  await second.stop();
});
beforeEach(async () => {
  for (const directory of [first, second]) {
    directory.clear();
    directory.person('somebody');
  }
  for (const cn of ['admins', 'partners', 'guests']) first.group(cn, []);
  await app.database.query('DELETE FROM users; DELETE FROM namespaces');
  admin = await app.build.user({ admin: true });
});

const run = (node = app): Promise<void> =>
  node.nest
    .get(SyncDirectories)
    .run({}, { id: '', attempt: 1, isLastAttempt: true, signal: new AbortController().signal });

async function column<T>(user: { id: number }, name: string): Promise<T> {
  const { rows } = await app.database.query(`SELECT ${name} AS value FROM users WHERE id = $1`, [user.id]);
  return rows[0].value;
}
const state = (user: { id: number }): Promise<string> => column(user, 'state');

describe('the recurring comparison with directories', () => {
  it('blocks who has left, at once everywhere, and lets them in again when they are back', async () => {
    const [stays, leaves] = [await knownPerson(app, first, 'stays'), await knownPerson(app, first, 'leaves')];
    const other = await app.startAnother();
    await run();
    expect(await state(leaves)).toBe('active');
    first.remove(leaves.dn);
    await run();
    expect([await state(stays), await state(leaves)]).toEqual(['active', 'ldap_blocked']);
    expect((await other.as(leaves).get('/user')).status).toBe(403);
    expect((await app.as(admin).post(`/users/${leaves.id}/unblock`)).status).toBe(403);
    first.person('leaves');
    await run();
    expect(await state(leaves)).toBe('active');
    expect((await other.as(leaves).get('/user')).status).toBe(200);
  });

  it('blocks whom Active Directory has disabled', async () => {
    const user = await knownPerson(app, first, 'disabled');
    first.person('disabled', { userAccountControl: ['514'] });
    await run();
    expect(await state(user)).toBe('ldap_blocked');
  });

  it('leaves administrators their own decision, and local accounts alone', async () => {
    const blocked = await knownPerson(app, first, 'blocked');
    const local = await app.build.user();
    await app.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [blocked.id]);
    await run();
    expect([await state(blocked), await state(local)]).toEqual(['blocked', 'active']);
  });

  it('blocks no administrator where nobody else could unblock them', async () => {
    const gone = await knownPerson(app, first, 'gone');
    await app.database.query('UPDATE users SET is_admin = (id = $1)', [gone.id]);
    first.remove(gone.dn);
    await run();
    expect(await state(gone)).toBe('active');
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [admin.id]);
    await run();
    expect(await state(gone)).toBe('ldap_blocked');
  });

  it('blocks somebody of two directories only when neither has them', async () => {
    const user = await knownPerson(app, first, 'both');
    const dn = second.person('both');
    await app.database.query(
      `INSERT INTO identities (user_id, provider, extern_uid) VALUES ($1, 'ldapother', $2)`,
      [user.id, dn],
    );
    first.remove(user.dn);
    await run();
    expect(await state(user)).toBe('active');
    second.remove(dn);
    await run();
    expect(await state(user)).toBe('ldap_blocked');
  });

  it('takes names and e-mails over', async () => {
    const user = await knownPerson(app, first, 'renamed');
    first.person('renamed', { cn: ['Somebody New'], mail: ['new@corp.example'] });
    await run();
    expect([await column(user, 'name'), await column(user, 'email')]).toEqual([
      'Somebody New',
      'new@corp.example',
    ]);
    const { body: namespace } = await app.as(admin).get(`/namespaces/${user.namespaceId}`);
    expect(namespace.name).toBe('Somebody New');
  });

  it('reads directories in pages', async () => {
    const user = await knownPerson(app, first, 'last');
    for (let index = 0; index < 600; index++) first.person(`filler${index}`);
    first.remove(user.dn);
    first.person('last');
    await run();
    expect(await state(user)).toBe('active');
    expect(first.searches.filter((filter) => filter === '(uid=*)')).toHaveLength(2);
  });

  it('blocks nobody where a directory fails, lists nobody or lists too much', async () => {
    const [one, other] = [
      await knownPerson(app, first, 'one'),
      await knownPerson(app, second, 'other', 'ldapother'),
    ];
    const gone = await knownPerson(app, second, 'gone', 'ldapother');
    second.remove(gone.dn);
    await first.stop();
    await expect(run()).rejects.toThrow('not all directories could be compared');
    await first.resume();
    expect([await state(one), await state(other), await state(gone)]).toEqual([
      'active',
      'active',
      'ldap_blocked',
    ]);
    first.clear();
    await expect(run()).rejects.toThrow('not all directories');
    expect(await state(one)).toBe('active');
    for (let index = 0; index < 1_001; index++) first.person(`many${index}`);
    await expect(run()).rejects.toThrow('not all directories');
    expect(await state(one)).toBe('active');
  });

  it('makes administrators and external users of the members of groups, and takes it from others', async () => {
    const [boss, former, guest] = [
      await knownPerson(app, first, 'boss'),
      await knownPerson(app, first, 'former'),
      await knownPerson(app, first, 'guest'),
    ];
    await app.database.query('UPDATE users SET is_admin = true, is_external = true WHERE id = $1', [
      former.id,
    ]);
    first.group('admins', [boss.dn]);
    first.group('guests', [guest.dn]);
    await run();
    const flags = async (user: BuiltUser) => [
      await column(user, 'is_admin'),
      await column(user, 'is_external'),
    ];
    expect(await flags(boss)).toEqual([true, false]);
    expect(await flags(former)).toEqual([false, false]);
    expect(await flags(guest)).toEqual([false, true]);
    expect(await flags(admin)).toEqual([true, false]);
  });

  it('leaves one administrator, and all of them where the group is missing', async () => {
    const boss = await knownPerson(app, first, 'boss');
    await app.database.query('UPDATE users SET is_admin = id = $1', [boss.id]);
    await run();
    expect(await column(boss, 'is_admin')).toBe(true);
    first.remove('cn=admins,ou=groups,dc=example,dc=com');
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [admin.id]);
    await expect(run()).rejects.toThrow('not all directories');
    expect(await column(boss, 'is_admin')).toBe(true);
  });

  it('compares all groups with links, also where one is in trouble or a link has gone', async () => {
    const user = await knownPerson(app, first, 'member');
    const groups = [await app.build.group(), await app.build.group(), await app.build.group()];
    const [one, broken, unlinked] = groups;
    if (!one || !broken || !unlinked) throw new Error('three groups were expected');
    first.group('team', [user.dn]);
    for (const group of groups) {
      const fields = { cn: 'team', group_access: 30, provider: 'ldapmain' };
      expect((await app.as(admin).post(`/groups/${group.id}/ldap_group_links`, fields)).status).toBe(201);
    }
    await run();
    await app.as(admin).delete(`/groups/${unlinked.id}/ldap_group_links/team`);
    await app.database.query(`UPDATE ldap_group_links SET provider = 'ldapformer' WHERE group_id = $1`, [
      broken.id,
    ]);
    first.group('team', []);
    await run();
    const again = `SELECT 1 FROM pgboss.job WHERE name = 'identity.sync_ldap_group' AND singleton_key = $1 AND state = 'created'`;
    expect((await app.database.query(again, [String(broken.id)])).rows).toHaveLength(1);
    const members = [await membersOf(app, one), await membersOf(app, broken), await membersOf(app, unlinked)];
    expect(members).toEqual([{}, { member: '30 by directory' }, {}]);
  });

  it('opens no accounts by itself', async () => {
    await run();
    const { rows } = await app.database.query(`SELECT 1 FROM users WHERE username = 'somebody'`);
    expect(rows).toEqual([]);
    const told = await app.nest.get(PasswordLogins).signIn('somebody', 'somebody-password', '127.0.0.1');
    expect(told).toHaveProperty('user');
  });
});
