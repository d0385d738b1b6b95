import { createHash, createPublicKey } from 'node:crypto';
import type { ValidationErrors } from '#libs/errors';
import { parseKey, type Key } from 'sshpk';
import { joined, partsOf } from './wire-parts';

/** A public key in the form of an authorized_keys line without options. */
export interface PublicKey {
  /** As it was sent, without white space around it. */
  readonly text: string;
  /** SHA-256 over the key itself, so that a comment makes no difference. */
  readonly fingerprint: Buffer;
}

const MAX_LENGTH = 5000;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 16_384;

/** One line: type, key, comment. Options, private keys and several keys do not fit. */
const LINE = /^(?<type>[a-z0-9@.-]+)[ \t]+(?<base64>[A-Za-z0-9+/]+={0,2})(?:[ \t][^\p{Cc}]*)?$/u;

/** The key types taken. A security key holds a plain key and the name of its application; the library knows plain ones. */
const TYPES = new Map([
  ['ssh-rsa', { plain: 'ssh-rsa', isSecurityKey: false }],
  ['ssh-ed25519', { plain: 'ssh-ed25519', isSecurityKey: false }],
  ['ecdsa-sha2-nistp256', { plain: 'ecdsa-sha2-nistp256', isSecurityKey: false }],
  ['ecdsa-sha2-nistp384', { plain: 'ecdsa-sha2-nistp384', isSecurityKey: false }],
  ['ecdsa-sha2-nistp521', { plain: 'ecdsa-sha2-nistp521', isSecurityKey: false }],
  ['sk-ssh-ed25519@openssh.com', { plain: 'ssh-ed25519', isSecurityKey: true }],
  ['sk-ecdsa-sha2-nistp256@openssh.com', { plain: 'ecdsa-sha2-nistp256', isSecurityKey: true }],
]);

const MALFORMED: ValidationErrors = { key: ['is invalid'], fingerprint: ['cannot be generated'] };

/** Reads a public key. Answers what is wrong with one that is malformed or too weak. */
export function readPublicKey(sent: string): PublicKey | { readonly errors: ValidationErrors } {
  const text = sent.trim();
  if (text.length > MAX_LENGTH)
    return { errors: { key: [`is too long (maximum is ${MAX_LENGTH} characters)`] } };
  const { type = '', base64 = '' } = LINE.exec(text)?.groups ?? {};
  if (type === 'ssh-dss') {
    return { errors: { key: ['type is forbidden. Must be RSA, ECDSA, or ED25519'] } };
  }
  const blob = Buffer.from(base64, 'base64');
  const key = blob.toString('base64') === base64 ? parsed(type, blob) : null;
  if (!key) return { errors: MALFORMED };
  const weakness = weaknessOf(key);
  if (weakness !== null) return { errors: { key: [weakness] } };
  return { text, fingerprint: createHash('sha256').update(blob).digest() };
}

/** As ssh-keygen prints it. */
export const fingerprintText = (fingerprint: Buffer): string =>
  `SHA256:${fingerprint.toString('base64').replace(/=+$/, '')}`;

/** Null for anything but the one encoding of a key: another encoding would have a fingerprint of its own. */
function parsed(type: string, blob: Buffer): Key | null {
  const expected = TYPES.get(type);
  const parts = partsOf(blob);
  if (!expected || parts?.[0]?.toString('latin1') !== type) return null;
  const application = expected.isSecurityKey ? parts.pop() : null;
  if (application?.length === 0) return null;
  const plain = joined([Buffer.from(expected.plain), ...parts.slice(1)]);
  try {
    const key = parseKey(plain, 'rfc4253');
    if (!key.toBuffer('rfc4253').equals(plain)) return null;
    // The library reads points without asking whether they are on the curve; OpenSSL asks.
    createPublicKey(key.toString('pkcs8'));
    return key;
  } catch {
    // Whatever either of them stumbles over is no key.
    return null;
  }
}

function weaknessOf({ type, size }: Key): string | null {
  if (type !== 'rsa') return null;
  if (size < MIN_RSA_BITS) return `must be at least ${MIN_RSA_BITS} bits`;
  return size > MAX_RSA_BITS ? `must be at most ${MAX_RSA_BITS} bits` : null;
}
