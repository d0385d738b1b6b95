import type { ActorUser } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { invalid, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { emailProblem } from '../users/new-account';
import { Users } from '../users/users.service';
import { EmailConfirmations } from './email-confirmations.service';
import type { Email } from './email.entity';
import type { AddUserEmail } from './email.params';
import { EmailsRepository } from './emails.repository';

const MAX_EMAILS = 100;

/** The secondary addresses of users. One that is not the user's own is "404 Email Not Found". */
@Injectable()
export class Emails {
  constructor(
    private readonly database: Database,
    private readonly emails: EmailsRepository,
    private readonly users: Users,
    private readonly confirmations: EmailConfirmations,
  ) {}

  list({ id }: { readonly id: number }, page: PageRequest): Promise<Page<Email>> {
    return this.emails.page(id, page);
  }

  /** Of somebody named in a path. Throws "404 User Not Found". */
  async listOf(userId: string, page: PageRequest): Promise<Page<Email>> {
    return this.list(await this.users.get(userId), page);
  }

  async find({ id }: { readonly id: number }, emailId: number): Promise<Email> {
    const email = await this.emails.find(emailId, id);
    if (!email) throw notFound('Email');
    return email;
  }

  /**
   * Unless it counts as confirmed, a mail asks for the confirmation.
   * Throws `validation` for what is no address, is anybody's already, or is one too many.
   */
  async add(owner: ActorUser, address: string, isConfirmed = false): Promise<Email> {
    const problem = emailProblem(address);
    if (problem !== null) throw invalid({ email: [problem] });
    try {
      return await this.database.transaction(() => this.insert(owner, address, isConfirmed));
    } catch (error) {
      throw uniqueViolation(error) === 'emails_email'
        ? invalid({ email: ['has already been taken'] })
        : error;
    }
  }

  async addFor({ id, email, skip_confirmation: isConfirmed }: ParamsOf<typeof AddUserEmail>): Promise<Email> {
    return this.add(await this.users.get(id), email, isConfirmed);
  }

  async remove(owner: { readonly id: number }, emailId: number, unmodifiedSince: Date | null): Promise<void> {
    const email = await this.find(owner, emailId);
    requireUnmodified(email.updatedAt, unmodifiedSince);
    await this.emails.remove(email);
  }

  async removeFor(userId: string, emailId: number, unmodifiedSince: Date | null): Promise<void> {
    await this.remove(await this.users.get(userId), emailId, unmodifiedSince);
  }

  private async insert(owner: ActorUser, address: string, isConfirmed: boolean): Promise<Email> {
    if ((await this.emails.count(owner.id)) >= MAX_EMAILS) {
      throw invalid({ base: [`Maximum number of emails (${MAX_EMAILS}) exceeded`] });
    }
    const confirmedAt = isConfirmed ? new Date() : null;
    const email = await this.emails.insert({ userId: owner.id, email: address, confirmedAt });
    if (!isConfirmed) await this.confirmations.sendToSecondary(email, owner.username);
    return email;
  }
}
