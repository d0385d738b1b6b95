import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { ApprovalRule } from './approval-rule.entity';
import {
  wantedApprovers,
  type ChangeMergeRequestRule,
  type CreateMergeRequestRule,
} from './approval-rule.params';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { ApproverRights } from './approver-rights.service';
import { MergeRequestRuleStates } from './merge-request-rule-states.service';
import type { DescribedStanding } from './rule-standing';
import { RuleWriting } from './rule-writing.service';

/** The rules that a merge request has of its own. */
@Injectable()
export class MergeRequestApprovalRules {
  constructor(
    private readonly database: Database,
    private readonly rights: ApproverRights,
    private readonly rules: ApprovalRulesRepository,
    private readonly writing: RuleWriting,
    private readonly states: MergeRequestRuleStates,
  ) {}

  /** Throws as ApproverRights and RuleWriting.insert do, and "404 Not found" for a rule that its project has not. */
  create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateMergeRequestRule>,
  ): Promise<DescribedStanding> {
    return this.holding(actor, project, params.merge_request_iid, async ({ id: mergeRequestId }) => {
      const sourceId = params.approval_project_rule_id;
      const source =
        sourceId === undefined ? null : found(await this.rules.holdSource(project.id, { id: sourceId }));
      const holding = await this.rules.effective(mergeRequestId);
      const rule = {
        place: { mergeRequestId },
        name: source?.name ?? params.name,
        approvalsRequired: params.approvals_required,
        source,
        beside: holding.filter(({ id }) => id !== source?.id).length,
      };
      return this.writing.insert(actor, project, rule, wantedApprovers(params));
    });
  }

  /** Throws as ApproverRights does, "404 Not found" and `validation`. */
  update(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof ChangeMergeRequestRule>,
  ): Promise<DescribedStanding> {
    return this.holding(actor, project, params.merge_request_iid, async ({ id: mergeRequestId }) => {
      const place = { mergeRequestId };
      const rule = found(await this.rules.find(place, params.approval_rule_id));
      const { name, approvals_required: approvalsRequired } = params;
      const change = { name, approvalsRequired, ...wantedApprovers(params) };
      await this.writing.change(actor, project, { rule, place }, change);
      return rule;
    });
  }

  /** Throws as ApproverRights does, and "404 Not found". The project's rule that it stood for holds again. */
  remove(actor: Actor, project: Project, iid: number, id: number): Promise<void> {
    return this.database.transaction(async () => {
      const { id: mergeRequestId } = await this.rights.hold(actor, project, iid);
      await this.rules.remove(found(await this.rules.find({ mergeRequestId }, id)).id);
    });
  }

  private async holding(
    actor: Actor,
    project: Project,
    iid: number,
    change: (mergeRequest: MergeRequest) => Promise<ApprovalRule>,
  ): Promise<DescribedStanding> {
    const [mergeRequest, rule] = await this.database.transaction(async () => {
      const held = await this.rights.hold(actor, project, iid);
      return [held, await change(held)] as const;
    });
    return this.states.one(actor, project, mergeRequest, rule);
  }
}

function found(rule: ApprovalRule | null): ApprovalRule {
  if (!rule) throw notFound();
  return rule;
}
