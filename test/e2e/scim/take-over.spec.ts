import { randomBytes } from 'node:crypto';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { Mailbox } from '../../support/mailbox';
import { PageClient } from '../../support/page-client';
import { PASSWORD } from '../../support/person';
import { person, provider, type ScimClient } from '../../support/scim-client';

const app = useApplication();
const APPROVAL = /(\/users\/email_change\?approval_token=\w+)/;
const CONFIRMATION = /(\/users\/confirmation\?confirmation_token=\w+)/;
const RESET = /(\/users\/password\/edit\?reset_password_token=\w+)/;

let owner: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let scim: ScimClient;
beforeAll(async () => {
  owner = await app.current.build.user();
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
});

const fresh = (): string => `p${randomBytes(4).toString('hex')}`;
const row = async (id: number) =>
  (await app.current.database.query('SELECT * FROM users WHERE id = $1', [id])).rows[0];
const idByEmail = async (email: string): Promise<number | undefined> =>
  (await app.current.database.query('SELECT id FROM users WHERE lower(email) = lower($1)', [email])).rows[0]
    ?.id;
const linked = async (): Promise<BuiltUser> => {
  const user = await app.current.build.user();
  const identity = { provider: 'group_saml', extern_uid: user.username, group_id_for_saml: group.id };
  expect((await app.current.as(admin).put(`/users/${user.id}`, identity)).status).toBe(200);
  return user;
};
const audits = async (userId: number) =>
  (await app.current.database.query('SELECT * FROM audit_events WHERE user_id = $1 ORDER BY id', [userId]))
    .rows;

