import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Email } from './email.entity';

export type EmailColumns = Pick<Email, 'userId' | 'email' | 'confirmedAt'>;

@Injectable()
export class EmailsRepository {
  constructor(private readonly database: Database) {}

  page(userId: number, request: PageRequest): Promise<Page<Email>> {
    const query = this.database.manager
      .createQueryBuilder(Email, 'email')
      .where('email.userId = :userId', { userId })
      .orderBy('email.id', 'ASC');
    return paginate(query, request);
  }

  find(id: number, userId: number): Promise<Email | null> {
    return this.database.manager.findOneBy(Email, { id, userId });
  }

  count(userId: number): Promise<number> {
    return this.database.manager.countBy(Email, { userId });
  }

  /** Throws the driver's error when somebody has the address, see `uniqueViolation`: index `emails_email`. */
  async insert(columns: EmailColumns): Promise<Email> {
    const { manager } = this.database;
    const email = manager.create(Email, columns);
    await manager.insert(Email, email);
    return manager.findOneByOrFail(Email, { id: email.id });
  }

  /** What is no longer the user's is no longer shown as theirs either. */
  async remove({ id, userId, email }: Email): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.manager.delete(Email, { id });
      await this.database.prepared(
        'hide_public_email',
        `UPDATE users SET public_email = '', updated_at = now() WHERE id = $1 AND lower(public_email) = lower($2)`,
        [userId, email],
      );
    });
  }
}
