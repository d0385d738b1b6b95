import { Level, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { BranchRules } from './branch-rules';
import { ProtectedBranch } from './protected-branch.entity';
import { RULES_OF_PROJECT, ruleOf, type RuleRow } from './rule-row';

@Injectable()
export class ProtectedBranchesRepository {
  constructor(private readonly database: Database) {}

  /** All rules of a project (asked for unless they are `known`), and whether the actor is in a group that one of them names. */
  async rulesFor(projectId: number, actor: Actor, known?: readonly ProtectedBranch[]): Promise<BranchRules> {
    const rules = known ?? (await this.ofProject(projectId));
    const groupIds = rules.flatMap((rule) => rule.access.flatMap(({ groupId }) => groupId ?? []));
    if (groupIds.length === 0 || !actor.user) return new BranchRules(rules);
    return new BranchRules(rules, await this.groupsOf(projectId, actor.user.id, groupIds));
  }

  async ofProject(projectId: number): Promise<ProtectedBranch[]> {
    const rows = await this.database.prepared<RuleRow>('protected_branches_of_project', RULES_OF_PROJECT, [
      projectId,
    ]);
    return rows.map(ruleOf);
  }

  /** Protects a branch for maintainers alone, as the default branch is when it first appears. Idempotent. */
  async protectForMaintainers(projectId: number, name: string): Promise<void> {
    await this.database.manager.query(
      `WITH made AS (
         INSERT INTO protected_branches (project_id, name) VALUES ($1, $2)
         ON CONFLICT (project_id, name) DO NOTHING RETURNING id)
       INSERT INTO protected_branch_access (protected_branch_id, action, access_level)
       SELECT made.id, wanted.action, $3 FROM made, unnest(ARRAY['push', 'merge', 'unprotect']) AS wanted(action)`,
      [projectId, name, Level.maintainer],
    );
  }

  /** Protects one branch by its name; what is given says whether developers may do it too, the rest stays as it was. */
  async protect(
    projectId: number,
    name: string,
    developersMay: { push?: boolean; merge?: boolean },
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.protectForMaintainers(projectId, name);
      for (const [action, allowed] of Object.entries(developersMay)) {
        await this.database.manager.query(
          `WITH rule AS (
               UPDATE protected_branches SET updated_at = now() WHERE project_id = $1 AND name = $2 RETURNING id),
             former AS (DELETE FROM protected_branch_access
               WHERE protected_branch_id IN (SELECT id FROM rule) AND action = $3)
           INSERT INTO protected_branch_access (protected_branch_id, action, access_level) SELECT id, $3, $4 FROM rule`,
          [projectId, name, action, allowed ? Level.developer : Level.maintainer],
        );
      }
    });
  }

  /** Takes back the rule of exactly this name; wildcards that cover the branch stay. */
  async unprotect(projectId: number, name: string): Promise<void> {
    await this.database.manager.delete(ProtectedBranch, { projectId, name });
  }

  /** Groups of which the user is a member, for as long as the project is shared with them. */
  private async groupsOf(
    projectId: number,
    userId: number,
    groupIds: readonly number[],
  ): Promise<Set<number>> {
    const rows: { id: number }[] = await this.database.manager.query(
      `SELECT g.id FROM namespaces g
       JOIN project_shares share ON share.project_id = $3 AND share.group_id = g.id
         AND (share.expires_at IS NULL OR share.expires_at > current_date)
       WHERE g.id = ANY($1::bigint[]) AND NOT g.pending_delete AND EXISTS (
         SELECT 1 FROM members m
         WHERE m.source_kind = 'namespace' AND m.source_id = ANY(g.traversal_ids) AND m.user_id = $2
           AND ${LIVE_MEMBER})`,
      [groupIds, userId, projectId],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
