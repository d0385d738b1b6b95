import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/**
 * Each kind, with the index by which it is found. Tokens and grants are kept a day longer, so that a client that comes
 * late is told that its token has expired, not that there is none.
 */
const REMAINS = {
  codes: batchOf('oauth_codes', 'digest', 'expires_at', `now()`),
  refreshTokens: batchOf('oauth_refresh_tokens', 'digest', 'expires_at', `now()`),
  accessTokens: batchOf('access_tokens', 'id', 'expires_at', `now() - interval '1 day' AND kind = 'oauth'`),
  grants: batchOf('oauth_grants', 'id', 'ends_at', `now() - interval '1 day'`),
} as const;

function batchOf(table: string, key: string, column: string, before: string): string {
  return `DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${column} < ${before} ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1`;
}

/** What is left of OAuth's codes, tokens and grants when their time is over. */
@Injectable()
export class OAuthRemainsRepository {
  constructor(private readonly database: Database) {}

  /** Removes at most `limit`, the oldest first; answers how many. */
  async remove(kind: keyof typeof REMAINS, limit: number): Promise<number> {
    return (await this.database.prepared(`remove_oauth_${kind}`, REMAINS[kind], [limit])).length;
  }
}
