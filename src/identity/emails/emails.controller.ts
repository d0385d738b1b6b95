import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AddUserEmail, ListUserEmails, UserEmailPath } from './email.params';
import { presentEmail } from './email.presenter';
import { Emails } from './emails.service';

/** Addresses of others, for administrators. */
@Controller()
export class EmailsController {
  constructor(private readonly emails: Emails) {}

  @Endpoint('GET /users/:id/emails', {
    access: 'admin',
    accessFirst: 'admin',
    scopes: ['read_user'],
    params: ListUserEmails,
    paginated: true,
    presents: presentEmail,
  })
  list({ params, page }: CallOf<typeof ListUserEmails>) {
    return this.emails.listOf(params.id, page);
  }

  @Endpoint('POST /users/:id/emails', { access: 'admin', params: AddUserEmail, presents: presentEmail })
  add({ params }: CallOf<typeof AddUserEmail>) {
    return this.emails.addFor(params);
  }

  @Endpoint('DELETE /users/:id/emails/:email_id', { access: 'admin', params: UserEmailPath })
  remove({ params, unmodifiedSince }: CallOf<typeof UserEmailPath>) {
    return this.emails.removeFor(params.id, params.email_id, unmodifiedSince);
  }
}
