import type { Client } from 'pg';
import type { SentStatement } from '../support/statement-trace';

/** A node of a plan as EXPLAIN (ANALYZE, FORMAT JSON) tells it; figures are per loop. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows a statement may look at in one step. */
export interface Limits {
  readonly looked: number;
  readonly sorted: number;
  /** In an index alone, without a look at the rows themselves: what that costs is a tenth. */
  readonly walked: number;
}

/**
 * A list shows a page and counts its rows up to 10,000, a third of what it looks at, at least, being among them: no
 * step has to look at more than this. The tables of users, projects and memberships are larger.
 */
export const FIRST_PAGE: Limits = { looked: 32_000, sorted: 13_000, walked: 32_000 };

/** A page that 20,000 rows come before: all of them are passed over, and in the index alone what is among them. */
export const DEEP_PAGE: Limits = { looked: 51_000, sorted: 51_000, walked: 101_000 };

/** Rows that were written to since the last clean-up. */
const FEW = 100;

/** Everything in how PostgreSQL carries the statement out that grows with the tables: empty for a good plan. */
export async function growingSteps(
  database: Client,
  statement: SentStatement,
  limits: Limits = FIRST_PAGE,
): Promise<string[]> {
  const { rows } = await database.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`,
    [...statement.values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('EXPLAIN gives one plan');
  return stepsOf(plan).flatMap((node) => problemsOf(node, limits));
}

const stepsOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(stepsOf)];

function problemsOf(node: PlanNode, limits: Limits): string[] {
  const table = node['Relation Name'];
  const name = `${node['Node Type']}${table === undefined ? '' : ` of ${table}`}`;
  const seen =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const problems: string[] = [];
  const isWalk = node['Node Type'] === 'Index Only Scan' && (node['Heap Fetches'] ?? 0) < FEW;
  if (seen > (isWalk ? limits.walked : limits.looked))
    problems.push(`${name}: looks at ${Math.round(seen)} rows`);
  if (node['Node Type'] === 'Sort' && inputOf(node) > limits.sorted) {
    problems.push(`${name}: sorts ${Math.round(inputOf(node))} rows`);
  }
  return problems;
}

const inputOf = ({ Plans: plans = [] }: PlanNode): number =>
  plans.reduce((sum, child) => sum + child['Actual Rows'] * child['Actual Loops'], 0);
