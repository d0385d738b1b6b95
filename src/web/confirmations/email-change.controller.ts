import { Controller } from '@nestjs/common';
import { EmailChangeApprovals } from '../../identity/identity.api';
import { PublicPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { emailChangePage, expiredEmailChangePage } from './email-change.page';

/** For who has got a mail that somebody else wants to change their address. */
@Controller()
export class EmailChangeController {
  constructor(private readonly approvals: EmailChangeApprovals) {}

  /** Only asks: programs that look at mail open its links, and must not agree to anything. */
  @PublicPage('GET /users/email_change')
  async ask(visit: Visit): Promise<PageAnswer> {
    const token = visit.form.text('approval_token');
    return (await this.approvals.isOpen(token))
      ? emailChangePage(visit, token)
      : expiredEmailChangePage(visit);
  }

  @PublicPage('POST /users/email_change')
  async approve(visit: Visit): Promise<PageAnswer> {
    const isDone = await this.approvals.approve(visit.form.text('approval_token'));
    return isDone ? redirect('/users/sign_in?notice=confirmation_sent') : expiredEmailChangePage(visit);
  }
}
