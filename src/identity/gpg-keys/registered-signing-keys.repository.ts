import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { KeyUserId } from './public-key-block';
import { SigningKeys, type SigningKey } from './signing-keys';

interface Row {
  readonly id: number;
  readonly key: string;
  readonly user_id: number;
  readonly user_ids: readonly KeyUserId[];
  readonly verified: readonly string[];
}

/**
 * Two keys share an id by design alone (a subkey of both, or great effort), and only who holds a subkey can have it
 * registered: a few are enough.
 */
const MOST_KEYS_OF_ONE_ID = 10;

/** The keys that users have registered, with what is true of their owners at this moment. */
@Injectable()
export class RegisteredSigningKeys extends SigningKeys {
  constructor(private readonly database: Database) {
    super();
  }

  async withKeyId(keyId: string): Promise<readonly SigningKey[]> {
    const rows = await this.database.prepared<Row>(
      'signing_keys_by_id',
      `SELECT k.id, k.key, k.user_id, k.user_ids, ARRAY(
         SELECT lower(u.email) WHERE u.confirmed_at IS NOT NULL
         UNION SELECT lower(e.email) FROM emails e WHERE e.user_id = u.id AND e.confirmed_at IS NOT NULL) AS verified
       FROM gpg_keys k JOIN users u ON u.id = k.user_id
       WHERE k.id IN (SELECT id FROM gpg_keys WHERE key_id = $1 UNION SELECT gpg_key_id FROM gpg_subkeys WHERE key_id = $1)
         AND NOT u.pending_delete
       ORDER BY k.id LIMIT ${MOST_KEYS_OF_ONE_ID}`,
      [keyId],
    );
    return rows.map(signingKeyOf);
  }
}

function signingKeyOf({ id, key, user_id: userId, user_ids: userIds, verified }: Row): SigningKey {
  const owner = userIds.find(({ email }) => verified.includes(email.toLowerCase())) ?? userIds[0];
  return {
    id,
    armored: key,
    userId,
    userName: owner?.name ?? null,
    userEmail: owner?.email ?? null,
    vouchedEmails: userIds.map(({ email }) => email.toLowerCase()).filter((email) => email !== ''),
    verifiedEmails: verified,
  };
}
