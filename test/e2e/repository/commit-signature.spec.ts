import type { PrivateKey } from 'openpgp';
import { SigningKeys, type SigningKey } from '../../../src/identity/identity.api';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';
import { newSigningKey, signedCommit as newSignedCommit } from '../../support/signed-commits';

const app = useApplication();

const COMMITTER = 'ann@example.com';

let project: BuiltProject;
let key: PrivateKey;
let registered: SigningKey[] = [];
beforeAll(async () => {
  project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
  key = await newKey();
  // What users have registered is another resource's; here it is whatever the test says.
  jest.spyOn(app.current.nest.get(SigningKeys), 'withKeyId').mockImplementation((id) => {
    const ids = (found: PrivateKey): string[] =>
      found.getKeyIDs().map((keyId) => keyId.toHex().toUpperCase());
    return Promise.resolve(ids(key).includes(id) ? registered : []);
  });
});
afterEach(() => {
  registered = [];
});

const newKey = (subkeys: { sign: true }[] = []): Promise<PrivateKey> =>
  newSigningKey({ emails: [COMMITTER, 'ann@work.example'], subkeys });

const registeredAs = (verifiedEmails: readonly string[]): SigningKey => ({
  id: 7,
  armored: key.toPublic().armor(),
  userId: 3,
  userName: 'Ann of the key',
  userEmail: 'owner@example.com',
  vouchedEmails: [COMMITTER, 'ann@work.example'],
  verifiedEmails,
});

const signedCommit = (
  options: { email?: string; tamper?: (text: string) => string; armor?: string } = {},
): Promise<string> => newSignedCommit(project, { email: COMMITTER, key, ...options });

const signatureOf = (sha: string) =>
  app.current.api.get(`/projects/${project.id}/repository/commits/${sha}/signature`);
const statusOf = async (sha: string): Promise<string> =>
  (await signatureOf(sha).expect(200)).body.verification_status;
const NOT_SIGNED = [404, { message: '404 GPG Signature Not Found' }];

describe('GET /projects/:id/repository/commits/:sha/signature', () => {
  it('answers a good signature of a registered key, its fields in the order of the specification', async () => {
    registered = [registeredAs([COMMITTER])];
    const { body } = await signatureOf(await signedCommit()).expect(200);
    expect(Object.entries(body)).toEqual([
      ['gpg_key_id', 7],
      ['gpg_key_primary_keyid', key.getKeyID().toHex().toUpperCase()],
      ['gpg_key_user_name', 'Ann of the key'],
      ['gpg_key_user_email', 'owner@example.com'],
      ['verification_status', 'verified'],
      ['gpg_key_subkey_id', null],
    ]);
  });

  it('tells whose address the committer has', async () => {
    registered = [registeredAs(['ann@work.example', 'third@example.com'])];
    expect(await statusOf(await signedCommit({ email: 'ann@work.example' }))).toBe('verified');
    expect(await statusOf(await signedCommit({ email: 'ANN@Work.example' }))).toBe('verified');
    expect(await statusOf(await signedCommit({ email: 'third@example.com' }))).toBe(
      'same_user_different_email',
    );
    expect(await statusOf(await signedCommit({ email: 'mallory@example.com' }))).toBe('other_user');
  });

  it('does not trust a key that vouches for no confirmed address of its owner', async () => {
    registered = [registeredAs(['third@example.com'])];
    expect(await statusOf(await signedCommit())).toBe('unverified_key');
    registered = [registeredAs([])];
    expect(await statusOf(await signedCommit())).toBe('unverified_key');
  });

  it('knows a signature that does not fit', async () => {
    registered = [registeredAs([COMMITTER])];
    expect(await statusOf(await signedCommit({ tamper: (text) => `${text}more\n` }))).toBe('unverified');
  });

  it('tells the key of a signature that nobody has registered', async () => {
    const { body } = await signatureOf(await signedCommit()).expect(200);
    expect(body).toEqual({
      gpg_key_id: null,
      gpg_key_primary_keyid: key.getKeyID().toHex().toUpperCase(),
      gpg_key_user_name: null,
      gpg_key_user_email: null,
      verification_status: 'unknown_key',
      gpg_key_subkey_id: null,
    });
  });

  it('names the subkey that signed', async () => {
    const plain = key;
    key = await newKey([{ sign: true }]);
    registered = [registeredAs([COMMITTER])];
    const { body } = await signatureOf(await signedCommit()).expect(200);
    const [subkey] = key.getSubkeys();
    expect(body).toMatchObject({
      verification_status: 'verified',
      gpg_key_primary_keyid: key.getKeyID().toHex().toUpperCase(),
      gpg_key_subkey_id: subkey?.getKeyID().toHex().toUpperCase(),
    });
    key = plain;
  });

  it('is not there for an unsigned commit', async () => {
    const { status, body } = await signatureOf(project.tip);
    expect([status, body]).toEqual(NOT_SIGNED);
  });

  it.each([
    ['an SSH signature', '-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----'],
    ['an X.509 signature', '-----BEGIN SIGNED MESSAGE-----\nMIIB\n-----END SIGNED MESSAGE-----'],
    ['a damaged one', '-----BEGIN PGP SIGNATURE-----\n\n!!!!\n-----END PGP SIGNATURE-----'],
    ['another armor', '-----BEGIN PGP MESSAGE-----\n\nyw==\n-----END PGP MESSAGE-----'],
    ['an endless one', `-----BEGIN PGP SIGNATURE-----\n\n${'A'.repeat(1_000_000)}`],
    ['none but the header', 'x'],
  ])('is not there for %s', async (_what, armor) => {
    const { status, body } = await signatureOf(await signedCommit({ armor }));
    expect([status, body]).toEqual(NOT_SIGNED);
  });

  it('finds no unknown commit', async () => {
    const { status, body } = await signatureOf('nope');
    expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('is for whoever reads the code', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id, tip }) =>
      api.get(`/projects/${id}/repository/commits/${tip}/signature`),
    );
    // 404 for those who may read: the commit is not signed.
    expect(row).toEqual({ ...Object.fromEntries(Object.keys(row).map((who) => [who, 404])), guest: 403 });
  });
});
