import { conflict } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { EmailChangeApprovals } from '../emails/email-change-approvals.service';
import { AccountMails } from '../users/account-mails';
import { EMAIL_TAKEN } from '../users/accounts.service';
import { refuseInvalidFields } from '../users/new-account';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { ProvisionedAccountsRepository } from './provisioned-accounts.repository';
import { TrustedDomains } from './trusted-domains';

/** How an e-mail was changed: `asked` where the person has to agree first. */
export type EmailMove = 'changed' | 'asked';

/** E-mails of accounts as the identity providers of groups would have them. In the caller's transaction. */
@Injectable()
export class ProvisionedEmails {
  constructor(
    private readonly users: UsersRepository,
    private readonly mails: AccountMails,
    private readonly approvals: EmailChangeApprovals,
    private readonly rows: ProvisionedAccountsRepository,
    private readonly domains: TrustedDomains,
  ) {}

  /**
   * Another e-mail. An account that nobody has made theirs yet (`isOwn`: of this provider's making) gets it at once,
   * confirmed only in a trusted domain. Anybody else is asked by their present address. Throws `conflict` for one that
   * is taken.
   */
  async move(user: User, email: string, isOwn: boolean): Promise<EmailMove> {
    refuseInvalidFields({ email }, []);
    if (await this.users.emailIsTaken(email, user.id)) throw conflict(EMAIL_TAKEN);
    if (!isOwn || (await this.isClaimed(user))) {
      await this.approvals.ask(user, email);
      return 'asked';
    }
    const isConfirmed = this.domains.trusts(email);
    await this.rows.setUnclaimedEmail(user.id, email, isConfirmed);
    const moved = await this.users.find(user.id);
    if (moved && !isConfirmed) await this.mails.confirm(moved);
    return 'changed';
  }

  /** Where the operator vouches for the address, its confirmation says nothing of the person. */
  private isClaimed({ id, email }: User): Promise<boolean> {
    return this.rows.isClaimed(id, { byConfirmation: !this.domains.trusts(email) });
  }
}
