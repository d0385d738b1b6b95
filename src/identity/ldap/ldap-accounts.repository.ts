import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { UserState } from '../users/user.entity';

/** An account that a directory knows, with what it is compared by. */
export interface LdapAccount {
  readonly userId: number;
  /** In lower case. */
  readonly externUid: string;
  readonly name: string;
  readonly email: string;
  readonly state: UserState;
}

/** The name under which a provider keeps somebody. */
export interface LdapIdentity {
  readonly provider: string;
  readonly externUid: string;
}

/** What a directory may change of an account. */
export interface LdapAccountChanges {
  readonly name: string;
  readonly email: string;
}

const COLUMNS = `i.user_id AS "userId", lower(i.extern_uid) AS "externUid", u.name, u.email, u.state`;
const LIVE_USER = `u.id = i.user_id AND u.kind = 'human' AND NOT u.pending_delete`;

@Injectable()
export class LdapAccountsRepository {
  constructor(private readonly database: Database) {}

  /** The accounts with these normalised names: one query, and one look into the unique index for each. */
  byExternUids(provider: string, externUids: readonly string[]): Promise<LdapAccount[]> {
    return this.database.prepared<LdapAccount>(
      'ldap_accounts_by_extern_uids',
      `SELECT ${COLUMNS}
       FROM (SELECT DISTINCT lower(name) AS name FROM unnest($2::text[]) AS name) wanted
       CROSS JOIN LATERAL (
         SELECT user_id, extern_uid FROM identities
         WHERE provider = $1 AND lower(extern_uid) = wanted.name AND coalesce(saml_provider_id, 0) = 0 LIMIT 1) i
       JOIN users u ON ${LIVE_USER}`,
      [provider, externUids],
    );
  }

  /** Accounts of the provider in the order of user ids, those after `userId`. */
  after(provider: string, userId: number, limit: number): Promise<LdapAccount[]> {
    return this.database.prepared<LdapAccount>(
      'ldap_accounts_after',
      `SELECT ${COLUMNS} FROM identities i JOIN users u ON ${LIVE_USER}
       WHERE i.provider = $1 AND i.saml_provider_id IS NULL AND i.user_id > $2 ORDER BY i.user_id LIMIT $3`,
      [provider, userId, limit],
    );
  }

  /** The user's accounts at these providers. */
  identitiesOf(userId: number, providers: readonly string[]): Promise<LdapIdentity[]> {
    return this.database.prepared<LdapIdentity>(
      'ldap_identities_of_user',
      `SELECT provider, extern_uid AS "externUid" FROM identities
       WHERE user_id = $1 AND provider = ANY($2::text[]) AND saml_provider_id IS NULL ORDER BY id`,
      [userId, providers],
    );
  }

  /** The same name in its normalised spelling; stays as it is where somebody has that one. */
  async respell(provider: string, externUid: string, normalized: string): Promise<void> {
    await this.database.prepared(
      'respell_ldap_identity',
      `UPDATE identities i SET extern_uid = $3, updated_at = now()
       WHERE i.provider = $1 AND lower(i.extern_uid) = lower($2) AND coalesce(i.saml_provider_id, 0) = 0
         AND NOT EXISTS (SELECT 1 FROM identities other
           WHERE other.provider = $1 AND lower(other.extern_uid) = lower($3)
             AND coalesce(other.saml_provider_id, 0) = 0 AND other.id <> i.id)`,
      [provider, externUid, normalized],
    );
  }

  /** The user whose confirmed primary e-mail this is. */
  async userIdByEmail(email: string): Promise<number | null> {
    const text = `SELECT id FROM users
      WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL AND kind = 'human' AND NOT pending_delete`;
    const [row] = await this.database.prepared<{ id: number }>('user_by_confirmed_email', text, [email]);
    return row?.id ?? null;
  }

  /**
   * The directory vouches for the e-mail; the personal namespace bears the name too. Throws the driver's error when
   * somebody else has the e-mail.
   */
  async change(userId: number, { name, email }: LdapAccountChanges): Promise<void> {
    await this.database.prepared(
      'change_ldap_account',
      `WITH changed AS (
         UPDATE users SET name = $2, email = $3, unconfirmed_email = CASE WHEN email = $3 THEN unconfirmed_email END,
           public_email = CASE WHEN lower(public_email) = lower(email) AND public_email <> '' THEN $3 ELSE public_email END,
           confirmed_at = coalesce(confirmed_at, now()), updated_at = now()
         WHERE id = $1)
       UPDATE namespaces SET name = $2, updated_at = now() WHERE owner_id = $1 AND name <> $2`,
      [userId, name, email],
    );
  }

  /**
   * The directory has let the user in: what it had blocked is open again, and a password that was set here and has to be
   * changed is none that counts. Who was blocked by an administrator stays so.
   */
  async admit(userId: number): Promise<void> {
    await this.database.prepared(
      'admit_ldap_account',
      `UPDATE users SET state = CASE WHEN state = 'ldap_blocked' THEN 'active' ELSE state END,
         password_expires_at = NULL, updated_at = now()
       WHERE id = $1 AND (state = 'ldap_blocked' OR password_expires_at IS NOT NULL)`,
      [userId],
    );
  }

  /** The directory has the account again. Leaves those alone that administrators blocked. */
  async unblock(userIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'unblock_ldap_accounts',
      `UPDATE users SET state = 'active', updated_at = now() WHERE id = ANY($1::bigint[]) AND state = 'ldap_blocked'`,
      [userIds],
    );
  }

  /** Answers those that were not blocked before. Administrators stay where no other active one would be left. */
  async block(userIds: readonly number[]): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'block_ldap_accounts',
      `UPDATE users SET state = 'ldap_blocked', updated_at = now()
       WHERE id = ANY($1::bigint[]) AND state IN ('active', 'deactivated') AND NOT (is_admin AND NOT EXISTS (
         SELECT 1 FROM users other
         WHERE other.is_admin AND other.state = 'active' AND NOT other.pending_delete AND other.id <> ALL($1::bigint[])))
       RETURNING id`,
      [userIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Makes exactly these of the provider's accounts administrators; one active administrator always stays. */
  async keepAdministrators(provider: string, userIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'raise_ldap_administrators',
      'UPDATE users SET is_admin = true, updated_at = now() WHERE id = ANY($1::bigint[]) AND NOT is_admin',
      [userIds],
    );
    await this.database.prepared(
      'lower_ldap_administrators',
      `UPDATE users u SET is_admin = false, updated_at = now()
       WHERE u.is_admin AND u.id <> ALL($2::bigint[])
         AND EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id AND i.provider = $1)
         AND EXISTS (SELECT 1 FROM users other WHERE other.is_admin AND other.state = 'active'
           AND NOT other.pending_delete
           AND (other.id = ANY($2::bigint[])
             OR NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = other.id AND i.provider = $1)))`,
      [provider, userIds],
    );
  }

  /** Makes exactly these of the provider's accounts external. */
  async keepExternal(provider: string, userIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'mark_external_ldap_accounts',
      `UPDATE users u SET is_external = u.id = ANY($2::bigint[]), updated_at = now()
       FROM identities i
       WHERE i.user_id = u.id AND i.provider = $1 AND u.is_external <> (u.id = ANY($2::bigint[]))`,
      [provider, userIds],
    );
  }
}
