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

  /** Which of the addresses some user has confirmed, as a primary or secondary one; in lower case. */
  async confirmed(addresses: readonly string[]): Promise<Set<string>> {
    const asked = [...new Set(addresses.map((address) => address.toLowerCase()))];
    if (asked.length === 0) return new Set();
    const rows = await this.database.prepared<{ address: string }>(
      'confirmed_among_addresses',
      `SELECT lower(email) AS address FROM users WHERE lower(email) = ANY($1::text[]) AND confirmed_at IS NOT NULL
       UNION SELECT lower(email) FROM emails WHERE lower(email) = ANY($1::text[]) AND confirmed_at IS NOT NULL`,
      [asked.filter((address) => !address.includes('\0'))],
    );
    return new Set(rows.map(({ address }) => address));
  }
}
