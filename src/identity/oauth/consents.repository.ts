import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** An application that somebody lets act for them. */
export interface AuthorizedApplication {
  readonly id: number;
  readonly name: string;
  readonly scopes: string[];
  readonly since: Date;
}

/** What a person has allowed to whom. */
@Injectable()
export class ConsentsRepository {
  constructor(private readonly database: Database) {}

  /** Whether a live grant to the application has all these scopes. */
  async covers(userId: number, applicationId: number, scopes: readonly string[]): Promise<boolean> {
    const found = await this.database.prepared(
      'oauth_consent_covers',
      `SELECT 1 FROM oauth_grants
       WHERE user_id = $1 AND application_id = $2 AND scopes @> $3::text[] AND revoked_at IS NULL AND ends_at > now()
       LIMIT 1`,
      [userId, applicationId, scopes],
    );
    return found.length > 0;
  }

  /** At most `limit`, by name. */
  ofUser(userId: number, limit: number): Promise<AuthorizedApplication[]> {
    return this.database.prepared<AuthorizedApplication & Record<string, unknown>>(
      'oauth_consents_of_user',
      `SELECT a.id, a.name, array_agg(DISTINCT scope ORDER BY scope) AS scopes, min(g.created_at) AS since
       FROM oauth_grants g JOIN oauth_applications a ON a.id = g.application_id CROSS JOIN unnest(g.scopes) AS scope
       WHERE g.user_id = $1 AND g.revoked_at IS NULL AND g.ends_at > now()
       GROUP BY a.id, a.name ORDER BY a.name, a.id LIMIT $2`,
      [userId, limit],
    );
  }

  /** Everything the application was allowed, with all its tokens. False when it was allowed nothing. */
  revoke(userId: number, applicationId: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const revoked = await this.database.prepared<{ id: number }>(
        'revoke_oauth_consent',
        `UPDATE oauth_grants SET revoked_at = now()
         WHERE user_id = $1 AND application_id = $2 AND revoked_at IS NULL RETURNING id`,
        [userId, applicationId],
      );
      await this.database.prepared(
        'revoke_tokens_of_oauth_consent',
        `UPDATE access_tokens SET revoked_at = now(), updated_at = now()
         WHERE grant_id = ANY($1) AND revoked_at IS NULL`,
        [revoked.map(({ id }) => id)],
      );
      return revoked.length > 0;
    });
  }
}
