import { JobHandler, type JobRun } from '#libs/jobs';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { MAIL_OPTIONS, type MailOptions } from './mail-options';
import { deliveries } from './mail.queue';
import { MailsRepository } from './mails.repository';
import { transportOf, type MailTransport } from './transports';

/** Delivers waiting mails. A crash between delivery and its record sends one twice, with the same Message-ID. */
@Injectable()
export class Delivery extends JobHandler<{ readonly mailId: string }> {
  readonly queue = deliveries;
  private readonly transport: MailTransport;
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly mails: MailsRepository,
    @Inject(MAIL_OPTIONS) options: MailOptions,
  ) {
    super();
    this.transport = transportOf(options);
  }

  async run({ mailId }: { readonly mailId: string }, { isLastAttempt }: JobRun): Promise<void> {
    const mail = await this.mails.find(mailId);
    if (!mail) return;
    try {
      await this.transport.deliver(mail);
    } catch (error) {
      if (!isLastAttempt) throw error;
      this.logger.error({ err: error, mailId, subject: mail.subject }, 'a mail could not be delivered');
    }
    await this.mails.remove(mailId);
  }
}
