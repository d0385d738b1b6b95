import { signedIn } from '#libs/access';
import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AddEmail, EmailPath, ListEmails } from './email.params';
import { presentEmail } from './email.presenter';
import { Emails } from './emails.service';

const READ = { access: 'user', scopes: ['read_user'] } as const;

/** The caller's own secondary addresses. */
@Controller()
export class OwnEmailsController {
  constructor(private readonly emails: Emails) {}

  @Endpoint('GET /user/emails', { ...READ, params: ListEmails, paginated: true, presents: presentEmail })
  list({ actor, page }: CallOf<typeof ListEmails>) {
    return this.emails.list(signedIn(actor), page);
  }

  @Endpoint('GET /user/emails/:email_id', { ...READ, params: EmailPath, presents: presentEmail })
  show({ actor, params }: CallOf<typeof EmailPath>) {
    return this.emails.find(signedIn(actor), params.email_id);
  }

  @Endpoint('POST /user/emails', { access: 'user', params: AddEmail, presents: presentEmail })
  add({ actor, params }: CallOf<typeof AddEmail>) {
    return this.emails.add(signedIn(actor), params.email);
  }

  @Endpoint('DELETE /user/emails/:email_id', { access: 'user', params: EmailPath })
  remove({ actor, params, unmodifiedSince }: CallOf<typeof EmailPath>) {
    return this.emails.remove(signedIn(actor), params.email_id, unmodifiedSince);
  }
}
