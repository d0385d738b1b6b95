import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { UserStatus } from './user-status';

@Injectable()
export class UserStatusesRepository {
  constructor(private readonly database: Database) {}

  async find(userId: number): Promise<UserStatus | null> {
    const text = 'SELECT emoji, message FROM user_statuses WHERE user_id = $1';
    const [row] = await this.database.prepared<{ emoji: string; message: string | null }>(
      'user_status',
      text,
      [userId],
    );
    return row ?? null;
  }

  async save(userId: number, { emoji, message }: UserStatus): Promise<void> {
    await this.database.prepared(
      'save_user_status',
      `INSERT INTO user_statuses (user_id, emoji, message) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET emoji = excluded.emoji, message = excluded.message`,
      [userId, emoji, message],
    );
  }

  async remove(userId: number): Promise<void> {
    await this.database.prepared('remove_user_status', 'DELETE FROM user_statuses WHERE user_id = $1', [
      userId,
    ]);
  }
}
