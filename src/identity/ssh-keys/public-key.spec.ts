import { createHash, generateKeyPairSync } from 'node:crypto';
import { newSshKey } from '../../../test/support/ssh-keys';
import { fingerprintText, readPublicKey } from './public-key';
import { joined, partsOf } from './wire-parts';

const MALFORMED = { errors: { key: ['is invalid'], fingerprint: ['cannot be generated'] } };

const blobOf = (key: string): Buffer => Buffer.from(key.split(' ')[1] ?? '', 'base64');
const lineOf = (blob: Buffer): string => `${partsOf(blob)?.[0]?.toString() ?? ''} ${blob.toString('base64')}`;

/** What a security key makes of a plain one. */
function securityKey(plain: string, type: string, application = 'ssh:'): string {
  const [, ...rest] = partsOf(blobOf(plain)) ?? [];
  return lineOf(joined([Buffer.from(type), ...rest, Buffer.from(application)]));
}

const ed25519 = newSshKey();
const ecdsa = newSshKey('ecdsa');
const rsa = newSshKey('rsa', 2048);

describe('a public key', () => {
  it.each([
    ['ed25519', ed25519],
    ['ecdsa of 256 bits', ecdsa],
    ['ecdsa of 384 bits', newSshKey('ecdsa', 384)],
    ['ecdsa of 521 bits', newSshKey('ecdsa', 521)],
    ['rsa of 2048 bits', rsa],
    ['a security key, ed25519', securityKey(ed25519, 'sk-ssh-ed25519@openssh.com')],
    ['a security key, ecdsa', securityKey(ecdsa, 'sk-ecdsa-sha2-nistp256@openssh.com')],
  ])('may be %s', (_kind, key) => {
    const fingerprint = createHash('sha256').update(blobOf(key)).digest();
    expect(readPublicKey(key)).toEqual({ text: key, fingerprint });
  });

  it('has the fingerprint that ssh-keygen shows', () => {
    // Made and shown by OpenSSH 9.2.
    const key = readPublicKey(OPENSSH_KEY);
    expect('fingerprint' in key && fingerprintText(key.fingerprint)).toBe(OPENSSH_FINGERPRINT);
  });

  it('may have a comment and white space around it, which do not count for the fingerprint', () => {
    const plain = readPublicKey(ed25519);
    const commented = readPublicKey(`\n ${ed25519} me@here, ünïcode & more \n`);
    expect(commented).toEqual({ ...plain, text: `${ed25519} me@here, ünïcode & more` });
  });

  it('is refused when it is weak', () => {
    expect(readPublicKey(newSshKey('rsa', 1024))).toEqual({
      errors: { key: ['must be at least 2048 bits'] },
    });
    expect(readPublicKey(newSshKey('dsa', 2048))).toEqual({
      errors: { key: ['type is forbidden. Must be RSA, ECDSA, or ED25519'] },
    });
  });

  it('is refused when it is endless', () => {
    expect(readPublicKey(`${ed25519} ${'x'.repeat(5000)}`)).toEqual({
      errors: { key: ['is too long (maximum is 5000 characters)'] },
    });
  });

  const { privateKey } = generateKeyPairSync('ed25519');
  const offCurve = Buffer.from(blobOf(ecdsa));
  offCurve.writeUInt8(offCurve.readUInt8(offCurve.length - 1) ^ 1, offCurve.length - 1);
  const rsaParts = partsOf(blobOf(rsa)) ?? [];

  it.each([
    ['nothing', ''],
    ['words', 'not a key'],
    ['a type alone', 'ssh-ed25519'],
    ['nonsense behind the type', 'ssh-rsa AAAA'],
    ['no base64', 'ssh-rsa !!!!'],
    ['the type of another key', ed25519.replace('ssh-ed25519', 'ssh-rsa')],
    ['an unknown type', lineOf(joined([Buffer.from('ssh-magic'), Buffer.alloc(32)]))],
    ['half a key', ed25519.slice(0, -12)],
    ['a key with more behind it', lineOf(Buffer.concat([blobOf(ed25519), Buffer.alloc(3)]))],
    ['a key with a further part', lineOf(joined([...(partsOf(blobOf(ed25519)) ?? []), Buffer.from('x')]))],
    ['a length beyond the end', lineOf(Buffer.from('0000000b7373682d65643235353139ffffffff', 'hex'))],
    [
      'a modulus written with further zeros',
      lineOf(
        joined(rsaParts.map((part, index) => (index === 2 ? Buffer.concat([Buffer.alloc(2), part]) : part))),
      ),
    ],
    ['a point beside the curve', lineOf(offCurve)],
    ['a security key of no application', securityKey(ed25519, 'sk-ssh-ed25519@openssh.com', '')],
    ['a security key of the wrong kind', securityKey(ecdsa, 'sk-ssh-ed25519@openssh.com')],
    ['options', `command="id" ${ed25519}`],
    ['two keys', `${ed25519}\n${ecdsa}`],
    ['a line break in the comment', `${ed25519} one\rtwo`],
    ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['a certificate', ed25519.replace('ssh-ed25519', 'ssh-ed25519-cert-v01@openssh.com')],
    [
      'base64 with bits that say nothing',
      ecdsa.replace(/.(?==$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    ],
  ])('is refused as %s', (_what, text) => {
    expect(readPublicKey(text)).toEqual(MALFORMED);
  });

  it('never takes long to be refused', () => {
    expect(readPublicKey(`ssh-rsa ${'A '.repeat(2000)}\n`)).toEqual(MALFORMED);
  });
});

const OPENSSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMME1VonBNYd6BQpFkqOTgi7O7q48wWQMM1zw76/poZl me@here';
const OPENSSH_FINGERPRINT = 'SHA256:2+NGYkEDtZfvGa5bZdbvzUFfswpxrmOCHjQURu9GIXo';
