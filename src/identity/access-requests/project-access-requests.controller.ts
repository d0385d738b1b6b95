import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentMember } from '../members/member.presenter';
import { ApproveRequest, NoParams, RequestPath } from './access-request.params';
import { presentAccessRequest } from './access-request.presenter';
import { AccessRequests } from './access-requests.service';
import { requestedProject } from './requested-source';

@Controller()
export class ProjectAccessRequestsController {
  constructor(private readonly requests: AccessRequests) {}

  @Endpoint('GET /projects/:id/access_requests', {
    access: 'project:maintainer',
    loginFirst: true,
    params: NoParams,
    presents: presentAccessRequest,
    paginated: true,
  })
  list({ subject: project, page }: ProjectCall<typeof NoParams>) {
    return this.requests.list(requestedProject(project), page);
  }

  @Endpoint('POST /projects/:id/access_requests', {
    access: 'project:reader',
    params: NoParams,
    presents: presentAccessRequest,
  })
  make({ actor, subject: project }: ProjectCall<typeof NoParams>) {
    return this.requests.make(actor, requestedProject(project));
  }

  @Endpoint('PUT /projects/:id/access_requests/:user_id/approve', {
    access: 'project:maintainer',
    params: ApproveRequest,
    presents: presentMember,
    status: 201,
  })
  approve({ actor, subject: project, params }: ProjectCall<typeof ApproveRequest>) {
    return this.requests.approve(actor, requestedProject(project), params);
  }

  /** People may withdraw their own request, so the right to deny others' is asked for by the service. */
  @Endpoint('DELETE /projects/:id/access_requests/:user_id', {
    access: 'project:reader',
    params: RequestPath,
  })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof RequestPath>) {
    return this.requests.remove(actor, requestedProject(project), params.user_id, unmodifiedSince);
  }
}
