import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** After so many failures of an account it is locked for the time of a window. */
export const MOST_FAILURES = 10;
const WINDOW = `interval '10 minutes'`;

/**
 * Failed sign-ins by account, for all nodes together. A login that belongs to nobody is counted alike, so that being
 * locked tells nothing about who has an account.
 */
@Injectable()
export class SignInFailures {
  constructor(private readonly database: Database) {}

  async isLocked(account: string): Promise<boolean> {
    const text =
      'SELECT 1 FROM sign_in_failures WHERE account = $1 AND failures >= $2 AND forgotten_at > now()';
    return (await this.database.prepared('is_locked', text, [account, MOST_FAILURES])).length > 0;
  }

  /** The first failure opens a window in which they add up; the one that reaches the limit begins the time of the lock. */
  async count(account: string): Promise<void> {
    const text = `
      INSERT INTO sign_in_failures AS known (account, failures, forgotten_at) VALUES ($1, 1, now() + ${WINDOW})
      ON CONFLICT (account) DO UPDATE SET
        failures = CASE WHEN known.forgotten_at <= now() THEN 1 ELSE known.failures + 1 END,
        forgotten_at = CASE WHEN known.forgotten_at <= now() OR known.failures + 1 = $2 THEN now() + ${WINDOW}
          ELSE known.forgotten_at END`;
    await this.database.prepared('count_sign_in_failure', text, [account, MOST_FAILURES]);
  }

  async forget(account: string): Promise<void> {
    const text = 'DELETE FROM sign_in_failures WHERE account = $1';
    await this.database.prepared('forget_sign_in_failures', text, [account]);
  }

  /** Some of those that no longer count; answers how many. */
  async removeForgotten(limit: number): Promise<number> {
    const text = `
      DELETE FROM sign_in_failures WHERE account IN (
        SELECT account FROM sign_in_failures WHERE forgotten_at <= now() ORDER BY forgotten_at LIMIT $1)
      RETURNING account`;
    return (await this.database.prepared('remove_forgotten_failures', text, [limit])).length;
  }
}
