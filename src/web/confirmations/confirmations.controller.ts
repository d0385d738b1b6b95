import { Controller } from '@nestjs/common';
import { EmailConfirmations, MailRequests } from '../../identity/identity.api';
import { PublicPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { emailProblems } from '../passwords/email-field';
import { resendPage } from './confirmations.page';

const INVALID = 'This link no longer works: it was used already, or is too old. Ask for another mail here.';
const TAKEN = 'Somebody else has confirmed this address meanwhile.';

@Controller()
export class ConfirmationsController {
  constructor(
    private readonly confirmations: EmailConfirmations,
    private readonly requests: MailRequests,
  ) {}

  /** A link in a mail: whoever can open it reads the mail of that address, which is all there is to prove. */
  @PublicPage('GET /users/confirmation')
  async confirm(visit: Visit): Promise<PageAnswer> {
    const { outcome } = await this.confirmations.confirm(visit.form.text('confirmation_token'));
    if (outcome === 'confirmed')
      return redirect(`${visit.session ? '/' : '/users/sign_in'}?notice=confirmed`);
    return resendPage(visit, [{ field: '', text: outcome === 'taken' ? TAKEN : INVALID }]);
  }

  @PublicPage('GET /users/confirmation/new')
  ask(visit: Visit): PageAnswer {
    return resendPage(visit);
  }

  @PublicPage('POST /users/confirmation')
  async resend(visit: Visit): Promise<PageAnswer> {
    const email = visit.form.inside('user').text('email').trim();
    const problems = emailProblems(email);
    if (problems.length > 0) return resendPage(visit, problems);
    await this.requests.request('confirmation', email, visit.clientAddress);
    return redirect('/users/sign_in?notice=confirmation_sent');
  }
}
