import type { TestApplication } from './application';

export interface BuiltIssue {
  readonly id: number;
  readonly iid: number;
}

interface IssueOptions {
  readonly author: { readonly id: number };
  readonly title?: string;
  readonly confidential?: boolean;
  readonly columns?: Readonly<Record<string, unknown>>;
}

/** An issue straight in the database, with the next number of its project. */
export async function issue(
  app: TestApplication,
  project: { readonly id: number },
  { author, title = 'An issue', confidential = false, columns = {} }: IssueOptions,
): Promise<BuiltIssue> {
  const given = Object.entries({
    project_id: project.id,
    author_id: author.id,
    title,
    confidential,
    ...columns,
  });
  const names = given.map(([name]) => name);
  const { rows } = await app.database.query<{ id: string; iid: number }>(
    `WITH number AS (
       INSERT INTO internal_ids (scope_kind, scope_id, usage, last_value) VALUES ('project', $1, 'issues', 1)
       ON CONFLICT (scope_kind, scope_id, usage) DO UPDATE SET last_value = internal_ids.last_value + 1
       RETURNING last_value)
     INSERT INTO issues (iid, ${names.join(', ')})
     SELECT last_value, ${names.map((_, index) => `$${index + 2}`).join(', ')} FROM number RETURNING id, iid`,
    [project.id, ...given.map(([, value]) => value)],
  );
  const [row] = rows;
  if (!row) throw new Error('no issue was inserted');
  return { id: Number(row.id), iid: row.iid };
}
