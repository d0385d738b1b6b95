import { Database } from '#libs/database';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, type Project } from '../../repository/repository.api';
import type { ApprovalSettings, ProjectApprovals } from './approval-state';
import type { ChangeProjectApprovals } from './approval.params';
import { ApprovalsRepository } from './approvals.repository';

/** What projects ask for before changes are merged. */
@Injectable()
export class ProjectApprovalSettings {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly approvals: ApprovalsRepository,
  ) {}

  async of({ id, approvalsBeforeMerge }: Project): Promise<ProjectApprovals> {
    return { required: approvalsBeforeMerge, settings: await this.approvals.settings(id) };
  }

  /** What is not given stays. */
  change(project: Project, params: ParamsOf<typeof ChangeProjectApprovals>): Promise<ProjectApprovals> {
    return this.database.transaction(async () => {
      const required = params.approvals_before_merge ?? project.approvalsBeforeMerge;
      if (required !== project.approvalsBeforeMerge)
        await this.projects.update(project.id, { approvalsBeforeMerge: required });
      await this.approvals.changeSettings(project.id, given(params));
      return { required, settings: await this.approvals.settings(project.id) };
    });
  }
}

function given(params: ParamsOf<typeof ChangeProjectApprovals>): Partial<ApprovalSettings> {
  const named = {
    resetOnPush: params.reset_approvals_on_push,
    disableOverriding: params.disable_overriding_approvers_per_merge_request,
    authorApproval: params.merge_requests_author_approval,
    disableCommittersApproval: params.merge_requests_disable_committers_approval,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
