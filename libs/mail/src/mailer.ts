import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Mail } from './mail';
import { deliveries } from './mail.queue';
import { MailsRepository } from './mails.repository';

/** Sends mail to people. */
@Injectable()
export class Mailer {
  constructor(
    private readonly database: Database,
    private readonly mails: MailsRepository,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Hands a mail over for delivery, in the current transaction: it goes out soon after the commit, by whichever node,
   * and never when the transaction is rolled back. A recipient that refuses it shows in the log alone.
   */
  async send(mail: Mail): Promise<void> {
    const mailId = randomUUID();
    await this.database.transaction(async () => {
      await this.mails.insert(mailId, mail);
      await this.jobs.enqueue(deliveries, { mailId }, { id: mailId });
    });
  }
}
