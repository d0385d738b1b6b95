import type { ValidationErrors } from '#libs/errors';
import { enums, readKeys, type PublicKey, type Subkey } from 'openpgp';

/** Somebody for whom a key speaks, by its own signature. */
export interface KeyUserId {
  readonly name: string;
  readonly email: string;
}

/** An OpenPGP public key as far as commits need it. Ids and fingerprints are hexadecimal in upper case. */
export interface PublicKeyBlock {
  /** Armored, as it was sent, without white space around it. */
  readonly text: string;
  readonly fingerprint: string;
  readonly keyId: string;
  /** Of the subkeys that sign, and that the key can prove to be its own. */
  readonly subkeyIds: readonly string[];
  readonly userIds: readonly KeyUserId[];
}

const BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const END = '-----END PGP PUBLIC KEY BLOCK-----';
/** Keys that many people have certified grow; what they say beyond this is of no use here. */
const MAX_LENGTH = 200_000;
const MAX_PARTS = 200;

const MALFORMED: ValidationErrors = {
  key: [`is invalid. A valid public GPG key begins with '${BEGIN}' and ends with '${END}'`],
};

/** Reads exactly one armored public key. Answers what is wrong with anything else, private keys above all. */
export async function readPublicKeyBlock(
  sent: string,
): Promise<PublicKeyBlock | { readonly errors: ValidationErrors }> {
  const text = sent.trim();
  if (text.length > MAX_LENGTH)
    return { errors: { key: [`is too long (maximum is ${MAX_LENGTH} characters)`] } };
  const key = isOneBlock(text) ? await parsed(text) : null;
  if (!key) return { errors: MALFORMED };
  return {
    text,
    fingerprint: key.getFingerprint().toUpperCase(),
    keyId: idOf(key),
    subkeyIds: await signingSubkeyIds(key),
    userIds: await certifiedUserIds(key),
  };
}

const isOneBlock = (text: string): boolean =>
  text.startsWith(BEGIN) && text.endsWith(END) && text.split('-----BEGIN ').length === 2;

async function parsed(text: string): Promise<PublicKey | null> {
  // Whatever the library stumbles over is no key.
  const keys = await readKeys({ armoredKeys: text }).catch(() => []);
  const [key] = keys;
  if (!key || keys.length > 1 || key.isPrivate()) return null;
  return key.subkeys.length + key.users.length > MAX_PARTS ? null : key;
}

const idOf = (key: PublicKey | Subkey): string => key.getKeyID().toHex().toUpperCase();

/**
 * Anybody can paste another's subkey or name into a key; only the holder of the subkey signs back, and only the holder
 * of the key certifies a name. Signatures are judged at the time they were made: subkeys that have expired since, or
 * are revoked, stay known, as they may have signed before.
 */
async function signingSubkeyIds(key: PublicKey): Promise<string[]> {
  const ids: string[] = [];
  for (const subkey of key.subkeys) if (await signsBack(key, subkey)) ids.push(idOf(subkey));
  return [...new Set(ids)];
}

async function signsBack({ keyPacket }: PublicKey, subkey: Subkey): Promise<boolean> {
  const bound = { key: keyPacket, bind: subkey.keyPacket };
  for (const binding of subkey.bindingSignatures) {
    const { embeddedSignature } = binding;
    if (!embeddedSignature) continue;
    try {
      await binding.verify(keyPacket, enums.signature.subkeyBinding, bound, binding.created ?? undefined);
      await embeddedSignature.verify(
        subkey.keyPacket,
        enums.signature.keyBinding,
        bound,
        embeddedSignature.created ?? undefined,
      );
      return true;
    } catch {
      // A binding that does not hold proves nothing; another one may.
    }
  }
  return false;
}

async function certifiedUserIds(key: PublicKey): Promise<KeyUserId[]> {
  const found: KeyUserId[] = [];
  for (const user of key.users) {
    // Throws for a name that is revoked or that somebody else has put there.
    const isCertified = await user.verify().catch(() => false);
    if (isCertified && user.userID) found.push({ name: user.userID.name, email: user.userID.email });
  }
  return found;
}
