import { startApplication, type TestApplication } from '../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import { statementsDuring } from '../support/statement-trace';
import { growingSteps } from './query-plan';

/** Minutes, for machines that do much else meanwhile. */
const LIMIT_MS = 180_000;

const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;
let reporter: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;

/** 36,000 of one project by 200 people, one in twenty of them open. */
const MERGE_REQUESTS = `
  INSERT INTO merge_requests (iid, project_id, source_project_id, source_branch, target_branch, author_id, title,
    description, state, created_at, updated_at)
  SELECT n, $1::bigint, $1::bigint, 'b' || n, 'master', $2::bigint + n % 200, 'Change ' || md5(n::text),
    'About ' || md5((n + 1)::text), CASE WHEN n % 20 = 0 THEN 'opened' ELSE 'merged' END,
    now() - n * interval '1 minute', now() - (n * 7919 % 36000) * interval '1 minute'
  FROM generate_series(1, 36000) n`;

beforeAll(async () => {
  app = await startApplication();
  const { build, database } = app;
  reporter = await build.user();
  group = await build.group({ members: { reporter } });
  project = await build.project({ namespace: group, files: { a: 'x' } });
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO users (username, name, email)
     SELECT 'p' || n, 'p' || n, 'p' || n || '@example.com' FROM generate_series(1, 200) n RETURNING id`,
  );
  const firstAuthor = Math.min(...rows.map(({ id }) => Number(id)));
  // They are made anew afterwards, which is much faster than row by row.
  await database.query('DROP INDEX merge_requests_title, merge_requests_description');
  await database.query(MERGE_REQUESTS, [project.id, firstAuthor]);
  await database.query(
    `INSERT INTO merge_request_assignees SELECT id, author_id FROM merge_requests WHERE id % 10 = 0`,
  );
  await database.query(
    `INSERT INTO merge_request_commits (merge_request_id, sha, position) SELECT id, md5(id::text) || '00000000', 1 FROM merge_requests`,
  );
  await database.query(
    `INSERT INTO merge_request_commits (merge_request_id, sha, position)
     SELECT id, $1, 2 FROM merge_requests ORDER BY id LIMIT 3`,
    [project.tip],
  );
  await database.query(
    `WITH made AS (
       INSERT INTO approval_rules (merge_request_id, name, approvals_required, for_anyone)
       SELECT id, 'Own', 1, false FROM merge_requests WHERE iid % 700 = 0 RETURNING id)
     INSERT INTO approval_rule_users (rule_id, user_id) SELECT id, $1 FROM made`,
    [reporter.id],
  );
  await database.query(`INSERT INTO milestones (iid, project_id, title) VALUES (1, $1, 'v1')`, [project.id]);
  await database.query(
    `UPDATE merge_requests SET milestone_id = m.id FROM milestones m WHERE merge_requests.iid % 500 = 0`,
  );
  await database.query(
    `CREATE INDEX merge_requests_title ON merge_requests USING gin (lower(title) gin_trgm_ops)`,
  );
  await database.query(
    `CREATE INDEX merge_requests_description ON merge_requests USING gin (lower(description) gin_trgm_ops)`,
  );
  await database.query('VACUUM ANALYZE');
}, LIMIT_MS);

afterAll(() => app.close());

async function problemsOf(path: string): Promise<string[]> {
  let answer: { status: number; body: unknown } = { status: 0, body: [] };
  const sent = await statementsDuring(async () => {
    answer = await app.as(reporter).get(path);
  });
  const isList = Array.isArray(answer.body) && answer.body.length > 0;
  const problems = answer.status === 200 && isList ? [] : [`${path}: answers ${answer.status} with nothing`];
  for (const statement of sent.filter(({ text }) => READS.test(text)))
    for (const problem of await growingSteps(app.database, statement))
      problems.push(`${path}: ${problem}\n    ${statement.text.replace(/\s+/g, ' ').slice(0, 900)}`);
  return problems;
}

describe('first pages of merge requests, among 36,000', () => {
  it(
    'come from indexes',
    async () => {
      const inProject = `/projects/${project.id}`;
      const word = 'c4ca4238a0b923820dcc509a6f75849b';
      const { rows } = await app.database.query<{ author_id: string; milestone_id: string }>(
        `SELECT author_id, milestone_id FROM merge_requests WHERE iid = 500`,
      );
      const lists = [
        ...[
          '',
          '?state=opened',
          '?state=merged',
          '?sort=asc',
          '?order_by=updated_at',
          `?search=${word}`,
          `?author_id=${rows[0]?.author_id ?? ''}`,
          '?milestone=v1',
          '?iids[]=1&iids[]=2',
          `?approver_ids=${reporter.id}`,
          '?approver_ids=Any',
          '?approver_ids=None',
        ].map((query) => `${inProject}/merge_requests${query}`),
        `/groups/${group.id}/merge_requests?state=opened`,
        '/merge_requests?scope=all',
        `/merge_requests?scope=all&approver_ids=${reporter.id}`,
        `${inProject}/milestones/${rows[0]?.milestone_id ?? ''}/merge_requests`,
        `${inProject}/repository/commits/${project.tip}/merge_requests`,
      ];
      const problems: string[] = [];
      for (const path of lists) problems.push(...(await problemsOf(path)));
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
