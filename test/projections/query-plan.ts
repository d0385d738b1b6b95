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
  readonly Plans?: readonly PlanNode[];
}

/**
 * A list shows a page and counts its rows up to 10,000, a third of what it looks at, at least, being among them: no
 * step has to look at more than this. The tables of users, projects and memberships are larger.
 */
const MOST_ROWS = 32_000;

const MOST_SORTED = 13_000;

/** Everything in how PostgreSQL carries the statement out that grows with the tables: empty for a good plan. */
export async function growingSteps(database: Client, statement: SentStatement): Promise<string[]> {
  const { rows } = await database.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`,
    [...statement.values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('EXPLAIN gives one plan');
  return stepsOf(plan).flatMap((node) => problemsOf(node));
}

const stepsOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(stepsOf)];

function problemsOf(node: PlanNode): string[] {
  const table = node['Relation Name'];
  const name = `${node['Node Type']}${table === undefined ? '' : ` of ${table}`}`;
  const seen =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const problems: string[] = [];
  if (seen > MOST_ROWS) problems.push(`${name}: looks at ${Math.round(seen)} rows`);
  if (node['Node Type'] === 'Sort' && inputOf(node) > MOST_SORTED) {
    problems.push(`${name}: sorts ${Math.round(inputOf(node))} rows`);
  }
  return problems;
}

const inputOf = ({ Plans: plans = [] }: PlanNode): number =>
  plans.reduce((sum, child) => sum + child['Actual Rows'] * child['Actual Loops'], 0);
