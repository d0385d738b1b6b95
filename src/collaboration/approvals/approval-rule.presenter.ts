import { field, presenter, type View } from '#libs/presenting';
import {
  GroupRecord,
  presentGroupRecord,
  presentUserSummary,
  UserSummaryRecord,
  type UserSummary,
} from '../../identity/identity.api';
import type { DescribedRule, DescribedStanding, RuleStates } from './rule-standing';

/** Rules of code owners and of reports are none here. */
const RULE_TYPE = 'regular' as const;

const ShortFields = { id: field.int(), name: field.string(), rule_type: field.enum([RULE_TYPE]) };

export const ShortRuleRecord = field.object(ShortFields);

export const shortRule = ({ rule }: Pick<DescribedRule, 'rule'>) => ({
  id: rule.id,
  name: rule.name,
  rule_type: RULE_TYPE,
});

const RuleFields = {
  ...ShortFields,
  eligible_approvers: field.array(UserSummaryRecord),
  approvals_required: field.int(),
  users: field.array(UserSummaryRecord),
  groups: field.array(GroupRecord),
  contains_hidden_groups: field.boolean(),
};

const people = (users: readonly UserSummary[], view: View) =>
  users.map((user) => presentUserSummary(user, view));

const ruleFields = (described: DescribedRule, view: View) => ({
  ...shortRule(described),
  eligible_approvers: people(described.eligible, view),
  approvals_required: described.required,
  users: people(described.names.users, view),
  groups: described.names.groups.map((group) => presentGroupRecord(group, view)),
  contains_hidden_groups: described.names.hidesGroups,
});

/** A rule of a project. */
export const presentProjectRule = presenter(field.object(RuleFields), ruleFields);

const SourceField = { source_rule: field.object({ approvals_required: field.int() }).nullable() };

const sourceField = ({ sourceRequired }: DescribedStanding) => ({
  source_rule: sourceRequired === null ? null : { approvals_required: sourceRequired },
});

/** A rule of a merge request. */
export const presentMergeRequestRule = presenter(
  field.object({ ...RuleFields, ...SourceField }),
  (described: DescribedStanding, view) => ({ ...ruleFields(described, view), ...sourceField(described) }),
);

/** The rules that hold for a merge request, and how each of them stands. */
export const presentRuleStates = presenter(
  field.object({
    approval_rules_overwritten: field.boolean(),
    rules: field.array(
      field.object({
        ...RuleFields,
        approved_by: field.array(UserSummaryRecord),
        ...SourceField,
        approved: field.boolean(),
      }),
    ),
  }),
  ({ isOverwritten, rules }: RuleStates, view) => ({
    approval_rules_overwritten: isOverwritten,
    rules: rules.map((described) => ({
      ...ruleFields(described, view),
      approved_by: people(described.approvedBy, view),
      ...sourceField(described),
      approved: described.isMet,
    })),
  }),
);
