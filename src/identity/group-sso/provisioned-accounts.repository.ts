import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What only accounts that an identity provider has opened are asked and told. */
@Injectable()
export class ProvisionedAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Whether some person has made the account theirs: by a password, by signing in, or by confirming its address. */
  async isClaimed(
    userId: number,
    { byConfirmation }: { readonly byConfirmation: boolean },
  ): Promise<boolean> {
    const rows = await this.database.prepared(
      'account_is_claimed',
      `SELECT 1 FROM users WHERE id = $1
         AND (($2 AND confirmed_at IS NOT NULL) OR password_digest IS NOT NULL OR current_sign_in_at IS NOT NULL)`,
      [userId, byConfirmation],
    );
    return rows.length > 0;
  }

  /** Links that went to the former address no longer work. Throws the driver's error when the address is taken. */
  async setUnclaimedEmail(userId: number, email: string, isConfirmed: boolean): Promise<void> {
    await this.database.prepared(
      'set_unclaimed_email',
      `UPDATE users SET email = $2, unconfirmed_email = NULL, confirmation_digest = NULL, reset_password_digest = NULL,
         reset_password_sent_at = NULL, confirmed_at = CASE WHEN $3 THEN now() END, updated_at = now() WHERE id = $1`,
      [userId, email, isConfirmed],
    );
  }
}
