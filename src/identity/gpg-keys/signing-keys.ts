/** A user's OpenPGP key as far as checking a signature needs it. */
export interface SigningKey {
  readonly id: number;
  /** Armored public key block, subkeys included. */
  readonly armored: string;
  readonly userId: number;
  /** Name and address by which the key calls its owner; an address that is confirmed as theirs, where it has one. */
  readonly userName: string | null;
  readonly userEmail: string | null;
  /** The addresses for which the key speaks by its own signature, in lower case. */
  readonly vouchedEmails: readonly string[];
  /** The addresses of the owner that are confirmed, in lower case. */
  readonly verifiedEmails: readonly string[];
}

/** The GPG keys that users have registered. */
export abstract class SigningKeys {
  /** Registered keys with a primary key or subkey of this 16-digit key id (upper case). */
  abstract withKeyId(keyId: string): Promise<readonly SigningKey[]>;
}
