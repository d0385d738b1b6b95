import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { UserContact, UserSummary } from './user-summary';
import { User } from './user.entity';

/** Looks people up for the records they appear in: one query, however many they are. */
@Injectable()
export class UserDirectory {
  constructor(private readonly database: Database) {}

  async byIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, UserSummary>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await this.database.prepared<UserSummary>(
      'user_summaries',
      'SELECT id, username, name, state, avatar FROM users WHERE id = ANY($1::bigint[]) AND NOT pending_delete',
      [wanted],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** With what `presentUserProfile` shows of them, and nothing else of their accounts. */
  async profilesByIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, User>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await this.database.prepared<{ id: number }>(
      'user_profiles',
      `SELECT id, username, name, state, avatar, created_at, private_profile, bio, location, public_email, skype,
         linkedin, twitter, website_url, organization
       FROM users WHERE id = ANY($1::bigint[]) AND NOT pending_delete`,
      [wanted],
    );
    return new Map(rows.map((row) => [row.id, hydrate(User, row)]));
  }

  /** The same with what the records of notes tell besides. */
  async contactsByIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, UserContact>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await this.database.prepared<UserContact>(
      'user_contacts',
      `SELECT id, username, name, state, avatar, email, created_at AS "createdAt" FROM users
       WHERE id = ANY($1::bigint[]) AND NOT pending_delete`,
      [wanted],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
