import type { SignedPayload } from '#libs/git';
import { createMessage, readKey, readSignature, verify, type PublicKey } from 'openpgp';
import type { SigningKey } from '../../../identity/identity.api';
import type { CommitSignature, VerificationStatus } from './commit-signature';

/** Many times what the largest keys make; a commit can carry megabytes under that name. */
const LONGEST_SIGNATURE = 64 * 1024;

/** The key id that a signature names, upper case; null where the armor holds no OpenPGP signature. */
export async function issuerOf({ signature }: SignedPayload): Promise<string | null> {
  if (signature.length > LONGEST_SIGNATURE || !signature.includes('BEGIN PGP')) return null;
  const parsed = await readSignature({ armoredSignature: signature }).catch(() => null);
  return parsed?.packets[0]?.issuerKeyID.toHex().toUpperCase() ?? null;
}

/** What to say of a signature whose key nobody has registered. */
export const unknownKey = (issuer: string): CommitSignature => ({
  keyId: null,
  primaryKeyId: issuer,
  userName: null,
  userEmail: null,
  status: 'unknown_key',
  subkeyId: null,
});

/** Checks a signature against the registered key that its issuer id names. */
export async function verifySignature(
  signed: SignedPayload,
  issuer: string,
  key: SigningKey,
  committerEmail: string,
): Promise<CommitSignature> {
  const publicKey = await readKey({ armoredKey: key.armored });
  const primaryKeyId = publicKey.getKeyID().toHex().toUpperCase();
  const isGood = await signatureIsGood(signed, publicKey);
  return {
    keyId: key.id,
    primaryKeyId,
    userName: key.userName,
    userEmail: key.userEmail,
    status: isGood ? ownership(key, committerEmail.toLowerCase()) : 'unverified',
    subkeyId: issuer === primaryKeyId ? null : issuer,
  };
}

async function signatureIsGood(
  { signature, payload }: SignedPayload,
  verificationKeys: PublicKey,
): Promise<boolean> {
  const message = await createMessage({ binary: Uint8Array.from(payload) });
  const result = await verify({
    message,
    signature: await readSignature({ armoredSignature: signature }),
    verificationKeys,
    format: 'binary',
  });
  const [first] = result.signatures;
  return first?.verified.catch(() => false) ?? false;
}

/**
 * The reference's rule: whose address the committer's is, and whether the key vouches for it. Addresses that are not
 * confirmed count for nothing: anybody can enter them.
 */
function ownership(
  { verifiedEmails, vouchedEmails }: SigningKey,
  committerEmail: string,
): VerificationStatus {
  const ownsAddress = verifiedEmails.includes(committerEmail);
  const keyIsOwners = vouchedEmails.some((email) => verifiedEmails.includes(email));
  if (!keyIsOwners) return 'unverified_key';
  if (ownsAddress) return vouchedEmails.includes(committerEmail) ? 'verified' : 'same_user_different_email';
  return 'other_user';
}
