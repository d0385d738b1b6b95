import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { ScimGroup } from '../gate/scim-group';
import type { ScimUser } from './scim-user';
import type { Key } from './user-filter';

type Row = Omit<ScimUser, 'groupPath'> & Record<string, unknown>;

/** Whom the provider `$1` knows: who has an identity, and who was put to sleep. */
const KNOWN = `(
  SELECT i.user_id, i.extern_uid, true AS active, i.created_at, i.updated_at FROM identities i
  WHERE i.saml_provider_id = $1
  UNION ALL
  SELECT s.user_id, s.extern_uid, false, s.created_at, s.updated_at FROM scim_accounts s
  WHERE s.saml_provider_id = $1 AND s.state = 'inactive')`;

const USERS = `
  SELECT k.user_id AS "userId", k.extern_uid AS "externUid", k.active, u.name, u.username, u.email,
    a.user_name AS "sentUserName", a.given_name AS "givenName", a.family_name AS "familyName",
    coalesce(a.provisioned, false) AS provisioned, k.created_at AS "createdAt",
    greatest(u.updated_at, k.updated_at, a.updated_at) AS "updatedAt"
  FROM ${KNOWN} k
  JOIN users u ON u.id = k.user_id AND NOT u.pending_delete
  LEFT JOIN scim_accounts a ON a.saml_provider_id = $1 AND a.user_id = k.user_id`;

/**
 * By a sent name first: a username may be somebody else's who was there before. Candidates come as an array, so that
 * they are looked up among those whom the provider knows, and not these gone through.
 */
const BY: Readonly<Record<Key, string>> = {
  id: 'WHERE lower(k.extern_uid) = lower($2) ORDER BY k.active DESC LIMIT 1',
  userName: `WHERE k.user_id = ANY (ARRAY(
      SELECT u.id FROM users u WHERE lower(u.username) = lower($2)
      UNION ALL SELECT s.user_id FROM scim_accounts s WHERE s.saml_provider_id = $1 AND lower(s.user_name) = lower($2)))
    ORDER BY lower(a.user_name) IS NOT DISTINCT FROM lower($2) DESC, k.active DESC, k.user_id LIMIT 1`,
  email:
    'WHERE k.user_id = (SELECT u.id FROM users u WHERE lower(u.email) = lower($2)) ORDER BY k.active DESC LIMIT 1',
};

export interface SentNames {
  readonly userName?: string | undefined;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
}

export type AccountState = 'active' | 'inactive' | 'removed';

/** Who is no longer in the group, as far as the provider knows. */
export interface FormerUser {
  readonly userId: number;
}

@Injectable()
export class ScimUsersRepository {
  constructor(private readonly database: Database) {}

  async find({ samlProviderId, fullPath }: ScimGroup, key: Key, value: string): Promise<ScimUser | null> {
    const [row] = await this.database.prepared<Row>(`scim_user_by_${key}`, `${USERS} ${BY[key]}`, [
      samlProviderId,
      value,
    ]);
    return row ? { ...row, groupPath: fullPath } : null;
  }

  /** In the order of user ids; `offset` from 0. */
  async page(
    { samlProviderId, fullPath }: ScimGroup,
    offset: number,
    limit: number,
  ): Promise<{ users: ScimUser[]; total: number }> {
    const counted = await this.database.prepared<{ total: number }>(
      'count_scim_users',
      `SELECT count(*)::int AS total FROM ${KNOWN} k JOIN users u ON u.id = k.user_id AND NOT u.pending_delete`,
      [samlProviderId],
    );
    const rows = await this.database.prepared<Row>(
      'page_of_scim_users',
      `${USERS} ORDER BY k.user_id LIMIT $2 OFFSET $3`,
      [samlProviderId, limit, offset],
    );
    return { users: rows.map((row) => ({ ...row, groupPath: fullPath })), total: counted[0]?.total ?? 0 };
  }

  /** Makes requests about the same id wait for each other until the transaction ends. */
  async lock({ samlProviderId }: ScimGroup, externUid: string): Promise<void> {
    const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    await this.database.prepared('lock_scim_user', text, [
      `scim ${samlProviderId} ${externUid.toLowerCase()}`,
    ]);
  }

  /** The account that had the id until the provider took it out of the group. */
  async former({ samlProviderId }: ScimGroup, externUid: string): Promise<FormerUser | null> {
    const [row] = await this.database.prepared<{ userId: number }>(
      'former_scim_user',
      `SELECT user_id AS "userId" FROM scim_accounts
       WHERE saml_provider_id = $1 AND lower(extern_uid) = lower($2) AND state <> 'active'`,
      [samlProviderId, externUid],
    );
    return row ?? null;
  }

  /** Whether somebody else has the id in this group, or had it. */
  async idIsTaken({ samlProviderId }: ScimGroup, externUid: string, exceptUserId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'scim_id_is_taken',
      `SELECT 1 FROM identities WHERE saml_provider_id = $1 AND lower(extern_uid) = lower($2) AND user_id <> $3
       UNION ALL
       SELECT 1 FROM scim_accounts WHERE saml_provider_id = $1 AND lower(extern_uid) = lower($2) AND user_id <> $3 LIMIT 1`,
      [samlProviderId, externUid, exceptUserId],
    );
    return rows.length > 0;
  }

  /** Notes what the provider says of a user. Names that it does not say stay. `provisioned` once is so for ever. */
  async note(
    { samlProviderId }: ScimGroup,
    { userId, externUid }: Pick<ScimUser, 'userId' | 'externUid'>,
    state: AccountState,
    names: SentNames = {},
    provisioned = false,
  ): Promise<void> {
    await this.database.prepared(
      'note_scim_account',
      `INSERT INTO scim_accounts AS a
         (saml_provider_id, user_id, extern_uid, state, user_name, given_name, family_name, provisioned)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (saml_provider_id, user_id) DO UPDATE SET
         extern_uid = excluded.extern_uid, state = excluded.state,
         user_name = coalesce(excluded.user_name, a.user_name),
         given_name = coalesce(excluded.given_name, a.given_name),
         family_name = coalesce(excluded.family_name, a.family_name),
         provisioned = a.provisioned OR excluded.provisioned, updated_at = now()`,
      [
        samlProviderId,
        userId,
        externUid,
        state,
        names.userName ?? null,
        names.givenName ?? null,
        names.familyName ?? null,
        provisioned,
      ],
    );
  }
}
