import { isAdmin, Level, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, invalid, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Mailer } from '#libs/mail';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Membership } from '../members/member.entity';
import { mayManageMembers } from '../members/member-rules';
import { Members } from '../members/members.service';
import { UsersRepository } from '../users/users.repository';
import type { AccessRequest } from './access-request';
import { requestMail } from './access-request-mail';
import type { ApproveRequest } from './access-request.params';
import { AccessRequestsRepository } from './access-requests.repository';
import type { RequestedSource } from './requested-source';

/** More people are not told of one request. */
const MOST_MAILS = 10;

/** How people outside ask to become members. */
@Injectable()
export class AccessRequests {
  constructor(
    private readonly database: Database,
    private readonly requests: AccessRequestsRepository,
    private readonly members: Members,
    private readonly users: UsersRepository,
    private readonly mailer: Mailer,
  ) {}

  list({ source }: RequestedSource, page: PageRequest): Promise<Page<AccessRequest>> {
    return this.requests.page(source, page);
  }

  /** Throws 403 for members, administrators and where requests are switched off, and `validation` for a second one. */
  make(actor: Actor, requested: RequestedSource): Promise<AccessRequest> {
    const requester = signedIn(actor);
    if (!requested.requestAccessEnabled || isAdmin(actor) || actor.level > Level.none) throw forbidden();
    return this.database.transaction(async () => {
      const user = await this.users.find(requester.id);
      const requestedAt = user && (await this.requests.insert(requested.source, requester.id));
      if (!user || !requestedAt) throw invalid({ user_id: ['already exists in source'] });
      const mail = requestMail(requester, requested);
      const addresses = await this.requests.addressesOfManagers(requested.source, MOST_MAILS);
      for (const to of addresses) await this.mailer.send({ to, ...mail });
      return { user, requestedAt };
    });
  }

  /** Throws "404 Not found" where nobody asked, and what adding the member would throw. */
  approve(
    actor: Actor,
    { source }: RequestedSource,
    params: ParamsOf<typeof ApproveRequest>,
  ): Promise<Membership> {
    return this.database.transaction(async () => {
      const { user_id: userId, access_level: accessLevel } = params;
      const request = await this.requests.findForChange(source, userId);
      const user = request && (await this.users.find(userId));
      if (!user) throw notFound();
      await this.members.requireAdmissible(actor, source, { userId, accessLevel, expiresAt: null });
      await this.requests.approve(request, accessLevel, signedIn(actor).id);
      return { user, accessLevel, expiresAt: null };
    });
  }

  /** Managers deny, everybody may withdraw their own. */
  remove(
    actor: Actor,
    { source }: RequestedSource,
    userId: number,
    unmodifiedSince: Date | null,
  ): Promise<void> {
    if (userId !== signedIn(actor).id && !mayManageMembers(actor, source)) throw forbidden();
    return this.database.transaction(async () => {
      const request = await this.requests.findForChange(source, userId);
      if (!request) throw notFound();
      requireUnmodified(request.updatedAt, unmodifiedSince);
      await this.requests.remove(request);
    });
  }
}
