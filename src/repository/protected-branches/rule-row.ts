import { hydrate } from '#libs/database';
import { ProtectedBranch, ProtectedBranchAccess } from './protected-branch.entity';

/** What `RULES_OF_PROJECT` gives for each rule. */
export interface RuleRow {
  readonly branch: object;
  readonly access: object[];
}

/** All rules on the branches of the project $1. */
export const RULES_OF_PROJECT = `
  SELECT to_json(b) AS branch, coalesce(json_agg(a ORDER BY a.id) FILTER (WHERE a.id IS NOT NULL), '[]') AS access
  FROM protected_branches b LEFT JOIN protected_branch_access a ON a.protected_branch_id = b.id
  WHERE b.project_id = $1 GROUP BY b.id ORDER BY b.id`;

export const ruleOf = ({ branch, access }: RuleRow): ProtectedBranch =>
  Object.assign(hydrate(ProtectedBranch, branch), {
    access: access.map((entry) => hydrate(ProtectedBranchAccess, entry)),
  });
