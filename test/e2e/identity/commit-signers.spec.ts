import { enums, revokeKey, type PrivateKey } from 'openpgp';
import { EmailConfirmations } from '../../../src/identity/identity.api';
import { useApplication, type TestApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { OutgoingMails } from '../../support/outgoing-mails';
import { newSigningKey, signedCommit } from '../../support/signed-commits';

const app = useApplication();

let admin: BuiltUser;
let project: BuiltProject;
let mails: OutgoingMails;
let otherNode: TestApplication;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
  mails = OutgoingMails.of(app.current);
  otherNode = await app.current.startAnother();
});

/** Says the same on every node, and does so at once. */
async function signature(sha: string): Promise<{ verification_status: string }> {
  const path = `/projects/${project.id}/repository/commits/${sha}/signature`;
  const answers = await Promise.all([app.current, otherNode].map((node) => node.api.get(path)));
  const [here, there] = answers;
  expect(here?.status).toBe(200);
  expect(there?.body).toEqual(here?.body);
  return here?.body;
}
const statusOf = async (sha: string): Promise<string> => (await signature(sha)).verification_status;

async function register(owner: BuiltUser, key: { toPublic(): { armor(): string } }): Promise<number> {
  const { body } = await app.current
    .as(owner)
    .post('/user/gpg_keys', { key: key.toPublic().armor() })
    .expect(201);
  return body.id;
}

const idOf = (key: { getKeyID(): { toHex(): string } } | undefined): string | undefined =>
  key?.getKeyID().toHex().toUpperCase();

async function person(
  ...furtherEmails: string[]
): Promise<{ owner: BuiltUser; key: PrivateKey; sha: string }> {
  const owner = await app.current.build.user();
  const key = await newSigningKey({ emails: [owner.email, ...furtherEmails] });
  return { owner, key, sha: await signedCommit(project, { email: owner.email, key }) };
}

describe('GET /projects/:id/repository/commits/:sha/signature of users’ keys', () => {
  it('knows a key from the moment it is added until it is removed', async () => {
    const { owner, key, sha } = await person();
    expect(await statusOf(sha)).toBe('unknown_key');
    const id = await register(owner, key);
    expect(await signature(sha)).toEqual({
      gpg_key_id: id,
      gpg_key_primary_keyid: idOf(key),
      gpg_key_user_name: 'Ann',
      gpg_key_user_email: owner.email,
      verification_status: 'verified',
      gpg_key_subkey_id: null,
    });
    await app.current.as(owner).delete(`/user/gpg_keys/${id}`).expect(204);
    expect(await statusOf(sha)).toBe('unknown_key');
    const again = await register(owner, key);
    expect(await statusOf(sha)).toBe('verified');
    await app.current.as(owner).post(`/user/gpg_keys/${again}/revoke`).expect(202);
    expect(await statusOf(sha)).toBe('unknown_key');
  });

  it('goes with the account', async () => {
    const { owner, key, sha } = await person();
    await register(owner, key);
    await app.current.database.query('DELETE FROM users WHERE id = $1', [owner.id]);
    expect(await statusOf(sha)).toBe('unknown_key');
  });

  it('counts addresses only while they are confirmed', async () => {
    const owner = await app.current.build.user();
    const secondary = `second-${owner.username}@example.org`;
    const key = await newSigningKey({ emails: [secondary] });
    const sha = await signedCommit(project, { email: secondary, key });
    await register(owner, key);
    expect(await statusOf(sha)).toBe('unverified_key');
    const { body } = await app.current.as(owner).post('/user/emails', { email: secondary }).expect(201);
    expect(await statusOf(sha)).toBe('unverified_key');
    await app.current.nest.get(EmailConfirmations).confirm(mails.lastSecretTo(secondary));
    expect(await statusOf(sha)).toBe('verified');
    await app.current.as(owner).delete(`/user/emails/${body.id}`).expect(204);
    expect(await statusOf(sha)).toBe('unverified_key');
  });

  it('does not take an unconfirmed primary address for its owner’s', async () => {
    const { owner, key, sha } = await person();
    await register(owner, key);
    await app.current.database.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [owner.id]);
    expect(await statusOf(sha)).toBe('unverified_key');
  });

  it('tells another address of the same user from one of somebody else', async () => {
    const { owner, key } = await person('elsewhere@example.org');
    await register(owner, key);
    const secondary = `more-${owner.username}@example.org`;
    const as = (email: string) => signedCommit(project, { email, key });
    expect(await statusOf(await as(admin.email))).toBe('other_user');
    expect(await statusOf(await as('elsewhere@example.org'))).toBe('other_user');
    const add = { email: secondary, skip_confirmation: true };
    await app.current.as(admin).post(`/users/${owner.id}/emails`, add).expect(201);
    expect(await statusOf(await as(secondary))).toBe('same_user_different_email');
    expect(await signature(await as(owner.email.toUpperCase()))).toMatchObject({
      verification_status: 'verified',
      gpg_key_user_email: owner.email,
    });
  });

  it('trusts no key of somebody else that a user has added', async () => {
    const { key, sha } = await person();
    const mallory = await app.current.build.user();
    await register(mallory, key);
    expect(await statusOf(sha)).toBe('unverified_key');
  });

  it('finds the key of a subkey', async () => {
    const owner = await app.current.build.user();
    const key = await newSigningKey({ emails: [owner.email], subkeys: [{ sign: true }] });
    const sha = await signedCommit(project, { email: owner.email, key });
    await register(owner, key);
    expect(await signature(sha)).toMatchObject({
      verification_status: 'verified',
      gpg_key_primary_keyid: idOf(key),
      gpg_key_subkey_id: idOf(key.getSubkeys()[0]),
    });
  });

  it('takes signatures from before a key expired, and none from after', async () => {
    const owner = await app.current.build.user();
    const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    const wishes = { emails: [owner.email], createdAt: hoursAgo(4) };
    const key = await newSigningKey({ ...wishes, lifetime: 2 * 3600 });
    const sha = await signedCommit(project, { email: owner.email, key, signedAt: hoursAgo(3) });
    await register(owner, key);
    expect(await statusOf(sha)).toBe('verified');
  });

  it('takes no signature of a key that was compromised', async () => {
    const { owner, key, sha } = await person();
    const { publicKey } = await revokeKey({
      key,
      reasonForRevocation: { flag: enums.reasonForRevocation.keyCompromised },
      format: 'object',
    });
    await register(owner, { toPublic: () => publicKey });
    expect(await statusOf(sha)).toBe('unverified');
  });

  it('still knows what a retired key has signed before', async () => {
    const { owner, key, sha } = await person();
    const { publicKey } = await revokeKey({
      key,
      reasonForRevocation: { flag: enums.reasonForRevocation.keyRetired },
      date: new Date(Date.now() + 1000),
      format: 'object',
    });
    await register(owner, { toPublic: () => publicKey });
    expect(await statusOf(sha)).toBe('verified');
  });

  it('knows a commit that was changed after it was signed', async () => {
    const { owner, key } = await person();
    await register(owner, key);
    const sha = await signedCommit(project, { email: owner.email, key, tamper: (text) => `${text}more\n` });
    expect(await statusOf(sha)).toBe('unverified');
  });
});
