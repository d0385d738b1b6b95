import { startApplication, type TestApplication } from '../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import { statementsDuring } from '../support/statement-trace';
import { FIRST_PAGE, growingSteps, type Limits } from './query-plan';

/** Minutes, for machines that do much else meanwhile. */
const LIMIT_MS = 180_000;

const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;
let reporter: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;

/** 34,000 issues of one project by many people, and 3,000 of projects that only some see. */
const ISSUES = `
  INSERT INTO issues (iid, project_id, author_id, title, description, state, confidential, created_at, updated_at)
  SELECT n, CASE WHEN n <= 34000 THEN $1::bigint ELSE $2::bigint + n % 200 END,
    $3::bigint + n % 200, 'Issue ' || md5(n::text), 'About ' || md5((n + 1)::text),
    CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'opened' END, n % 50 = 0,
    now() - n * interval '1 minute', now() - (n * 7919 % 37000) * interval '1 minute'
  FROM generate_series(1, 37000) n`;

beforeAll(async () => {
  app = await startApplication();
  const { build, database } = app;
  reporter = await build.user();
  admin = await build.user({ admin: true });
  group = await build.group({ members: { reporter } });
  project = await build.project({ namespace: group });
  const { rows: users } = await database.query<{ id: string }>(
    `INSERT INTO users (username, name, email)
     SELECT 'p' || n, 'p' || n, 'p' || n || '@example.com' FROM generate_series(1, 200) n RETURNING id`,
  );
  const { rows: projects } = await database.query<{ id: string }>(
    `INSERT INTO projects (namespace_id, creator_id, name, path, visibility, repository_storage, disk_path)
     SELECT $1, $2, 'q' || n, 'q' || n, CASE WHEN n % 40 = 0 THEN 'public' ELSE 'private' END, 'default', 'q' || n
     FROM generate_series(1, 200) n RETURNING id`,
    [admin.namespaceId, admin.id],
  );
  await database.query(
    `INSERT INTO routes (path, project_id) SELECT 'q/' || id, id FROM projects WHERE namespace_id = $1`,
    [admin.namespaceId],
  );
  const least = (found: { id: string }[]): number => Math.min(...found.map(({ id }) => Number(id)));
  // They are made anew afterwards, which is much faster than row by row.
  await database.query('DROP INDEX issues_title, issues_description');
  await database.query(ISSUES, [project.id, least(projects), least(users)]);
  await database.query(`INSERT INTO issue_assignees SELECT id, author_id FROM issues WHERE id % 10 = 0`);
  await database.query(`INSERT INTO labels (project_id, title, color) VALUES ($1, 'common', '#fff')`, [
    project.id,
  ]);
  await database.query(
    `INSERT INTO label_links (label_id, issue_id)
     SELECT l.id, i.id FROM labels l, issues i
     WHERE i.project_id = $1 AND i.iid % 2 = 0`,
    [project.id],
  );
  await database.query(
    `INSERT INTO milestones (iid, project_id, title) SELECT n, $1, 'v' || n FROM generate_series(1, 50) n`,
    [project.id],
  );
  await database.query(
    `UPDATE issues SET milestone_id = m.id FROM milestones m WHERE issues.iid = m.iid * 100 AND issues.project_id = $1`,
    [project.id],
  );
  await database.query(`CREATE INDEX issues_title ON issues USING gin (lower(title) gin_trgm_ops)`);
  await database.query(
    `CREATE INDEX issues_description ON issues USING gin (lower(description) gin_trgm_ops)`,
  );
  await database.query('VACUUM ANALYZE');
}, LIMIT_MS);

afterAll(() => app.close());

async function problemsOf(user: BuiltUser, path: string, limits: Limits = FIRST_PAGE): Promise<string[]> {
  let answer: { status: number; body: unknown } = { status: 0, body: [] };
  const sent = await statementsDuring(async () => {
    answer = await app.as(user).get(path);
  });
  const isList = Array.isArray(answer.body) && answer.body.length > 0;
  const problems = answer.status === 200 && isList ? [] : [`${path}: answers ${answer.status} with nothing`];
  for (const statement of sent.filter(({ text }) => READS.test(text)))
    for (const problem of await growingSteps(app.database, statement, limits))
      problems.push(`${path}: ${problem}\n    ${statement.text.replace(/\s+/g, ' ').slice(0, 900)}`);
  return problems;
}

describe('first pages of issues, among 37,000', () => {
  it(
    'come from indexes',
    async () => {
      const inProject = `/projects/${project.id}/issues`;
      const word = 'c4ca4238a0b923820dcc509a6f75849b';
      const { rows } = await app.database.query<{ author_id: string; username: string }>(
        `SELECT i.author_id, u.username FROM issues i JOIN users u ON u.id = i.author_id WHERE i.iid = 10`,
      );
      const [author] = rows;
      const lists: [BuiltUser, string][] = [
        ...[
          '',
          '?state=opened',
          '?state=closed',
          '?sort=asc',
          '?order_by=updated_at',
          `?search=${word}`,
          `?search=${word}&in=title`,
          `?author_id=${author?.author_id ?? ''}`,
          `?author_username=${author?.username ?? ''}`,
          '?labels=common',
          '?milestone=v1',
          '?confidential=true',
          '?iids[]=1&iids[]=2',
        ].map((query): [BuiltUser, string] => [reporter, `${inProject}${query}`]),
        [reporter, `/groups/${group.id}/issues`],
        [reporter, '/issues?scope=all'],
        [admin, '/issues?scope=all'],
        [admin, `/issues?scope=all&author_id=${author?.author_id ?? ''}`],
      ];
      const problems: string[] = [];
      for (const [user, path] of lists) problems.push(...(await problemsOf(user, path)));
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'are found from the projects of whoever sees few of them, not from the issues of all',
    async () => {
      const stranger = await app.build.user();
      const fewRows: Limits = { looked: 1_000, sorted: 500, walked: 1_000 };
      const problems: string[] = [];
      for (const path of ['', '&state=opened', '&sort=asc', '&order_by=updated_at', '&search=issue'])
        problems.push(...(await problemsOf(stranger, `/issues?scope=all${path}`, fewRows)));
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
