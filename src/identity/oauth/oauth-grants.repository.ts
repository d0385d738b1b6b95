import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What a code or token stands on: which client may do what for whom. */
export interface GrantFacts {
  readonly grantId: number;
  /** Null where no client took part. */
  readonly clientUid: string | null;
  /** Null where an application acts for itself. */
  readonly user: { readonly id: number; readonly isAdmin: boolean } | null;
  readonly scopes: string[];
  /** Revoked, or its user is blocked or being deleted. */
  readonly isDead: boolean;
}

export interface KeptCode extends GrantFacts {
  readonly redirectUri: string;
  /** By S256. */
  readonly codeChallenge: string | null;
  readonly expiresAt: Date;
}

export interface KeptToken extends GrantFacts {
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface NewGrant {
  readonly applicationId: number | null;
  readonly userId: number | null;
  readonly scopes: readonly string[];
  readonly endsAt: Date;
}

export interface NewCode {
  readonly digest: Buffer;
  readonly grantId: number;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly expiresAt: Date;
}

export interface NewTokens {
  readonly grantId: number;
  readonly userId: number | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly access: { readonly digest: Buffer; readonly expiresAt: Date };
  readonly refresh: { readonly digest: Buffer; readonly expiresAt: Date } | null;
}

interface GrantRow {
  grant_id: number;
  client_uid: string | null;
  user_id: number | null;
  is_admin: boolean | null;
  scopes: string[];
  is_dead: boolean;
}

const GRANT = `
  g.id AS grant_id, a.uid AS client_uid, u.id AS user_id, u.is_admin,
  g.revoked_at IS NOT NULL
    OR coalesce(u.state IN ('blocked', 'ldap_blocked') OR u.pending_delete OR u.kind <> 'human', false) AS is_dead`;
const GRANT_TABLES = `
  JOIN oauth_grants g ON g.id = t.grant_id
  LEFT JOIN oauth_applications a ON a.id = g.application_id
  LEFT JOIN users u ON u.id = g.user_id`;

/** Grants, and the codes and tokens that follow from them. */
@Injectable()
export class OAuthGrantsRepository {
  constructor(private readonly database: Database) {}

  /** Null where the application or the user is gone, or goes at this moment. */
  async insertGrant({ applicationId, userId, scopes, endsAt }: NewGrant): Promise<number | null> {
    // The locks wait for whoever is deleting the one or the other, and then there is nothing to insert.
    const [row] = await this.database.prepared<{ id: number }>(
      'insert_oauth_grant',
      `INSERT INTO oauth_grants (application_id, user_id, scopes, ends_at)
       SELECT $1::bigint, $2::bigint, $3, $4
       WHERE ($1 IS NULL OR EXISTS (SELECT 1 FROM oauth_applications WHERE id = $1 FOR KEY SHARE))
         AND ($2 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = $2 AND NOT pending_delete FOR KEY SHARE))
       RETURNING id`,
      [applicationId, userId, scopes, endsAt],
    );
    return row?.id ?? null;
  }

