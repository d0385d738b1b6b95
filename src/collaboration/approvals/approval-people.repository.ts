import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { projectLevel } from '../../repository/repository.api';
import type { NamedByRule } from './approval-rules.repository';
import { MOST_PEOPLE } from './rule-standing';

/** Of a rule's people no more are looked at, in the order of their ids: a group may have any number of members. */
const MOST_LOOKED_AT = 10_000;

/** The user `u` by their level in the project `p` of the namespace `n`. */
const LEVEL = projectLevel({
  user: 'u.id',
  project: 'p.id',
  owner: 'n.owner_id',
  traversal: 'n.traversal_ids',
});
const IN_PROJECT = 'projects p JOIN namespaces n ON n.id = p.namespace_id';
const IS_PERSON = `u.kind = 'human' AND NOT u.pending_delete`;

/** Named by the rule themselves, or members of a group that is; of those $4, where they are given. */
const NAMED = `
  SELECT every_one.user_id FROM (
  SELECT person.user_id FROM approval_rule_users person WHERE person.rule_id = wanted.rule_id
  UNION
  SELECT m.user_id FROM approval_rule_groups named
  JOIN namespaces g ON g.id = named.group_id AND NOT g.pending_delete
  JOIN members m ON m.source_kind = 'namespace' AND m.source_id = g.id AND ${LIVE_MEMBER}
  WHERE named.rule_id = wanted.rule_id) AS every_one
  WHERE $4::bigint[] IS NULL OR every_one.user_id = ANY($4::bigint[])
  ORDER BY every_one.user_id LIMIT ${MOST_LOOKED_AT}`;

export interface RulesOfProject {
  readonly projectId: number;
  readonly ruleIds: readonly number[];
  /** Who may not approve whatever names them. */
  readonly without: readonly number[];
  /** Nobody else is looked at; null for everybody. */
  readonly among: readonly number[] | null;
}

/** The people that rules are about. */
@Injectable()
export class ApprovalPeople {
  constructor(private readonly database: Database) {}

  /**
   * Ids of those whom each of the rules names and who may approve in the project, in the order of their ids. The level
   * of whoever several rules name is looked up once.
   */
  async eligible({ projectId, ruleIds, without, among }: RulesOfProject): Promise<NamedByRule> {
    if (ruleIds.length === 0 || among?.length === 0) return new Map();
    const rows = await this.database.prepared<{ rule_id: number; ids: number[] }>(
      'eligible_approvers',
      `WITH person AS MATERIALIZED (
         SELECT wanted.rule_id, named.user_id
         FROM unnest($2::bigint[]) AS wanted (rule_id) CROSS JOIN LATERAL (${NAMED}) AS named),
       able AS MATERIALIZED (
         SELECT u.id FROM ${IN_PROJECT}, users u
         WHERE p.id = $1 AND u.id IN (SELECT user_id FROM person) AND ${IS_PERSON} AND u.state = 'active'
           AND u.id <> ALL($3::bigint[])
           AND (u.is_admin OR ${LEVEL} >= ${Level.developer}))
       SELECT person.rule_id, (array_agg(able.id ORDER BY able.id))[1:${MOST_PEOPLE}] AS ids
       FROM person JOIN able ON able.id = person.user_id GROUP BY person.rule_id`,
      [projectId, ruleIds, without, among],
    );
    return new Map(rows.map(({ rule_id: ruleId, ids }) => [ruleId, ids]));
  }

  /** Those of the users who have access to the project as its members, or as administrators. */
  async withAccess(projectId: number, userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return [];
    const rows = await this.database.prepared<{ id: number }>(
      'nameable_approvers',
      `SELECT u.id FROM ${IN_PROJECT}, users u
       WHERE p.id = $1 AND u.id = ANY($2::bigint[]) AND ${IS_PERSON} AND (u.is_admin OR ${LEVEL} >= ${Level.guest})`,
      [projectId, userIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Whose addresses these are, in lower case: a primary one, or another that is confirmed. */
  async byAddresses(addresses: readonly string[]): Promise<number[]> {
    const asked = addresses.filter((address) => !address.includes('\0'));
    if (asked.length === 0) return [];
    const rows = await this.database.prepared<{ id: number }>(
      'committers_by_address',
      `SELECT id FROM users WHERE lower(email) = ANY($1::text[])
       UNION SELECT user_id FROM emails WHERE lower(email) = ANY($1::text[]) AND confirmed_at IS NOT NULL`,
      [asked],
    );
    return rows.map(({ id }) => id);
  }
}
