import { until } from '#libs/testing';
import type { Client } from 'pg';

const IN_GROUPS_OF = (project: string): string => `ANY((SELECT n.traversal_ids FROM projects p
  JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${project})::bigint[])`;

const NOTED = { issues: 'issue_id', merge_requests: 'merge_request_id', epics: 'epic_id' } as const;

/** Questions to the rows; each row of an answer is something that may not be. */
const WRONG: Readonly<Record<string, string>> = {
  'a count of open issues is off': `
    SELECT p.id, p.open_issues_count, count(i.id) FROM projects p
    LEFT JOIN issues i ON i.project_id = p.id AND i.state = 'opened' AND NOT i.confidential
    GROUP BY p.id HAVING p.open_issues_count <> count(i.id)`,
  ...Object.fromEntries(
    Object.entries(NOTED).map(([table, column]) => [
      `a count of notes of ${table} is off`,
      `SELECT t.id, t.user_notes_count, count(n.id) FROM ${table} t LEFT JOIN notes n ON n.${column} = t.id AND NOT n.system
       GROUP BY t.id HAVING t.user_notes_count <> count(n.id)`,
    ]),
  ),
  ...Object.fromEntries(
    [
      ['issues', 'issues'],
      ['merge_requests', 'target_project_id'],
    ].map(([table]) => [
      `something of ${table ?? ''} has a milestone that cannot be used there`,
      `SELECT t.id, m.id FROM ${table ?? ''} t JOIN milestones m ON m.id = t.milestone_id
       WHERE m.project_id IS DISTINCT FROM t.project_id AND (m.group_id = ${IN_GROUPS_OF('t.project_id')}) IS NOT TRUE`,
    ]),
  ),
  ...Object.fromEntries(
    (['issues', 'merge_requests'] as const).map((table) => [
      `something of ${table} has a label that cannot be used there`,
      `SELECT t.id, l.id FROM ${table} t JOIN label_links link ON link.${NOTED[table]} = t.id
       JOIN labels l ON l.id = link.label_id
       WHERE l.project_id IS DISTINCT FROM t.project_id AND (l.group_id = ${IN_GROUPS_OF('t.project_id')}) IS NOT TRUE`,
    ]),
  ),
  'a number was given that may be given again': `
    SELECT i.project_id, i.iid FROM issues i LEFT JOIN internal_ids given
      ON given.scope_kind = 'project' AND given.scope_id = i.project_id AND given.usage = 'issues'
    WHERE given.last_value IS NULL OR given.last_value < i.iid`,
  'the queue and the jobs differ': `
    SELECT record.id, record.status, q.job_id FROM commit_statuses record
    FULL JOIN job_queue q ON q.job_id = record.id
    WHERE record.kind = 'job' AND (record.status = 'pending') <> (q.job_id IS NOT NULL) OR record.id IS NULL`,
  'a pipeline goes on though all in it has ended': `
    SELECT p.id, p.status FROM pipelines p
    WHERE p.status IN ('pending', 'running') AND NOT EXISTS (
      SELECT 1 FROM commit_statuses s WHERE s.pipeline_id = p.id AND NOT s.retried
        AND s.status IN ('created', 'pending', 'running', 'preparing', 'scheduled'))
      AND EXISTS (SELECT 1 FROM commit_statuses s WHERE s.pipeline_id = p.id)`,
  'a merge has not ended': `SELECT id FROM merge_requests WHERE state = 'locked'`,
  'a merge is still intended': 'SELECT * FROM merge_attempts',
  'a move of a ref is still intended': 'SELECT * FROM ref_intents',
  'something is still being deleted': `
    SELECT id FROM projects WHERE pending_delete UNION ALL SELECT id FROM namespaces WHERE pending_delete`,
  'a background job has failed': `
    SELECT name, data, output FROM pgboss.job WHERE state = 'failed' OR retry_count > 2`,
  'a reference does not say what becomes of it when what it refers to is deleted': `
    SELECT conname FROM pg_constraint JOIN pg_namespace s ON s.oid = connamespace
    WHERE contype = 'f' AND confdeltype IN ('a', 'r') AND s.nspname = 'public'`,
  'a rule of the database is not in force': 'SELECT conname FROM pg_constraint WHERE NOT convalidated',
};

/** What is wrong with the rows, in words; empty where all is well. */
export async function inconsistencies(database: Client): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of Object.entries(WRONG)) {
    const { rows } = await database.query<object>(text);
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  return [...found, ...(await danglingReferences(database))];
}

interface Reference {
  readonly table: string;
  readonly columns: string;
  readonly target: string;
  readonly targetColumns: string;
}

/** Rows that refer to what is not there, by whichever foreign key: also those that somebody has switched off meanwhile. */
async function danglingReferences(database: Client): Promise<string[]> {
  const { rows: references } = await database.query<Reference>(`
    SELECT c.conrelid::regclass::text AS "table", c.confrelid::regclass::text AS target,
      (SELECT string_agg(format('a.%I', attname), ', ' ORDER BY place) FROM unnest(c.conkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute ON attrelid = c.conrelid AND attnum = number) AS columns,
      (SELECT string_agg(format('b.%I', attname), ', ' ORDER BY place) FROM unnest(c.confkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute ON attrelid = c.confrelid AND attnum = number) AS "targetColumns"
    FROM pg_constraint c JOIN pg_namespace s ON s.oid = c.connamespace WHERE c.contype = 'f' AND s.nspname = 'public'`);
  const found: string[] = [];
  for (const { table, columns, target, targetColumns } of references) {
    const { rowCount } = await database.query(
      `SELECT 1 FROM ${table} a WHERE num_nulls(${columns}) = 0
         AND NOT EXISTS (SELECT 1 FROM ${target} b WHERE (${targetColumns}) = (${columns})) LIMIT 1`,
    );
    if ((rowCount ?? 0) > 0) found.push(`${table} (${columns}) refers to nothing in ${target}`);
  }
  if (references.length < 50) found.push(`only ${references.length} references were found`);
  return found;
}

/** Waits until no background job is left to do. */
export const settled = (database: Client, patienceMs: number): Promise<true> =>
  until(async () => {
    // What has failed waits for its next attempt: it need not.
    await database.query(
      `UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND start_after > now()`,
    );
    const { rowCount } = await database.query(
      `SELECT 1 FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND start_after <= now()
         AND name NOT LIKE '\\_\\_pgboss%' LIMIT 1`,
    );
    return rowCount === 0;
  }, patienceMs);
