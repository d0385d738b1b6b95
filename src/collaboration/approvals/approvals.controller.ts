import { Endpoint, params, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ApprovalsOnRequest } from './approvals-on-request.service';
import { presentApprovalState, presentProjectApprovals } from './approval.presenter';
import { ApprovalPath, Approve, ChangeProjectApprovals, RequireApprovals } from './approval.params';
import { SetMergeRequestApprovers, SetProjectApprovers } from './approval-rule.params';
import { ProjectApprovalSettings } from './project-approvals.service';

const APPROVALS = { feature: 'merge_request_approvers', loginFirst: true } as const;
const ITEM = { ...APPROVALS, access: 'project:reader' } as const;
const InProject = params({});

/** Approvals, their number and the older rows about approvers. */
@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsOnRequest,
    private readonly settings: ProjectApprovalSettings,
  ) {}

  @Endpoint('GET /projects/:id/approvals', {
    ...APPROVALS,
    access: 'project:read_merge_requests',
    params: InProject,
    presents: presentProjectApprovals,
  })
  ofProject({ actor, subject: project }: ProjectCall<typeof InProject>) {
    return this.settings.of(actor, project);
  }

  @Endpoint('POST /projects/:id/approvals', {
    ...APPROVALS,
    access: 'project:maintainer',
    params: ChangeProjectApprovals,
    presents: presentProjectApprovals,
  })
  changeProject({ actor, subject: project, params }: ProjectCall<typeof ChangeProjectApprovals>) {
    return this.settings.change(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/approvers', {
    ...APPROVALS,
    access: 'project:maintainer',
    params: SetProjectApprovers,
    presents: presentProjectApprovals,
  })
  setProjectApprovers({ actor, subject: project, params }: ProjectCall<typeof SetProjectApprovers>) {
    return this.settings.setApprovers(actor, project, params);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/approvals', {
    ...ITEM,
    params: ApprovalPath,
    presents: presentApprovalState,
  })
  show({ actor, subject: project, params }: ProjectCall<typeof ApprovalPath>) {
    return this.approvals.show(actor, project, params.merge_request_iid);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/approvals', {
    ...ITEM,
    params: RequireApprovals,
    presents: presentApprovalState,
  })
  require({ actor, subject: project, params }: ProjectCall<typeof RequireApprovals>) {
    return this.approvals.require(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/approvers', {
    ...ITEM,
    params: SetMergeRequestApprovers,
    presents: presentApprovalState,
  })
  setApprovers({ actor, subject: project, params }: ProjectCall<typeof SetMergeRequestApprovers>) {
    return this.approvals.setApprovers(actor, project, params);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/approve', {
    ...ITEM,
    params: Approve,
    presents: presentApprovalState,
  })
  approve({ actor, subject: project, params }: ProjectCall<typeof Approve>) {
    return this.approvals.approve(actor, project, params);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/unapprove', {
    ...ITEM,
    params: ApprovalPath,
    presents: presentApprovalState,
  })
  unapprove({ actor, subject: project, params }: ProjectCall<typeof ApprovalPath>) {
    return this.approvals.unapprove(actor, project, params.merge_request_iid);
  }
}
