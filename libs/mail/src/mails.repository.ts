import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Mail, WaitingMail } from './mail';

/**
 * Mails between the change that caused them and their delivery. They hold secrets (links that let somebody in), so
 * they lie in a table of their own and are gone with the delivery: finished jobs are kept for a while.
 */
@Injectable()
export class MailsRepository {
  constructor(private readonly database: Database) {}

  async insert(id: string, { to, subject, text }: Mail): Promise<void> {
    const statement = 'INSERT INTO mails (id, recipient, subject, text) VALUES ($1, $2, $3, $4)';
    await this.database.prepared('insert_mail', statement, [id, to, subject, text]);
  }

  /** Null for one that is delivered or given up. */
  async find(id: string): Promise<WaitingMail | null> {
    const statement =
      'SELECT id, recipient AS "to", subject, text, created_at AS "createdAt" FROM mails WHERE id = $1';
    const [row] = await this.database.prepared<WaitingMail>('mail_by_id', statement, [id]);
    return row ?? null;
  }

  async remove(id: string): Promise<void> {
    await this.database.prepared('remove_mail', 'DELETE FROM mails WHERE id = $1', [id]);
  }

  /** Removes what is older than any delivery can be; answers how many there were. */
  async removeForgotten(): Promise<number> {
    const rows = await this.database.prepared(
      'remove_forgotten_mails',
      "DELETE FROM mails WHERE created_at < now() - interval '1 day' RETURNING id",
      [],
    );
    return rows.length;
  }
}
