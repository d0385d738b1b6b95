import { field, presenter } from '#libs/presenting';
import { VERIFICATION_STATUSES, type CommitSignature } from './commit-signature';

const SignatureRecord = field.object({
  gpg_key_id: field.int().nullable(),
  gpg_key_primary_keyid: field.string(),
  gpg_key_user_name: field.string().nullable(),
  gpg_key_user_email: field.string().nullable(),
  verification_status: field.enum(VERIFICATION_STATUSES),
  gpg_key_subkey_id: field.string().nullable(),
});

export const presentSignature = presenter(SignatureRecord, (signature: CommitSignature) => ({
  gpg_key_id: signature.keyId,
  gpg_key_primary_keyid: signature.primaryKeyId,
  gpg_key_user_name: signature.userName,
  gpg_key_user_email: signature.userEmail,
  verification_status: signature.status,
  gpg_key_subkey_id: signature.subkeyId,
}));
