import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentMember } from '../members/member.presenter';
import { ApproveRequest, NoParams, RequestPath } from './access-request.params';
import { presentAccessRequest } from './access-request.presenter';
import { AccessRequests } from './access-requests.service';
import { requestedGroup } from './requested-source';

@Controller()
export class GroupAccessRequestsController {
  constructor(private readonly requests: AccessRequests) {}

  @Endpoint('GET /groups/:id/access_requests', {
    access: 'group:owner',
    loginFirst: true,
    params: NoParams,
    presents: presentAccessRequest,
    paginated: true,
  })
  list({ subject: group, page }: GroupCall<typeof NoParams>) {
    return this.requests.list(requestedGroup(group), page);
  }

  @Endpoint('POST /groups/:id/access_requests', {
    access: 'group:reader',
    params: NoParams,
    presents: presentAccessRequest,
  })
  make({ actor, subject: group }: GroupCall<typeof NoParams>) {
    return this.requests.make(actor, requestedGroup(group));
  }

  @Endpoint('PUT /groups/:id/access_requests/:user_id/approve', {
    access: 'group:owner',
    params: ApproveRequest,
    presents: presentMember,
    status: 201,
  })
  approve({ actor, subject: group, params }: GroupCall<typeof ApproveRequest>) {
    return this.requests.approve(actor, requestedGroup(group), params);
  }

  /** People may withdraw their own request, so the right to deny others' is asked for by the service. */
  @Endpoint('DELETE /groups/:id/access_requests/:user_id', { access: 'group:reader', params: RequestPath })
  remove({ actor, subject: group, params, unmodifiedSince }: GroupCall<typeof RequestPath>) {
    return this.requests.remove(actor, requestedGroup(group), params.user_id, unmodifiedSince);
  }
}
