import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { MailsRepository } from './mails.repository';

const forgottenMails = defineQueue<object>('mail.forgotten', {
  expireInSeconds: 300,
  everyMinutes: 60,
  onePerKey: true,
});

/** Removes mails whose last delivery died with its process: what their links open must not lie about. Idempotent. */
@Injectable()
export class ForgottenMails extends JobHandler {
  readonly queue = forgottenMails;
  private readonly logger = new Logger('Mail');

  constructor(private readonly mails: MailsRepository) {
    super();
  }

  async run(): Promise<void> {
    const count = await this.mails.removeForgotten();
    if (count > 0) this.logger.error({ count }, 'mails were given up: their deliveries never ended');
  }
}
