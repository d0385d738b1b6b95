import { createHash } from 'node:crypto';
import { Database } from '#libs/database';
import {
  Accounts,
  EmailAddresses,
  EmailConfirmations,
  PasswordLogins,
  Users,
} from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OutgoingMails } from '../../support/outgoing-mails';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let mails: OutgoingMails;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
  mails = OutgoingMails.of(app.current);
});

const TAKEN = [400, { message: { email: ['has already been taken'] } }];
const EMAIL_NOT_FOUND = [404, { message: '404 Email Not Found' }];
const USER_NOT_FOUND = [404, { message: '404 User Not Found' }];

let turn = 0;
const newAddress = (): string => `address-${(turn += 1)}@example.org`;
const add = (email: unknown, by = user) => app.current.as(by).post('/user/emails', { email });

async function added(by = user): Promise<{ id: number; email: string }> {
  const { body } = await add(newAddress(), by).expect(201);
  return body;
}

const confirmations = (): EmailConfirmations => app.current.nest.get(EmailConfirmations);
const confirmedOf = async ({ id }: { id: number }): Promise<string[]> =>
  (await app.current.nest.get(EmailAddresses).confirmedOf(id)).sort();

/** Lets the mails be sent some time ago. */
const age = (table: 'users' | 'emails', id: number, interval: string) =>
  app.current.database.query(
    `UPDATE ${table} SET confirmation_sent_at = now() - $2::interval WHERE id = $1`,
    [id, interval],
  );

