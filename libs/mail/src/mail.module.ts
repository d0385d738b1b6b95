import { Module, type DynamicModule } from '@nestjs/common';
import { Delivery } from './delivery.job';
import { ForgottenMails } from './forgotten-mails.job';
import { MAIL_OPTIONS, type MailOptions } from './mail-options';
import { Mailer } from './mailer';
import { MailsRepository } from './mails.repository';

/** Provides Mailer everywhere. Needs DatabaseModule and JobsModule. */
@Module({})
export class MailModule {
  static forRoot(options: MailOptions): DynamicModule {
    return {
      module: MailModule,
      global: true,
      providers: [
        { provide: MAIL_OPTIONS, useValue: options },
        Delivery,
        ForgottenMails,
        Mailer,
        MailsRepository,
      ],
      exports: [Mailer],
    };
  }
}
