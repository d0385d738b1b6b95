import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, type Project } from '../../repository/repository.api';
import type { ApprovalSettings, ProjectApprovals } from './approval-state';
import type { ChangeProjectApprovals } from './approval.params';
import { wantedApprovers, type SetProjectApprovers } from './approval-rule.params';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { ApprovalsRepository } from './approvals.repository';
import { Approvers } from './approvers.service';
import { NamedApprovers } from './named-approvers.service';
import { allOf } from './rule-names';

/** What projects ask for before changes are merged. */
@Injectable()
export class ProjectApprovalSettings {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly approvers: Approvers,
    private readonly rules: ApprovalRulesRepository,
    private readonly names: NamedApprovers,
  ) {}

  async of(actor: Actor, { id, approvalsBeforeMerge }: Project): Promise<ProjectApprovals> {
    const ruleIds = (await this.rules.list({ projectId: id })).map((rule) => rule.id);
    const namesOf = await this.names.of(actor, ruleIds);
    const settings = await this.approvals.settings(id);
    return { required: approvalsBeforeMerge, named: allOf(ruleIds.map(namesOf)), settings };
  }

  /** What is not given stays. */
  async change(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof ChangeProjectApprovals>,
  ): Promise<ProjectApprovals> {
    const required = params.approvals_before_merge ?? project.approvalsBeforeMerge;
    await this.database.transaction(async () => {
      if (required !== project.approvalsBeforeMerge)
        await this.projects.update(project.id, { approvalsBeforeMerge: required });
      await this.approvals.changeSettings(project.id, given(params));
    });
    return { ...(await this.of(actor, project)), required };
  }

  /** Throws as Approvers does. */
  async setApprovers(
    actor: Actor,
    project: Project,
    { approver_ids: userIds, approver_group_ids: groupIds }: ParamsOf<typeof SetProjectApprovers>,
  ): Promise<ProjectApprovals> {
    const wanted = wantedApprovers({ user_ids: userIds, group_ids: groupIds });
    await this.approvers.setOfProject(actor, project, wanted);
    return this.of(actor, project);
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
