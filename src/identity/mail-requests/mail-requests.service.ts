import { DomainError } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../access-tokens/secrets';
import { RecentAttempts } from '../passwords/recent-attempts';
import { mailRequests, type WantedMail } from './mail-request.queue';

/**
 * What anybody may ask for who names an address. Neither the answer nor its time shows whether the address belongs to an
 * account: that is looked up in the background.
 */
@Injectable()
export class MailRequests {
  private readonly asked = new RecentAttempts();

  constructor(private readonly jobs: Jobs) {}

  /** Throws `unavailable` after ten requests within ten minutes from one `address` of a client. */
  async request(wanted: WantedMail, email: string, address: string): Promise<void> {
    if (this.asked.isExhausted(address))
      throw new DomainError({ kind: 'unavailable', message: 'Too many requests. Try again later.' });
    this.asked.count(address);
    const key = digestOf(`${wanted} ${email.toLowerCase()}`).toString('base64');
    await this.jobs.enqueue(mailRequests, { wanted, email }, { key });
  }
}