describe('an account that this provider has not opened', () => {
  it('keeps its name, username and e-mail, whatever the provider says', async () => {
    const victim = await linked();
    const evil = `${fresh()}@evil.example`;
    const { status } = await scim.patch(victim.username, [
      { op: 'replace', path: 'name.formatted', value: 'Taken Over' },
      { op: 'replace', path: 'userName', value: fresh() },
      { op: 'replace', path: 'emails[type eq "work"].value', value: evil },
    ]);
    expect(status).toBe(204);
    const { email, unconfirmed_email: waiting, name, username } = await row(victim.id);
    expect({ email, waiting, name, username }).toEqual({
      email: victim.email,
      waiting: null,
      name: victim.name,
      username: victim.username,
    });
    expect(await idByEmail(evil)).toBeUndefined();
    const mailbox = new Mailbox(app.current);
    await mailbox.find(victim.email, APPROVAL);
    expect(await mailbox.of(evil)).toEqual([]);
    expect(await audits(victim.id)).toMatchObject([
      {
        actor_kind: 'scim_token',
        action: 'scim.user_changed',
        group_id: String(group.id),
        details: { ignored: ['name', 'userName'], emailAsked: evil },
        address: expect.stringContaining('127.0.0.1'),
      },
    ]);
  });

  it('gets the new e-mail when its owner agrees by the old one, and the new one is confirmed', async () => {
    const user = await linked();
    const email = `${fresh()}@corp.example`;
    await scim.patch(user.username, [{ op: 'replace', path: 'emails', value: email }]);
    await scim.patch(user.username, [{ op: 'replace', path: 'emails', value: email }]);
    const mailbox = new Mailbox(app.current);
    const link = await mailbox.find(user.email, APPROVAL);
    expect(await mailbox.of(user.email)).toHaveLength(1);
    const browser = new PageClient(app.current.url);
    const page = await browser.get(link);
    expect([page.status, (await row(user.id)).unconfirmed_email]).toEqual([200, null]);
    expect((await browser.submit(page, '/users/email_change')).location).toBe(
      '/users/sign_in?notice=confirmation_sent',
    );
    expect((await browser.submit(page, '/users/email_change')).status).toBe(422);
    expect((await browser.get(link)).status).toBe(422);
    expect((await row(user.id)).email).toBe(user.email);
    await browser.get(await mailbox.find(email, CONFIRMATION));
    expect((await row(user.id)).email).toBe(email);
  });

  it.each(['', 'x', 'f'.repeat(40)])('has no page for the token %j', async (token) => {
    const browser = new PageClient(app.current.url);
    const page = await browser.get(`/users/email_change?approval_token=${token}`);
    expect([page.status, page.text.includes('no longer works')]).toEqual([422, true]);
  });

  it('is not linked by its e-mail, member or not', async () => {
    const victim = await app.current.build.user();
    await app.current.build.member('namespace', group.id, victim, 'developer');
    const { status } = await scim.create(person(fresh(), { emails: [{ value: victim.email }] }));
    expect(status).toBe(409);
    const { rows } = await app.current.database.query('SELECT 1 FROM identities WHERE user_id = $1', [
      victim.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('is not seen by the provider of another group', async () => {
    const victim = await linked();
    const other = await app.current.build.group({ members: { owner } });
    const { scim: foreign } = await provider(app.current, owner, other);
    expect((await foreign.show(victim.username)).status).toBe(404);
    expect((await foreign.delete(victim.username)).status).toBe(404);
    const active = [{ op: 'replace', path: 'active', value: false }];
    expect((await foreign.patch(victim.username, active)).status).toBe(404);
    for (const filter of [`userName eq "${victim.username}"`, `emails eq "${victim.email}"`])
      expect((await foreign.filter(filter)).body.totalResults).toBe(0);
    expect((await scim.show(victim.username)).status).toBe(200);
  });

  it('is removed from the group alone', async () => {
    const victim = await linked();
    const other = await app.current.build.group({ members: { developer: victim } });
    expect((await scim.delete(victim.username)).status).toBe(204);
    const { rows } = await app.current.database.query('SELECT source_id FROM members WHERE user_id = $1', [
      victim.id,
    ]);
    expect(rows).toEqual([{ source_id: String(other.id) }]);
    expect((await app.current.as(victim).get('/user')).status).toBe(200);
  });
});

describe('an account that this provider has opened', () => {
  it('counts as nobody confirmed: neither a password nor the address proves anything', async () => {
    const name = fresh();
    const email = `${name}@foreign.example`;
    await scim.create(person(name, { emails: [{ value: email }] }));
    const browser = new PageClient(app.current.url);
    await browser.submit(await browser.get('/users/password/new'), '/users/password', {
      'user[email]': email,
    });
    const reset = await browser.get(await new Mailbox(app.current).find(email, RESET));
    await browser.submit(reset, '/users/password/edit', {
      'user[password]': PASSWORD,
      'user[password_confirmation]': PASSWORD,
    });
    expect((await browser.signIn(name, PASSWORD)).text).toContain('You have to confirm your email address');
  });

  it('is its person’s own from the confirmation on: another e-mail needs their consent', async () => {
    const name = fresh();
    const email = `${name}@corp.example`;
    await scim.create(person(name));
    const browser = new PageClient(app.current.url);
    const mailbox = new Mailbox(app.current);
    await browser.get(await mailbox.find(email, CONFIRMATION));
    const id = await idByEmail(email);
    const evil = `${fresh()}@evil.example`;
    const move = [{ op: 'Replace', path: 'emails[type eq "work"].value', value: evil }];
    expect((await scim.patch(`id-of-${name}`, move)).status).toBe(204);
    expect(await row(Number(id))).toMatchObject({ email, unconfirmed_email: null });
    await mailbox.find(email, APPROVAL);
    expect(await mailbox.of(evil)).toEqual([]);
  });

  it('is its person’s own with a password, too', async () => {
    const name = fresh();
    await scim.create(person(name));
    const id = Number(await idByEmail(`${name}@corp.example`));
    await app.current.as(admin).put(`/users/${id}`, { password: PASSWORD });
    await scim.patch(`id-of-${name}`, [{ op: 'Replace', path: 'emails', value: `${fresh()}@evil.example` }]);
    expect((await row(id)).email).toBe(`${name}@corp.example`);
  });

  it('gives no way in by a link that was mailed before its address changed', async () => {
    const name = fresh();
    const first = `${name}@evil.example`;
    await scim.create(person(name, { emails: [{ value: first }] }));
    const browser = new PageClient(app.current.url);
    await browser.submit(await browser.get('/users/password/new'), '/users/password', {
      'user[email]': first,
    });
    const mailbox = new Mailbox(app.current);
    const [reset, confirmation] = [await mailbox.find(first, RESET), await mailbox.find(first, CONFIRMATION)];
    const victim = `${fresh()}@corp.example`;
    await scim.patch(`id-of-${name}`, [{ op: 'Replace', path: 'emails', value: victim }]);
    expect((await browser.get(reset)).text).toContain('no longer works');
    expect((await browser.get(confirmation)).status).toBe(422);
    const id = Number(await idByEmail(victim));
    expect(await row(id)).toMatchObject({ confirmed_at: null, password_digest: null });
    await mailbox.find(victim, CONFIRMATION);
  });

  it('tells the audit log of everything that was done to it', async () => {
    const name = fresh();
    const sent = person(name);
    await scim.create(sent);
    const id = Number(await idByEmail(`${name}@corp.example`));
    await scim.create(sent);
    await scim.patch(`id-of-${name}`, [{ op: 'replace', path: 'displayName', value: 'New Name' }]);
    await scim.patch(`id-of-${name}`, [{ op: 'replace', path: 'displayName', value: 'New Name' }]);
    await scim.patch(`id-of-${name}`, [{ op: 'replace', path: 'active', value: 'False' }]);
    await scim.create(sent);
    await scim.delete(`id-of-${name}`);
    const { rows } = await app.current.database.query('SELECT id FROM scim_tokens WHERE group_id = $1', [
      group.id,
    ]);
    expect(await audits(id)).toMatchObject(
      [
        { action: 'scim.user_provisioned', details: { userName: name, email: `${name}@corp.example` } },
        { action: 'scim.user_changed', details: { name: 'New Name' } },
        { action: 'scim.user_removed' },
        { action: 'scim.user_restored' },
        { action: 'scim.user_removed' },
      ].map((event) => ({
        ...event,
        actor_kind: 'scim_token',
        actor_id: rows[0].id,
        group_id: String(group.id),
      })),
    );
  });

  it('is 404 once an administrator has deleted it, and a conflict until it is gone', async () => {
    const name = fresh();
    await scim.create(person(name));
    const id = Number(await idByEmail(`${name}@corp.example`));
    await app.current.database.query('UPDATE users SET pending_delete = true WHERE id = $1', [id]);
    expect((await scim.show(`id-of-${name}`)).status).toBe(404);
    expect((await scim.create(person(name))).status).toBe(409);
    await app.current.database.query('DELETE FROM namespaces WHERE owner_id = $1', [id]);
    await app.current.database.query('DELETE FROM users WHERE id = $1', [id]);
    expect((await scim.create(person(name))).status).toBe(201);
  });
});

describe('an address in a domain that the operator vouches for', () => {
  const trusting = useApplication({ SCIM_TRUSTED_DOMAINS: 'corp.example' });
  const confirmedAt = async (email: string): Promise<unknown> => {
    const { rows } = await trusting.current.database.query(
      'SELECT confirmed_at, unconfirmed_email FROM users WHERE email = $1',
      [email],
    );
    return rows[0]?.confirmed_at;
  };
  const brought = async (...addresses: string[]) => {
    const someone = await trusting.current.build.user();
    const its = await trusting.current.build.group({ members: { owner: someone } });
    const { scim: client } = await provider(trusting.current, someone, its);
    const ids = addresses.map(() => fresh());
    for (const [index, id] of ids.entries())
      expect((await client.create(person(id, { emails: [{ value: addresses[index] }] }))).status).toBe(201);
    return { client, ids };
  };

  it('is confirmed at once, and no other', async () => {
    const trusted = `${fresh()}@CORP.example`;
    const foreign = ['corp.example.org', 'evil-corp.example', 'sub.corp.example'].map(
      (domain) => `${fresh()}@${domain}`,
    );
    await brought(trusted, ...foreign);
    expect(await confirmedAt(trusted)).toBeInstanceOf(Date);
    for (const email of foreign) expect(await confirmedAt(email)).toBeNull();
  });

  it('changes with the provider until somebody has made the account theirs', async () => {
    const first = `${fresh()}@corp.example`;
    const { client, ids } = await brought(first);
    const move = async (email: string) => {
      const operation = { op: 'replace', path: 'emails[type eq "work"].value', value: email };
      expect((await client.patch(`id-of-${ids[0]}`, [operation])).status).toBe(204);
    };
    const second = `${fresh()}@corp.example`;
    await move(second);
    expect(await confirmedAt(second)).toBeInstanceOf(Date);
    await trusting.current.database.query(`UPDATE users SET password_digest = 'x' WHERE email = $1`, [
      second,
    ]);
    await move(`${fresh()}@corp.example`);
    expect(await confirmedAt(second)).toBeInstanceOf(Date);
    await trusting.current.database.query(`UPDATE users SET password_digest = NULL WHERE email = $1`, [
      second,
    ]);
    const foreign = `${fresh()}@evil.example`;
    await move(foreign);
    expect(await confirmedAt(foreign)).toBeNull();
  });
});
