import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Which addresses are whose. Only confirmed ones say who somebody is. */
@Injectable()
export class EmailAddresses {
  constructor(private readonly database: Database) {}

  /** The primary and the secondary addresses of a user that are confirmed, in lower case. */
  async confirmedOf(userId: number): Promise<string[]> {
    const rows = await this.database.prepared<{ address: string }>(
      'confirmed_addresses',
      `SELECT lower(email) AS address FROM users WHERE id = $1 AND confirmed_at IS NOT NULL
       UNION SELECT lower(email) FROM emails WHERE user_id = $1 AND confirmed_at IS NOT NULL`,
      [userId],
    );
    return rows.map(({ address }) => address);
  }
}
