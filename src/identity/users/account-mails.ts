import { Injectable } from '@nestjs/common';
import { EmailAddresses } from '../emails/email-addresses.repository';
import { EmailConfirmations } from '../emails/email-confirmations.service';
import { PasswordResets } from '../passwords/password-resets.service';
import type { User } from './user.entity';

/** What is written to people about their account when others open or change it. All of it within the transaction. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly confirmations: EmailConfirmations,
    private readonly addresses: EmailAddresses,
    private readonly resets: PasswordResets,
  ) {}

  /** To somebody new: to confirm the e-mail, and to choose a password where nobody has chosen one. */
  async welcome(user: User, { choosesPassword }: { readonly choosesPassword: boolean }): Promise<void> {
    if (user.confirmedAt === null) await this.confirmations.send(user);
    if (choosesPassword) await this.resets.send(user);
  }

  /** Addresses that are certainly the user's: the confirmed ones. */
  addressesOf(user: User): Promise<readonly string[]> {
    return this.addresses.confirmedOf(user.id);
  }

  /** To the address that waits for its confirmation. */
  confirm(user: User): Promise<void> {
    return this.confirmations.send(user);
  }
}