describe('POST /user/emails', () => {
  it('adds an address, and asks for its confirmation by mail', async () => {
    const email = newAddress();
    const { status, body } = await add(email);
    expect([status, Object.entries(body)]).toEqual([
      201,
      [
        ['id', expect.any(Number)],
        ['email', email],
      ],
    ]);
    expect(mails.to(email)).toEqual([
      {
        to: email,
        subject: 'Confirmation instructions',
        text: expect.stringContaining('http://service.test/users/confirmation?confirmation_token='),
      },
    ]);
  });

  it('keeps the secret of the mail as a digest alone', async () => {
    const { id, email } = await added();
    const { rows } = await app.current.database.query(
      'SELECT confirmation_digest AS digest FROM emails WHERE id = $1',
      [id],
    );
    expect(rows[0].digest).toEqual(createHash('sha256').update(mails.lastSecretTo(email)).digest());
  });

  it.each([
    [undefined, { message: '400 (Bad request) "email" not given' }],
    ['', { message: { email: ["can't be blank"] } }],
    ['nobody', { message: { email: ['is invalid'] } }],
    ['a@b, c@d', { message: { email: ['is invalid'] } }],
    ['a@example.org\nBcc: b@example.org', { message: { email: ['is invalid'] } }],
    [`${'x'.repeat(250)}@example.org`, { message: { email: ['is invalid'] } }],
    [['a@example.org', 'b@example.org'], { error: 'email is invalid' }],
  ])('refuses %j', async (email, body) => {
    const answer = await add(email);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  it('refuses an address that anybody has, in any letter case', async () => {
    const secondary = await added();
    const other = await app.current.build.user();
    for (const taken of [secondary.email, user.email, other.email, admin.email]) {
      for (const by of [user, other]) {
        const { status, body } = await add(taken.toUpperCase(), by);
        expect([status, body]).toEqual(TAKEN);
      }
    }
  });

  it('gives an address to one of those who send it at the same time', async () => {
    const others = [user, await app.current.build.user(), await app.current.build.user()];
    const email = newAddress();
    const answers = await Promise.all(others.map((by) => add(email, by)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(mails.to(email)).toHaveLength(1);
  });

  it('ends at some number of addresses', async () => {
    const owner = await app.current.build.user();
    await app.current.database.query(
      `INSERT INTO emails (user_id, email) SELECT $1, 'many' || i || '@example.org' FROM generate_series(1, 100) i`,
      [owner.id],
    );
    const { status, body } = await add(newAddress(), owner);
    expect([status, body]).toEqual([400, { message: { base: ['Maximum number of emails (100) exceeded'] } }]);
  });

  it('is for those who are signed in', async () => {
    expect((await app.current.api.post('/user/emails', {})).status).toBe(401);
  });
});

describe('GET /user/emails', () => {
  it('lists one’s secondary addresses in pages', async () => {
    const owner = await app.current.build.user();
    const [first, second] = [await added(owner), await added(owner)];
    const all = await app.current.as(owner).get('/user/emails');
    expect([all.status, all.body, all.headers['x-total']]).toEqual([200, [first, second], '2']);
    const page = await app.current.as(owner).get('/user/emails?per_page=1');
    expect([page.body, page.headers['x-next-page']]).toEqual([[first], '2']);
    expect((await app.current.api.get('/user/emails')).status).toBe(401);
  });
});

describe('GET /user/emails/:email_id', () => {
  it('shows one’s own alone', async () => {
    const email = await added();
    expect((await app.current.as(user).get(`/user/emails/${email.id}`)).body).toEqual(email);
    const stranger = await app.current.build.user();
    const { status, body } = await app.current.as(stranger).get(`/user/emails/${email.id}`);
    expect([status, body]).toEqual(EMAIL_NOT_FOUND);
    expect((await app.current.as(user).get('/user/emails/x')).body).toEqual({ error: 'email_id is invalid' });
  });
});

describe('DELETE /user/emails/:email_id', () => {
  it('removes one’s own, which others may have then', async () => {
    const { id, email } = await added();
    const stranger = await app.current.build.user();
    const refused = await app.current.as(stranger).delete(`/user/emails/${id}`);
    expect([refused.status, refused.body]).toEqual(EMAIL_NOT_FOUND);
    await app.current.as(user).delete(`/user/emails/${id}`).expect(204);
    expect((await app.current.as(user).delete(`/user/emails/${id}`)).status).toBe(404);
    await add(email, stranger).expect(201);
  });

  it('keeps one that has changed since', async () => {
    const { id } = await added();
    const since = new Date(Date.now() - 86_400_000).toUTCString();
    const stale = app.current.as(user).with({ 'If-Unmodified-Since': since });
    expect((await stale.delete(`/user/emails/${id}`)).status).toBe(412);
  });

  it('shows the address to the public no longer', async () => {
    const { id, email } = await added();
    await app.current.database.query('UPDATE users SET public_email = $2 WHERE id = $1', [user.id, email]);
    await app.current.as(user).delete(`/user/emails/${id}`).expect(204);
    expect((await app.current.api.get(`/users/${user.id}`)).body.public_email).toBe('');
  });
});

const ofUser = (path = '') => `/users/${user.id}/emails${path}`;

describe('GET /users/:id/emails', () => {
  it('lists the secondary addresses of a user for administrators', async () => {
    const owner = await app.current.build.user();
    const email = await added(owner);
    const { status, body, headers } = await app.current.as(admin).get(`/users/${owner.id}/emails`);
    expect([status, body, headers['x-total']]).toEqual([200, [email], '1']);
    expect((await app.current.api.get(ofUser())).status).toBe(401);
    expect((await app.current.as(user).get(ofUser())).status).toBe(403);
    const nobody = await app.current.as(admin).get('/users/0/emails');
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
  });
});

describe('POST /users/:id/emails', () => {
  it('adds an address, which its owner is asked to confirm', async () => {
    const email = newAddress();
    const { status, body } = await app.current.as(admin).post(ofUser(), { email });
    expect([status, body]).toEqual([201, { id: expect.any(Number), email }]);
    expect(mails.to(email)).toHaveLength(1);
    await app.current.as(user).get(`/user/emails/${body.id}`).expect(200);
  });

  it('can do without a confirmation', async () => {
    const owner = await app.current.build.user();
    const email = newAddress();
    const params = { email, skip_confirmation: true };
    await app.current.as(admin).post(`/users/${owner.id}/emails`, params).expect(201);
    expect(mails.to(email)).toEqual([]);
    expect(await confirmedOf(owner)).toEqual([email, owner.email].sort());
  });

  it('is for administrators, and answers 404 for nobody', async () => {
    expect((await app.current.api.post(ofUser(), { email: newAddress() })).status).toBe(401);
    expect((await app.current.as(user).post(ofUser(), { email: newAddress() })).status).toBe(403);
    const nobody = await app.current.as(admin).post('/users/0/emails', { email: newAddress() });
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
  });
});

describe('DELETE /users/:id/emails/:email_id', () => {
  it('removes an address of that user, for administrators', async () => {
    const { id } = await added();
    expect((await app.current.api.delete(ofUser(`/${id}`))).status).toBe(401);
    expect((await app.current.as(user).delete(ofUser(`/${id}`))).status).toBe(403);
    const elsewhere = await app.current.as(admin).delete(`/users/${admin.id}/emails/${id}`);
    expect([elsewhere.status, elsewhere.body]).toEqual(EMAIL_NOT_FOUND);
    const nobody = await app.current.as(admin).delete(`/users/0/emails/${id}`);
    expect([nobody.status, nobody.body]).toEqual(USER_NOT_FOUND);
    await app.current
      .as(admin)
      .delete(ofUser(`/${id}`))
      .expect(204);
    expect((await app.current.as(user).get(`/user/emails/${id}`)).status).toBe(404);
  });
});

describe('the confirmation of an address', () => {
  it('counts once for the secondary address that the mail went to', async () => {
    const owner = await app.current.build.user();
    const { email } = await added(owner);
    expect(await confirmedOf(owner)).toEqual([owner.email]);
    const secret = mails.lastSecretTo(email);
    expect(await confirmations().confirm(secret)).toEqual({ outcome: 'confirmed', userId: owner.id, email });
    expect(await confirmedOf(owner)).toEqual([email, owner.email].sort());
    expect(await confirmations().confirm(secret)).toEqual({ outcome: 'invalid' });
  });

  it.each(['', 'x', '0'.repeat(40), "' OR true --"])('is refused for %j', async (token) => {
    expect(await confirmations().confirm(token)).toEqual({ outcome: 'invalid' });
  });

  it('is refused after a day', async () => {
    const { id, email } = await added();
    const secret = mails.lastSecretTo(email);
    await age('emails', id, '24 hours 1 second');
    expect(await confirmations().confirm(secret)).toEqual({ outcome: 'invalid' });
  });

  it('can be asked for again, which makes the former link void', async () => {
    const { id, email } = await added();
    const former = mails.lastSecretTo(email);
    await confirmations().resend(email);
    expect(mails.to(email)).toHaveLength(1);
    await age('emails', id, '2 minutes');
    await confirmations().resend(email.toUpperCase());
    expect(mails.to(email)).toHaveLength(2);
    expect(await confirmations().confirm(former)).toEqual({ outcome: 'invalid' });
    expect((await confirmations().confirm(mails.lastSecretTo(email))).outcome).toBe('confirmed');
    await age('emails', id, '2 minutes');
    await confirmations().resend(email);
    await confirmations().resend('unknown@example.org');
    expect(mails.to(email)).toHaveLength(2);
  });
});

describe('the confirmation of a primary address', () => {
  const open = (email: string) =>
    app.current.nest.get(Accounts).open({
      username: `new-${(turn += 1)}`,
      name: 'New',
      email,
      password: null,
      isAdmin: false,
      isConfirmed: false,
    });
  const sendTo = async (id: number): Promise<void> => {
    const found = await app.current.nest.get(Users).find(id);
    if (found) await app.current.nest.get(Database).transaction(() => confirmations().send(found));
  };
  const change = (id: number, columns: string, value: string) =>
    app.current.database.query(`UPDATE users SET ${columns} = $2 WHERE id = $1`, [id, value]);

  it('confirms a new account', async () => {
    const email = newAddress();
    const account = await open(email);
    await sendTo(account.id);
    expect(await confirmedOf(account)).toEqual([]);
    const secret = mails.lastSecretTo(email);
    expect((await confirmations().confirm(secret)).outcome).toBe('confirmed');
    expect(await confirmedOf(account)).toEqual([email]);
    expect((await confirmations().confirm(secret)).outcome).toBe('invalid');
  });

  it('brings the address that waited for it', async () => {
    const owner = await app.current.build.user();
    const wanted = newAddress();
    await change(owner.id, 'unconfirmed_email', wanted);
    await sendTo(owner.id);
    expect(mails.to(owner.email)).toEqual([]);
    expect(await confirmations().confirm(mails.lastSecretTo(wanted))).toEqual({
      outcome: 'confirmed',
      userId: owner.id,
      email: wanted,
    });
    expect((await app.current.as(owner).get('/user')).body.email).toBe(wanted);
    expect((await add(owner.email)).status).toBe(201);
    expect((await add(wanted)).status).toBe(400);
  });

  it('never confirms another address than the one the mail went to', async () => {
    const owner = await app.current.build.user();
    const mine = newAddress();
    await change(owner.id, 'unconfirmed_email', mine);
    await sendTo(owner.id);
    await change(owner.id, 'unconfirmed_email', 'victim@example.org');
    expect(await confirmations().confirm(mails.lastSecretTo(mine))).toEqual({ outcome: 'invalid' });
  });

  it('comes too late where somebody else has the address meanwhile', async () => {
    const owner = await app.current.build.user();
    const wanted = newAddress();
    await change(owner.id, 'unconfirmed_email', wanted);
    await sendTo(owner.id);
    await add(wanted).expect(201);
    const secret = mails.to(wanted)[0]?.text.match(/token=([0-9a-f]+)/)?.[1] ?? '';
    expect(await confirmations().confirm(secret)).toEqual({ outcome: 'taken' });
    expect((await app.current.as(owner).get('/user')).body.email).toBe(owner.email);
  });

  it('can be asked for again', async () => {
    const email = newAddress();
    const account = await open(email);
    await confirmations().resend(email);
    await confirmations().resend(email);
    expect(mails.to(email)).toHaveLength(1);
    await age('users', account.id, '2 minutes');
    await confirmations().resend(email);
    expect(mails.to(email)).toHaveLength(2);
  });
});

describe('one owner of an address', () => {
  it('a secondary address of somebody is none for a new account', async () => {
    const { email } = await added();
    const params = {
      email: email.toUpperCase(),
      username: 'late',
      name: 'Late',
      force_random_password: true,
    };
    const { status, body } = await app.current.as(admin).post('/users', params);
    expect([status, body]).toEqual([409, { message: 'Email has already been taken' }]);
  });

  it('is kept by the database whoever writes', async () => {
    const { email } = await added();
    const other = await app.current.build.user();
    const steal = app.current.database.query('UPDATE users SET email = $2 WHERE id = $1', [other.id, email]);
    await expect(steal).rejects.toMatchObject({ code: '23505', constraint: 'users_email' });
  });

  it('a secondary address may become the primary one', async () => {
    const owner = await app.current.build.user();
    const { email } = await added(owner);
    await app.current.database.query('UPDATE users SET email = $2 WHERE id = $1', [owner.id, email]);
    expect((await app.current.as(owner).get('/user/emails')).body).toEqual([]);
    await add(owner.email).expect(201);
    expect((await add(email)).status).toBe(400);
  });

  it('leaves with the account', async () => {
    const owner = await app.current.build.user();
    const { email } = await added(owner);
    await app.current.database.query('DELETE FROM users WHERE id = $1', [owner.id]);
    await add(email).expect(201);
    await add(owner.email).expect(201);
  });

  it('a link to set a new password is void once the address is another', async () => {
    const owner = await app.current.build.user();
    await app.current.database.query(
      `UPDATE users SET reset_password_digest = '\\x01', reset_password_sent_at = now() WHERE id = $1`,
      [owner.id],
    );
    const { rows } = await app.current.database.query(
      'UPDATE users SET email = $2 WHERE id = $1 RETURNING reset_password_digest AS digest',
      [owner.id, newAddress()],
    );
    expect(rows).toEqual([{ digest: null }]);
  });
});

describe('a secondary address', () => {
  it('lets nobody in, confirmed or not', async () => {
    const password = 'correct horse battery staple';
    const logins = app.current.nest.get(PasswordLogins);
    const owner = await app.current.nest.get(Accounts).open({
      username: 'in-by-password',
      name: 'In',
      email: newAddress(),
      password,
      isAdmin: false,
      isConfirmed: true,
    });
    const secondary = newAddress();
    const path = `/users/${owner.id}/emails`;
    await app.current.as(admin).post(path, { email: secondary }).expect(201);
    expect(await logins.signIn(owner.email, password, '192.0.2.1')).toMatchObject({ user: { id: owner.id } });
    expect(await logins.signIn(secondary, password, '192.0.2.1')).toEqual({ refused: 'invalid' });
    await confirmations().confirm(mails.lastSecretTo(secondary));
    expect(await logins.signIn(secondary, password, '192.0.2.1')).toEqual({ refused: 'invalid' });
  });
});
