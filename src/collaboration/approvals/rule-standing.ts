import type { UserSummary } from '../../identity/identity.api';
import type { ApprovalRule } from './approval-rule.entity';
import type { RuleNames } from './rule-names';

/** Of a rule no more people are told; whoever has approved counts all the same. */
export const MOST_PEOPLE = 500;

/** How a rule stands in a merge request; people by their ids. */
export interface RuleStanding {
  readonly rule: ApprovalRule;
  readonly required: number;
  /** What the project's rule asks for that it stands for; null where it stands for none. */
  readonly sourceRequired: number | null;
  /** How many of its people are enough at least, where there are fewer of them than it takes. */
  readonly least: number;
  /** Those it names who may approve; nobody where it names nobody. */
  readonly eligible: readonly number[];
  /** Those of them who have; of a rule that names nobody, all who have. */
  readonly approvedBy: readonly number[];
}

/** What decides whether a merge request is approved. */
export interface ApprovalFacts {
  /** How many it takes, whoever they are. */
  readonly number: number;
  /** Ids, in the order of their approvals. */
  readonly approverIds: readonly number[];
  /** Ids of those who may not judge the change, because they made it: what they approved before does not count either. */
  readonly barred: readonly number[];
  readonly rules: readonly RuleStanding[];
}

/** A rule with the people in it, for the wire. */
export interface DescribedRule {
  readonly rule: ApprovalRule;
  readonly required: number;
  readonly eligible: readonly UserSummary[];
  readonly names: RuleNames;
}

/** The same in a merge request. */
export interface DescribedStanding extends DescribedRule {
  /** As in RuleStanding. */
  readonly sourceRequired: number | null;
  readonly approvedBy: readonly UserSummary[];
  readonly isMet: boolean;
}

/** The rules that hold for a merge request, and how each of them stands. */
export interface RuleStates {
  /** The merge request has rules of its own, and they count. */
  readonly isOverwritten: boolean;
  readonly rules: readonly DescribedStanding[];
}

export const approvalsLeft = ({ required, approvedBy }: RuleStanding): number =>
  Math.max(0, required - approvedBy.length);

/**
 * Where fewer people are left than are asked for, all of them are enough, as in the reference; nobody at all never is, nor
 * are the few whom a merge request names in the place of those of its project, while there are enough of these.
 */
export function isMet(standing: RuleStanding): boolean {
  if (approvalsLeft(standing) === 0) return true;
  const { rule, eligible, approvedBy, least } = standing;
  if (rule.forAnyone || eligible.length >= MOST_PEOPLE) return false;
  return approvedBy.length >= Math.max(1, least) && eligible.every((id) => approvedBy.includes(id));
}

/** Whose approvals count. */
export const countingApprovers = ({
  approverIds,
  barred,
}: Pick<ApprovalFacts, 'approverIds' | 'barred'>): readonly number[] =>
  approverIds.filter((id) => !barred.includes(id));

const numberLeft = (facts: ApprovalFacts): number =>
  Math.max(0, facts.number - countingApprovers(facts).length);

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** One approval may count for several rules, and counts towards the number that is asked for of anybody. */
export const requiredInAll = (facts: ApprovalFacts): number =>
  Math.max(facts.number, total(facts.rules.map(({ required }) => required)));

export const leftInAll = (facts: ApprovalFacts): number =>
  Math.max(numberLeft(facts), total(facts.rules.map(approvalsLeft)));

export const isApproved = (facts: ApprovalFacts): boolean =>
  numberLeft(facts) === 0 && facts.rules.every(isMet);
