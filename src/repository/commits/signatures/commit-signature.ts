export const VERIFICATION_STATUSES = [
  'unverified',
  'verified',
  'same_user_different_email',
  'other_user',
  'unverified_key',
  'unknown_key',
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** What is known of the OpenPGP signature on a commit. */
export interface CommitSignature {
  /** Database id of the registered key; null for an unknown one. */
  readonly keyId: number | null;
  /** 16 upper-case hexadecimal digits. */
  readonly primaryKeyId: string;
  readonly userName: string | null;
  readonly userEmail: string | null;
  readonly status: VerificationStatus;
  /** The subkey that signed, null where the primary key did. */
  readonly subkeyId: string | null;
}
