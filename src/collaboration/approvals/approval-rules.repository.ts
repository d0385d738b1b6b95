import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { ApprovalRule } from './approval-rule.entity';
import { RULES_OF_MERGE_REQUEST } from './effective-rules';

/** The project or the merge request that a rule is of. */
export type RulePlace = { readonly projectId: number } | { readonly mergeRequestId: number };

/** Ids by that of the rule that names them; a rule that names nobody is left out. */
export type NamedByRule = ReadonlyMap<number, readonly number[]>;

const toRule = (row: object): ApprovalRule => hydrate(ApprovalRule, row);

/** Where a rule's people or groups are written down. */
interface Naming {
  readonly table: 'approval_rule_users' | 'approval_rule_groups';
  readonly column: 'user_id' | 'group_id';
  readonly of: 'users' | 'namespaces';
}

/** Rules by themselves, and the names in them. */
@Injectable()
export class ApprovalRulesRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first; a place has few of them. */
  list(place: RulePlace): Promise<ApprovalRule[]> {
    return this.database.manager.find(ApprovalRule, { where: place, order: { id: 'ASC' } });
  }

  find(place: RulePlace, id: number): Promise<ApprovalRule | null> {
    return this.database.manager.findOneBy(ApprovalRule, { ...place, id });
  }

  byName(place: RulePlace, name: string): Promise<ApprovalRule | null> {
    return this.database.manager.findOneBy(ApprovalRule, { ...place, name });
  }

  /** What stands for the project's rule there. */
  bySource(place: RulePlace, sourceRuleId: number): Promise<ApprovalRule | null> {
    return this.database.manager.findOneBy(ApprovalRule, { ...place, sourceRuleId });
  }

  /** Those that hold for the merge request. */
  async effective(mergeRequestId: number): Promise<ApprovalRule[]> {
    const rows = await this.database.prepared('effective_approval_rules', RULES_OF_MERGE_REQUEST, [
      mergeRequestId,
    ]);
    return rows.map(toRule);
  }

  async byIds(ids: readonly number[]): Promise<ReadonlyMap<number, ApprovalRule>> {
    if (ids.length === 0) return new Map();
    const text = 'SELECT * FROM approval_rules WHERE id = ANY($1::bigint[])';
    const rows = await this.database.prepared('approval_rules_by_id', text, [ids]);
    return new Map(rows.map(toRule).map((rule) => [rule.id, rule]));
  }

  /**
   * Until the transaction ends nobody else changes the project's rules: two at once would count the same ones. False where
   * the project is gone meanwhile.
   */
  async holdProject(projectId: number): Promise<boolean> {
    await this.database.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `approval_rules:${projectId}`,
    ]);
    const text = 'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete FOR KEY SHARE';
    return (await this.database.prepared('hold_project_of_rules', text, [projectId])).length > 0;
  }

  /** A rule of the project for one to stand for: it stays until the transaction ends. */
  holdSource(projectId: number, which: { id: number } | { name: string }): Promise<ApprovalRule | null> {
    const lock = { mode: 'for_key_share' } as const;
    return this.database.manager.findOne(ApprovalRule, { where: { projectId, ...which }, lock });
  }

  create(values: Partial<ApprovalRule>): ApprovalRule {
    return this.database.manager.create(ApprovalRule, values);
  }

  save(rule: ApprovalRule): Promise<ApprovalRule> {
    return this.database.manager.save(rule);
  }

  async remove(id: number): Promise<void> {
    await this.database.manager.delete(ApprovalRule, { id });
  }

  usersOf(ruleIds: readonly number[]): Promise<NamedByRule> {
    return this.named(
      'users_of_approval_rules',
      `SELECT rule_id, array_agg(user_id ORDER BY user_id) AS ids FROM approval_rule_users
       WHERE rule_id = ANY($1::bigint[]) GROUP BY rule_id`,
      ruleIds,
    );
  }

  groupsOf(ruleIds: readonly number[]): Promise<NamedByRule> {
    return this.named(
      'groups_of_approval_rules',
      `SELECT named.rule_id, array_agg(named.group_id ORDER BY named.group_id) AS ids
       FROM approval_rule_groups named JOIN namespaces g ON g.id = named.group_id AND NOT g.pending_delete
       WHERE named.rule_id = ANY($1::bigint[]) GROUP BY named.rule_id`,
      ruleIds,
    );
  }

  setUsers(ruleId: number, ids: readonly number[]): Promise<void> {
    return this.setNamed({ table: 'approval_rule_users', column: 'user_id', of: 'users' }, ruleId, ids);
  }

  setGroups(ruleId: number, ids: readonly number[]): Promise<void> {
    return this.setNamed(
      { table: 'approval_rule_groups', column: 'group_id', of: 'namespaces' },
      ruleId,
      ids,
    );
  }

  /** These and no others; who is being deleted meanwhile is passed over. */
  private async setNamed(
    { table, column, of }: Naming,
    ruleId: number,
    ids: readonly number[],
  ): Promise<void> {
    await this.database.prepared(
      `unname_in_${table}`,
      `DELETE FROM ${table} WHERE rule_id = $1 AND ${column} <> ALL($2::bigint[])`,
      [ruleId, ids],
    );
    await this.database.prepared(
      `name_in_${table}`,
      `INSERT INTO ${table} (rule_id, ${column})
       SELECT $1, held.id FROM (
         SELECT id FROM ${of} WHERE id = ANY($2::bigint[]) ORDER BY id FOR KEY SHARE) AS held
       ON CONFLICT DO NOTHING`,
      [ruleId, ids],
    );
  }

  private async named(name: string, text: string, ruleIds: readonly number[]): Promise<NamedByRule> {
    if (ruleIds.length === 0) return new Map();
    const rows = await this.database.prepared<{ rule_id: number; ids: number[] }>(name, text, [ruleIds]);
    return new Map(rows.map(({ rule_id: ruleId, ids }) => [ruleId, ids]));
  }
}
