import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { ApprovalRule } from './approval-rule.entity';
import { wantedApprovers, type ChangeProjectRule, type CreateProjectRule } from './approval-rule.params';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { RuleDescriptions } from './rule-descriptions.service';
import type { DescribedRule } from './rule-standing';
import { RuleWriting } from './rule-writing.service';

/** The rules that projects have for all their merge requests. */
@Injectable()
export class ProjectApprovalRules {
  constructor(
    private readonly database: Database,
    private readonly rules: ApprovalRulesRepository,
    private readonly writing: RuleWriting,
    private readonly descriptions: RuleDescriptions,
  ) {}

  async list(actor: Actor, project: Project): Promise<DescribedRule[]> {
    const rules = await this.rules.list({ projectId: project.id });
    return this.descriptions.ofProject(actor, project, rules);
  }

  /** Throws as RuleWriting.insert does. */
  create(actor: Actor, project: Project, params: ParamsOf<typeof CreateProjectRule>): Promise<DescribedRule> {
    const place = { projectId: project.id };
    return this.holding(actor, project, async () => {
      const { name, approvals_required: approvalsRequired } = params;
      const beside = (await this.rules.list(place)).length;
      const rule = { place, name, approvalsRequired, source: null, beside };
      return this.writing.insert(actor, project, rule, wantedApprovers(params));
    });
  }

  /** Throws "404 Not found" and `validation`. */
  update(actor: Actor, project: Project, params: ParamsOf<typeof ChangeProjectRule>): Promise<DescribedRule> {
    const place = { projectId: project.id };
    return this.holding(actor, project, async () => {
      const rule = await this.require(project, params.approval_rule_id);
      const { name, approvals_required: approvalsRequired } = params;
      const change = { name, approvalsRequired, ...wantedApprovers(params) };
      await this.writing.change(actor, project, { rule, place }, change);
      return rule;
    });
  }

  /** Throws "404 Not found". What merge requests have put in its place stays theirs. */
  remove(project: Project, id: number): Promise<void> {
    return this.database.transaction(async () => {
      await this.hold(project);
      await this.rules.remove((await this.require(project, id)).id);
    });
  }

  private async hold({ id }: Project): Promise<void> {
    if (!(await this.rules.holdProject(id))) throw notFound('Project');
  }

  private async require({ id: projectId }: Project, id: number): Promise<ApprovalRule> {
    const rule = await this.rules.find({ projectId }, id);
    if (!rule) throw notFound();
    return rule;
  }

  private async holding(
    actor: Actor,
    project: Project,
    change: () => Promise<ApprovalRule>,
  ): Promise<DescribedRule> {
    const rule = await this.database.transaction(async () => {
      await this.hold(project);
      return change();
    });
    const [described] = await this.descriptions.ofProject(actor, project, [rule]);
    if (!described) throw new Error('every rule is described');
    return described;
  }
}
