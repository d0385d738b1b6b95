import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What only accounts that an identity provider has opened are asked and told. */
@Injectable()
export class ProvisionedAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Whether some person has made the account theirs: by confirming its address, by a password, or by signing in. */
  async isClaimed(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'account_is_claimed',
      `SELECT 1 FROM users WHERE id = $1
         AND (confirmed_at IS NOT NULL OR password_digest IS NOT NULL OR current_sign_in_at IS NOT NULL)`,
      [userId],
    );
    return rows.length > 0;
  }

  /** Links that went to the former address no longer work. Throws the driver's error when the address is taken. */
  async setUnclaimedEmail(userId: number, email: string): Promise<void> {
    await this.database.prepared(
      'set_unclaimed_email',
      `UPDATE users SET email = $2, unconfirmed_email = NULL, confirmation_digest = NULL, reset_password_digest = NULL,
         reset_password_sent_at = NULL, updated_at = now() WHERE id = $1`,
      [userId, email],
    );
  }
}