  async insertCode(code: NewCode): Promise<void> {
    await this.database.prepared(
      'insert_oauth_code',
      `INSERT INTO oauth_codes (digest, grant_id, redirect_uri, code_challenge, expires_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [code.digest, code.grantId, code.redirectUri, code.codeChallenge, code.expiresAt],
    );
  }

  /** Used ones too. Until the end of the transaction nobody else uses or revokes anything of its grant. */
  async lockCode(digest: Buffer): Promise<KeptCode | null> {
    const [row] = await this.database.prepared<
      GrantRow & {
        redirect_uri: string;
        code_challenge: string | null;
        expires_at: Date;
      }
    >(
      'lock_oauth_code',
      `SELECT t.redirect_uri, t.code_challenge, t.expires_at, g.scopes, ${GRANT}
       FROM oauth_codes t ${GRANT_TABLES} WHERE t.digest = $1 FOR UPDATE OF g`,
      [digest],
    );
    if (!row) return null;
    return {
      ...factsOf(row),
      redirectUri: row.redirect_uri,
      codeChallenge: row.code_challenge,
      expiresAt: row.expires_at,
    };
  }

  /** False when it was used before. */
  useCode(digest: Buffer): Promise<boolean> {
    return this.use('use_oauth_code', 'oauth_codes', digest);
  }

  /** Used ones too. Until the end of the transaction nobody else uses or revokes anything of its grant. */
  async lockRefreshToken(digest: Buffer): Promise<(GrantFacts & { readonly expiresAt: Date }) | null> {
    const [row] = await this.database.prepared<GrantRow & { expires_at: Date }>(
      'lock_oauth_refresh_token',
      `SELECT t.expires_at, g.scopes, ${GRANT}
       FROM oauth_refresh_tokens t ${GRANT_TABLES} WHERE t.digest = $1 FOR UPDATE OF g`,
      [digest],
    );
    return row ? { ...factsOf(row), expiresAt: row.expires_at } : null;
  }

  /** False when it was used before. */
  useRefreshToken(digest: Buffer): Promise<boolean> {
    return this.use('use_oauth_refresh_token', 'oauth_refresh_tokens', digest);
  }

  /** Null for an unknown, expired or revoked one. */
  async findAccessToken(digest: Buffer): Promise<KeptToken | null> {
    const [row] = await this.database.prepared<GrantRow & { expires_at: Date; created_at: Date }>(
      'live_oauth_access_token',
      `SELECT t.expires_at, t.created_at, t.scopes, ${GRANT} FROM access_tokens t ${GRANT_TABLES}
       WHERE t.digest = $1 AND t.kind = 'oauth' AND t.revoked_at IS NULL AND t.expires_at > now()`,
      [digest],
    );
    return row ? { ...factsOf(row), expiresAt: row.expires_at, createdAt: row.created_at } : null;
  }

  /** The grant behind an access or refresh token, whatever its condition. */
  async findGrantOfToken(digest: Buffer): Promise<{ grantId: number; clientUid: string | null } | null> {
    const [row] = await this.database.prepared<{ grant_id: number; client_uid: string | null }>(
      'oauth_grant_of_token',
      `SELECT g.id AS grant_id, a.uid AS client_uid
       FROM (SELECT grant_id FROM access_tokens WHERE digest = $1 AND kind = 'oauth'
             UNION ALL SELECT grant_id FROM oauth_refresh_tokens WHERE digest = $1) t
       JOIN oauth_grants g ON g.id = t.grant_id LEFT JOIN oauth_applications a ON a.id = g.application_id`,
      [digest],
    );
    return row ? { grantId: row.grant_id, clientUid: row.client_uid } : null;
  }

  /** Inside of a transaction. Answers when the access token was made; the grant lasts as long as the later of the two. */
  async insertTokens(tokens: NewTokens): Promise<Date> {
    const { grantId, userId, name, scopes, access, refresh } = tokens;
    const [row] = await this.database.prepared<{ created_at: Date }>(
      'insert_oauth_access_token',
      `INSERT INTO access_tokens (kind, user_id, name, digest, scopes, expires_at, grant_id)
       VALUES ('oauth', $1, $2, $3, $4, $5, $6) RETURNING created_at`,
      [userId, name, access.digest, scopes, access.expiresAt, grantId],
    );
    if (!row) throw new Error('an insert that returns gives a row');
    if (refresh) {
      await this.database.prepared(
        'insert_oauth_refresh_token',
        'INSERT INTO oauth_refresh_tokens (digest, grant_id, expires_at) VALUES ($1, $2, $3)',
        [refresh.digest, grantId, refresh.expiresAt],
      );
    }
    await this.database.prepared(
      'prolong_oauth_grant',
      'UPDATE oauth_grants SET ends_at = greatest(ends_at, $2) WHERE id = $1',
      [grantId, refresh?.expiresAt ?? access.expiresAt],
    );
    return row.created_at;
  }

  /** The refresh token that comes next takes the place of these. */
  async revokeAccessTokens(grantId: number): Promise<void> {
    await this.database.prepared(
      'revoke_oauth_access_tokens',
      `UPDATE access_tokens SET revoked_at = now(), updated_at = now()
       WHERE grant_id = $1 AND revoked_at IS NULL`,
      [grantId],
    );
  }

  /** With all its tokens, for good. */
  async revokeGrant(grantId: number): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.prepared(
        'revoke_oauth_grant',
        'UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1',
        [grantId],
      );
      await this.revokeAccessTokens(grantId);
    });
  }

  private async use(name: string, table: 'oauth_codes' | 'oauth_refresh_tokens', digest: Buffer) {
    const text = `UPDATE ${table} SET used_at = now() WHERE digest = $1 AND used_at IS NULL RETURNING 1`;
    return (await this.database.prepared(name, text, [digest])).length > 0;
  }
}

const factsOf = (row: GrantRow): GrantFacts => ({
  grantId: row.grant_id,
  clientUid: row.client_uid,
  user: row.user_id === null ? null : { id: row.user_id, isAdmin: row.is_admin ?? false },
  scopes: row.scopes,
  isDead: row.is_dead,
});
