import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentUserSummary } from '../../identity/identity.api';
import { Followers } from './followers.service';
import { presentMergeRequestDetails } from './merge-request-details.presenter';
import { MergeRequestsOnRequest } from './merge-requests-on-request.service';
import {
  CreateMergeRequest,
  MergeRequestPath,
  ReadMergeRequest,
  UpdateMergeRequest,
} from './merge-request.params';

/** Hidden ones are not there: the services say so. */
const ITEM = { access: 'project:reader' } as const;

@Controller()
export class MergeRequestsController {
  constructor(
    private readonly mergeRequests: MergeRequestsOnRequest,
    private readonly followers: Followers,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid', {
    ...ITEM,
    params: ReadMergeRequest,
    presents: presentMergeRequestDetails,
  })
  show({ actor, subject: project, params }: ProjectCall<typeof ReadMergeRequest>) {
    return this.mergeRequests.show(actor, project, params);
  }

  @Endpoint('POST /projects/:id/merge_requests', {
    ...ITEM,
    params: CreateMergeRequest,
    presents: presentMergeRequestDetails,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateMergeRequest>) {
    return this.mergeRequests.create(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid', {
    ...ITEM,
    params: UpdateMergeRequest,
    presents: presentMergeRequestDetails,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateMergeRequest>) {
    return this.mergeRequests.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/merge_requests/:merge_request_iid', { ...ITEM, params: MergeRequestPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof MergeRequestPath>) {
    return this.mergeRequests.remove(actor, project, params.merge_request_iid, unmodifiedSince);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/participants', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentUserSummary,
    paginated: true,
  })
  participants({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.followers.participants(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/subscribe', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentMergeRequestDetails,
  })
  subscribe({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.followers.follow(actor, project, params.merge_request_iid, true);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentMergeRequestDetails,
  })
  unsubscribe({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.followers.follow(actor, project, params.merge_request_iid, false);
  }
}
