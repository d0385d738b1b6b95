import { Endpoint, params, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ApprovalsOnRequest } from './approvals-on-request.service';
import { presentApprovalState, presentProjectApprovals } from './approval.presenter';
import { ApprovalPath, Approve, ChangeProjectApprovals, RequireApprovals } from './approval.params';
import { ProjectApprovalSettings } from './project-approvals.service';

const APPROVALS = { feature: 'merge_request_approvers', loginFirst: true } as const;
const ITEM = { ...APPROVALS, access: 'project:reader' } as const;
const InProject = params({});

/** Approvals, as the reference has them where only their number counts. */
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
  ofProject({ subject: project }: ProjectCall<typeof InProject>) {
    return this.settings.of(project);
  }

  @Endpoint('POST /projects/:id/approvals', {
    ...APPROVALS,
    access: 'project:maintainer',
    params: ChangeProjectApprovals,
    presents: presentProjectApprovals,
  })
  changeProject({ subject: project, params }: ProjectCall<typeof ChangeProjectApprovals>) {
    return this.settings.change(project, params);
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
