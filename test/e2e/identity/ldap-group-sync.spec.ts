import { Database } from '#libs/database';
import { GroupSync } from '../../../src/identity/ldap/group-sync.service';
import { startApplication, type TestApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { knownPerson, membersOf } from '../../support/directory-people';
import { BASE, DirectoryServer } from '../../support/directory-server';

let directory: DirectoryServer;
let app: TestApplication;
let admin: BuiltUser;
let group: BuiltGroup;

beforeAll(async () => {
  directory = await DirectoryServer.start();
  const config = { ldapmain: directory.provider({ timeoutSeconds: 1 }) };
  app = await startApplication({ LDAP_CONFIG: JSON.stringify(config), LDAP_SYNC_MINUTES: '10080' });
  admin = await app.build.user({ admin: true });
});
afterAll(async () => {
  await app.close();
  await directory.stop();
});
beforeEach(async () => {
  group = await app.build.group();
});

let count = 0;
const unique = (word: string): string => `${word}${(count += 1)}`;
const person = (name = 'person') => knownPerson(app, directory, unique(name));

async function link(cn: string, groupAccess: number, of: BuiltGroup = group): Promise<void> {
  const fields = { cn, group_access: groupAccess, provider: 'ldapmain' };
  expect((await app.as(admin).post(`/groups/${of.id}/ldap_group_links`, fields)).status).toBe(201);
}

const sync = (of: BuiltGroup = group): Promise<void> =>
  app.nest.get(GroupSync).sync(of.id, new AbortController().signal);

interface SyncRow {
  status: string;
  last_error: string | null;
  succeeded_at: Date | null;
}

async function noted(of: BuiltGroup = group): Promise<SyncRow | undefined> {
  const text = 'SELECT status, last_error, succeeded_at FROM ldap_group_syncs WHERE group_id = $1';
  return (await app.database.query<SyncRow>(text, [of.id])).rows[0];
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('POST /groups/:id/ldap_sync, with a directory', () => {
  it('makes, raises, lowers and removes memberships', async () => {
    const [stays, rises, falls, comes] = [await person(), await person(), await person(), await person()];
    const developers = unique('developers');
    const leads = unique('leads');
    directory.group(developers, [stays.dn, rises.dn]);
    directory.group(leads, [falls.dn]);
    await link(developers, 30);
    await link(leads, 40);
    await sync();
    expect(await membersOf(app, group)).toEqual({
      [stays.username]: '30 by directory',
      [rises.username]: '30 by directory',
      [falls.username]: '40 by directory',
    });
    directory.group(developers, [stays.dn, falls.dn, comes.dn]);
    directory.group(leads, [rises.dn]);
    expect((await app.as(admin).post(`/groups/${group.id}/ldap_sync`)).status).toBe(202);
    await until(
      async () => (await noted())?.status === 'ready' && comes.username in (await membersOf(app, group)),
    );
    expect(await membersOf(app, group)).toEqual({
      [stays.username]: '30 by directory',
      [rises.username]: '40 by directory',
      [falls.username]: '30 by directory',
      [comes.username]: '30 by directory',
    });
    directory.group(developers, []);
    await sync();
    expect(await membersOf(app, group)).toEqual({ [rises.username]: '40 by directory' });
  });

  it('counts at the next request', async () => {
    const grace = await person();
    const cn = unique('cn');
    const see = async (): Promise<number> => (await app.as(grace).get(`/groups/${group.id}`)).status;
    directory.group(cn, [grace.dn]);
    await link(cn, 20);
    expect(await see()).toBe(404);
    await sync();
    expect(await see()).toBe(200);
    directory.group(cn, []);
    await sync();
    expect(await see()).toBe(404);
  });

  it('gives the highest level of all links', async () => {
    const grace = await person();
    const [low, high, other] = [unique('low'), unique('high'), unique('other')];
    for (const cn of [low, high, other]) directory.group(cn, [grace.dn]);
    await link(low, 10);
    await link(high, 40);
    await link(other, 20);
    await sync();
    expect(await membersOf(app, group)).toEqual({ [grace.username]: '40 by directory' });
  });

  it('passes over people who have never signed in, other attributes of membership aside', async () => {
    const [unique_, byUid, sub] = [await person(), await person(), await person()];
    const stranger = directory.person(unique('stranger'));
    const names = [unique('u'), unique('p'), unique('s')] as const;
    directory.group(names[0], [unique_.dn, stranger], 'uniqueMember');
    directory.group(names[1], [byUid.username, 'nobody-here'], 'memberUid');
    directory.group(names[2], [sub.dn.toUpperCase()], 'submember');
    for (const cn of names) await link(cn, 20);
    await sync();
    expect(Object.keys(await membersOf(app, group))).toEqual(
      [unique_, byUid, sub].map(({ username }) => username).sort(),
    );
  });

  it('counts people in groups of groups, also in circles', async () => {
    const [outer, inner, deep] = [await person(), await person(), await person()];
    const [a, b, c] = [unique('a'), unique('b'), unique('c')];
    const dn = (cn: string): string => `cn=${cn},ou=groups,${BASE}`;
    directory.group(a, [outer.dn, dn(b)]);
    directory.group(b, [inner.dn, dn(c).toUpperCase()]);
    directory.group(c, [deep.dn, dn(a), dn(c)]);
    await link(a, 30);
    await sync();
    expect(Object.keys(await membersOf(app, group))).toEqual(
      [outer, inner, deep].map(({ username }) => username).sort(),
    );
  });

  it('reads long lists that the directory tells in pieces', async () => {
    const people = [];
    for (let index = 0; index < 13; index++) people.push(await person());
    const cn = unique('long');
    directory.group(
      cn,
      people.map(({ dn }) => dn),
    );
    await link(cn, 30);
    directory.tellsRanges = true;
    await sync().finally(() => (directory.tellsRanges = false));
    expect(Object.keys(await membersOf(app, group))).toHaveLength(13);
  });

  it('leaves members alone that were made by hand, until the directory has them too', async () => {
    const [manual, both, requesting] = [await person(), await person(), await person()];
    await app.build.member('namespace', group.id, manual, 'maintainer');
    await app.build.member('namespace', group.id, both, 'maintainer');
    await app.build.member('namespace', group.id, requesting, 'developer');
    await app.database.query('UPDATE members SET requested_at = now() WHERE user_id = $1', [requesting.id]);
    const cn = unique('cn');
    directory.group(cn, [both.dn, requesting.dn]);
    await link(cn, 20);
    await sync();
    expect(await membersOf(app, group)).toEqual({
      [manual.username]: '40',
      [both.username]: '20 by directory',
      [requesting.username]: '20 by directory',
    });
    directory.group(cn, []);
    await sync();
    expect(await membersOf(app, group)).toEqual({ [manual.username]: '40' });
  });

  it('never removes the last owner', async () => {
    const [first, second] = [await person(), await person()];
    const cn = unique('owners');
    directory.group(cn, [first.dn, second.dn]);
    await link(cn, 50);
    await sync();
    directory.group(cn, []);
    await sync();
    expect(Object.values(await membersOf(app, group))).toEqual(['50 by directory']);
    const inner = await app.build.group({ parent: group });
    await link(cn, 50, inner);
    directory.group(cn, [second.dn]);
    await sync(inner);
    directory.group(cn, []);
    await sync(inner);
    expect(await membersOf(app, inner)).toEqual({});
  });

  it('takes the members of a removed link away, and those of a group that the directory has no more', async () => {
    const [one, other] = [await person(), await person()];
    const [cn, gone] = [unique('cn'), unique('gone')];
    directory.group(cn, [one.dn]);
    const dn = directory.group(gone, [other.dn]);
    await link(cn, 30);
    await link(gone, 30);
    await sync();
    directory.remove(dn);
    await sync();
    expect(await membersOf(app, group)).toEqual({ [one.username]: '30 by directory' });
    await app.as(admin).delete(`/groups/${group.id}/ldap_group_links/${cn}`);
    await sync();
    expect(await membersOf(app, group)).toEqual({});
  });

  it('takes names of groups for names and nothing else', async () => {
    const grace = await person();
    directory.group(unique('secret'), [grace.dn]);
    await link('*', 50);
    await link('secret*)(cn=*', 50);
    await sync();
    expect(await membersOf(app, group)).toEqual({});
    expect((await noted())?.status).toBe('ready');
  });

  it('changes nothing while the directory is down, says why, and catches up', async () => {
    const grace = await person();
    const cn = unique('cn');
    directory.group(cn, [grace.dn]);
    await link(cn, 30);
    await sync();
    await directory.stop();
    await expect(sync()).rejects.toThrow('ECONNREFUSED');
    expect(await noted()).toMatchObject({
      status: 'failed',
      last_error: expect.stringContaining('ECONNREFUSED'),
    });
    expect(JSON.stringify(await noted())).not.toContain('reader-password');
    expect(await membersOf(app, group)).toEqual({ [grace.username]: '30 by directory' });
    await directory.resume();
    directory.isHanging = true;
    await expect(sync()).rejects.toThrow('timed out');
    directory.isHanging = false;
    await sync();
    expect(await noted()).toMatchObject({ status: 'ready', last_error: null });
  });

  it('waits once, however often it is asked for', async () => {
    const cn = unique('cn');
    directory.group(cn, [(await person()).dn]);
    await link(cn, 30);
    const other = await app.startAnother();
    directory.isHanging = true;
    const asked = [app, other, app, other, app, other].map((node) =>
      node.as(admin).post(`/groups/${group.id}/ldap_sync`),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(6).fill(202));
    const { rows } = await app.database.query(
      `SELECT id FROM pgboss.job WHERE singleton_key = $1 AND state = 'created'`,
      [String(group.id)],
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    directory.isHanging = false;
    await until(async () => (await noted())?.status === 'ready');
  });

  it('does not run while another node is at the same group', async () => {
    const cn = unique('cn');
    directory.group(cn, [(await person()).dn]);
    await link(cn, 30);
    const other = await app.startAnother();
    await other.nest.get(Database).holdLock(`ldap group ${group.id}`, async () => {
      await expect(sync()).rejects.toThrow('unavailable');
      expect(directory.searches.some((filter) => filter.includes(cn))).toBe(false);
    });
    await sync();
    expect(Object.keys(await membersOf(app, group))).toHaveLength(1);
  });

  it('leaves a group whole when it breaks off in the middle', async () => {
    const [one, other] = [await person(), await person()];
    const cn = unique('cn');
    directory.group(cn, [one.dn]);
    await link(cn, 30);
    await sync();
    directory.group(cn, [other.dn]);
    await app.database.query(`
      CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$;
      CREATE TRIGGER break_off BEFORE DELETE ON members EXECUTE FUNCTION break_off()`);
    await expect(sync()).rejects.toThrow('broken off');
    expect(await membersOf(app, group)).toEqual({ [one.username]: '30 by directory' });
    await app.database.query('DROP TRIGGER break_off ON members; DROP FUNCTION break_off');
    await sync();
    expect(await membersOf(app, group)).toEqual({ [other.username]: '30 by directory' });
  });

  it('changes ten thousand memberships in few statements', async () => {
    const many = 10_000;
    const prefix = unique('many');
    await app.database.query(
      `WITH made AS (
         INSERT INTO users (username, name, email, confirmed_at)
         SELECT $1::text || n, 'Many', $1::text || n || '@corp.example', now() FROM generate_series(1, $2::int) AS n
         RETURNING id, username)
       INSERT INTO identities (user_id, provider, extern_uid)
       SELECT id, 'ldapmain', 'uid=' || username || $3::text FROM made`,
      [prefix, many, `,ou=people,${BASE}`],
    );
    const dns = Array.from({ length: many }, (_, index) => `uid=${prefix}${index + 1},ou=people,${BASE}`);
    const cn = unique('cn');
    directory.group(cn, dns);
    await link(cn, 30);
    const statements = jest.spyOn(app.nest.get(GroupSync)['syncs'], 'keep');
    await sync();
    expect(statements.mock.calls.length).toBeLessThanOrEqual(5);
    statements.mockRestore();
    expect(Object.keys(await membersOf(app, group))).toHaveLength(many);
    directory.group(cn, dns.slice(0, 1));
    await sync();
    expect(Object.keys(await membersOf(app, group))).toHaveLength(1);
  });

  it('does nothing for a group that is gone', async () => {
    await app.database.query('UPDATE namespaces SET pending_delete = true WHERE id = $1', [group.id]);
    await expect(sync()).resolves.toBeUndefined();
    expect(await noted()).toBeUndefined();
  });
});
