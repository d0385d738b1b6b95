import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentMergeRequestDetails } from '../merge-requests/merge-request-details.presenter';
import { AnsweredMerges } from './answered-merges.service';
import { MergeRefs } from './merge-refs.service';
import { presentMergeRef } from './merge-ref.presenter';
import { AcceptMergeRequest, MergeRequestPath } from './merging.params';
import { presentRebase } from './rebase.presenter';
import { Rebases } from './rebases.service';

/** Bringing merge requests to their end. */
@Controller()
export class MergingController {
  constructor(
    private readonly merges: AnsweredMerges,
    private readonly rebases: Rebases,
    private readonly mergeRefs: MergeRefs,
  ) {}

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/merge', {
    access: 'project:reader',
    params: AcceptMergeRequest,
    presents: presentMergeRequestDetails,
  })
  accept({ actor, subject: project, params }: ProjectCall<typeof AcceptMergeRequest>) {
    return this.merges.accept(actor, project, params);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds', {
    access: 'project:reader',
    params: MergeRequestPath,
    presents: presentMergeRequestDetails,
  })
  cancel({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.merges.cancelWish(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', {
    access: 'project:reader',
    status: 202,
    params: MergeRequestPath,
    presents: presentRebase,
  })
  rebase({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.rebases.begin(actor, project, params.merge_request_iid);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/merge_ref', {
    access: 'project:reader',
    loginFirst: true,
    params: MergeRequestPath,
    presents: presentMergeRef,
  })
  mergeRef({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.mergeRefs.head(actor, project, params.merge_request_iid);
  }
}
