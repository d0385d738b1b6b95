import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { DEFAULT_RULE, type ApprovalRule } from './approval-rule.entity';
import { ApprovalRulesRepository, type RulePlace } from './approval-rules.repository';
import { ApproverRights } from './approver-rights.service';
import { RuleWriting } from './rule-writing.service';
import type { WantedApprovers } from './wanted-approvers';

interface DefaultRule {
  readonly place: RulePlace;
  readonly source: ApprovalRule | null;
  /** The rules that hold there. */
  readonly holding: readonly ApprovalRule[];
}

/**
 * The approvers of the older rows, which know of no rules: they are the names in one rule, which asks for as many
 * approvals as the project or the merge request does.
 */
@Injectable()
export class Approvers {
  constructor(
    private readonly database: Database,
    private readonly rights: ApproverRights,
    private readonly rules: ApprovalRulesRepository,
    private readonly writing: RuleWriting,
  ) {}

  /** Throws as RuleWriting.insert does. */
  setOfProject(actor: Actor, project: Project, wanted: WantedApprovers): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.rules.holdProject(project.id))) throw notFound('Project');
      const place = { projectId: project.id };
      const holding = await this.rules.list(place);
      await this.set(actor, project, { place, source: null, holding }, wanted);
    });
  }

  /** Throws as ApproverRights.hold and RuleWriting.insert do. */
  setOfMergeRequest(
    actor: Actor,
    project: Project,
    iid: number,
    wanted: WantedApprovers,
  ): Promise<MergeRequest> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.rights.hold(actor, project, iid);
      const place = { mergeRequestId: mergeRequest.id };
      const source = await this.rules.holdSource(project.id, { name: DEFAULT_RULE });
      const holding = await this.rules.effective(mergeRequest.id);
      await this.set(actor, project, { place, source, holding }, wanted);
      return mergeRequest;
    });
  }

  /** Where nobody is wanted there is no such rule, unless it names groups that the caller does not see: those stay. */
  private async set(
    actor: Actor,
    project: Project,
    { place, source, holding }: DefaultRule,
    wanted: WantedApprovers,
  ): Promise<void> {
    const rule = await this.rules.byName(place, DEFAULT_RULE);
    const isNobody = !wanted.userIds?.length && !wanted.groupIds?.length;
    if (rule) {
      await this.writing.change(actor, project, { rule, place }, wanted);
      if (isNobody && rule.forAnyone) await this.rules.remove(rule.id);
      return;
    }
    if (isNobody) return;
    const beside = holding.filter(({ id }) => id !== source?.id).length;
    const made = { place, name: DEFAULT_RULE, approvalsRequired: null, source, beside };
    await this.writing.insert(actor, project, made, wanted);
  }
}
