import { GitFixture } from '#libs/testing';
import { startApplication, type TestApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { statementsDuring } from '../support/statement-trace';
import { growingSteps } from './query-plan';

/** Minutes, for machines that do much else meanwhile. */
const LIMIT_MS = 180_000;
const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;
let maintainer: BuiltUser;
let project: BuiltProject;

/** 40,000 pipelines of one project by many people on many branches, and some of another. */
const PIPELINES = `
  INSERT INTO pipelines (project_id, ref, sha, source, status, user_id, yaml_errors)
  SELECT CASE WHEN n % 5 > 0 THEN $1::bigint ELSE $2::bigint END, 'branch' || n % 300,
    md5((n % 20000)::text) || '00000000', 'push',
    CASE WHEN n % 3000 = 0 THEN 'running' WHEN n % 7 = 0 THEN 'failed' ELSE 'success' END,
    $3::bigint + n % 100, CASE WHEN n % 4000 = 0 THEN 'broken' END
  FROM generate_series(1, 50000) n`;

/** A status of each pipeline, some of them retried. */
const STATUSES = `
  INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, name, stage, status, retried)
  SELECT project_id, id, sha, ref, 'ci', 'external', status, id % 3 = 0 FROM pipelines`;

beforeAll(async () => {
  app = await startApplication();
  const { build, database } = app;
  maintainer = await build.user();
  project = await build.project({ members: { maintainer }, files: { a: 'x' } });
  const other = await build.project();
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO users (username, name, email)
     SELECT 'p' || n, 'Person ' || n, 'p' || n || '@example.com' FROM generate_series(1, 100) n RETURNING id::int`,
  );
  await database.query(PIPELINES, [project.id, other.id, Math.min(...rows.map(({ id }) => id))]);
  await database.query(STATUSES);
  await database.query('UPDATE commit_statuses SET sha = $1 WHERE project_id = $2 AND id % 500 = 0', [
    project.tip,
    project.id,
  ]);
  const git = GitFixture.on(project.repositoryPath);
  for (const place of [2, 4, 6]) await git.git('branch', `branch${place}`, 'master');
  await database.query('VACUUM ANALYZE pipelines, commit_statuses, users');
}, LIMIT_MS);
afterAll(() => app.close(), LIMIT_MS);

const PIPELINE_LISTS = [
  ...[
    '',
    'sort=asc',
    'scope=running',
    'scope=finished',
    'scope=branches',
    'status=failed',
    'status=canceled',
  ],
  ...['ref=branch6', 'ref=none', 'sha=c4ca4238a0b923820dcc509a6f75849b00000000', 'username=p7'],
  ...['yaml_errors=true', 'yaml_errors=false', 'name=Person%207', 'name=nobody'],
  ...['order_by=status', 'order_by=status&sort=asc', 'order_by=ref', 'order_by=user_id&sort=asc'],
].map((query) => `pipelines?${query}`);

describe('lists of a project with many pipelines', () => {
  it.each([...PIPELINE_LISTS, 'pipelines/latest?ref=branch6', 'repository/commits/master/statuses?all=true'])(
    'read no more than their page needs: %s',
    async (list) => {
      const statements = await statementsDuring(async () => {
        await app.as(maintainer).get(`/projects/${project.id}/${list}`).expect(200);
      });
      const reads = statements.filter(
        ({ text }) => READS.test(text) && /pipelines|commit_statuses/.test(text),
      );
      expect(reads.length).toBeGreaterThan(0);
      for (const statement of reads) expect(await growingSteps(app.database, statement)).toEqual([]);
    },
    LIMIT_MS,
  );
});
