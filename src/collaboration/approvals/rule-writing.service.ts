import type { Actor } from '#libs/access';
import { forbidden, invalid } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { ApprovalRule, RuleChange } from './approval-rule.entity';
import { ApprovalRulesRepository, type RulePlace } from './approval-rules.repository';
import { ApproverNaming } from './approver-naming.service';
import type { WantedApprovers } from './wanted-approvers';

const MOST_RULES = 50;

/** A rule that is to be made. */
export interface NewRule {
  readonly place: RulePlace;
  readonly name: string;
  /** Null for as many as are asked for where nobody is named. */
  readonly approvalsRequired: number | null;
  /** The rule of the project that it is to stand for. */
  readonly source: ApprovalRule | null;
  /** How many rules hold there beside it. */
  readonly beside: number;
}

/** Makes and changes rules. In the transaction that holds the place that they are of. */
@Injectable()
export class RuleWriting {
  constructor(
    private readonly rules: ApprovalRulesRepository,
    private readonly naming: ApproverNaming,
    private readonly license: License,
  ) {}

  /**
   * Names what the source names where nobody is wanted. Throws 403 for a second rule where only one is licensed, and
   * `validation`.
   */
  async insert(
    actor: Actor,
    project: Project,
    { place, name, approvalsRequired, source, beside }: NewRule,
    wanted: WantedApprovers,
  ): Promise<ApprovalRule> {
    if (beside > 0 && !this.license.has('multiple_approval_rules'))
      throw forbidden('There can be one approval rule only');
    if (beside >= MOST_RULES) throw invalid({ base: [`There can be ${MOST_RULES} approval rules at most`] });
    await this.refuseNamesake(place, name);
    if (source && (await this.rules.bySource(place, source.id)))
      throw invalid({ approval_project_rule_id: ['has already been taken'] });
    requireEnough(project, source, approvalsRequired);
    const sourceRuleId = source?.id ?? null;
    const values = { ...place, name, approvalsRequired, sourceRuleId, forAnyone: true };
    const rule = await this.rules.save(this.rules.create(values));
    if (source) await this.naming.copy(source, rule);
    await this.naming.name(actor, project, rule, wanted);
    return rule;
  }

  /** Throws `validation`. */
  async change(
    actor: Actor,
    project: Project,
    { rule, place }: { readonly rule: ApprovalRule; readonly place: RulePlace },
    change: RuleChange & WantedApprovers,
  ): Promise<void> {
    if (change.name !== undefined && change.name !== rule.name) await this.refuseNamesake(place, change.name);
    const source = rule.sourceRuleId === null ? null : await this.sourceOf(project, rule.sourceRuleId);
    if (change.approvalsRequired !== undefined) requireEnough(project, source, change.approvalsRequired);
    rule.change(change);
    await this.naming.name(actor, project, rule, change);
  }

  private sourceOf(project: Project, id: number): Promise<ApprovalRule | null> {
    return this.rules.find({ projectId: project.id }, id);
  }

  private async refuseNamesake(place: RulePlace, name: string): Promise<void> {
    if (await this.rules.byName(place, name)) throw invalid({ name: ['has already been taken'] });
  }
}

/** Nobody asks for less than their project. */
function requireEnough(project: Project, source: ApprovalRule | null, wanted: number | null): void {
  const least = source?.requires(project.approvalsBeforeMerge) ?? 0;
  if (wanted === null || wanted >= least) return;
  throw invalid({ approvals_required: [`must be greater than or equal to ${least}`] });
}
