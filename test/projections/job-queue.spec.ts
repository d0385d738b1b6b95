import { JobQueueRepository } from '../../src/ci/jobs/job-queue.repository';
import { useApplication } from '../support/application';
import { statementsDuring } from '../support/statement-trace';
import { growingSteps, type Limits } from './query-plan';

const PROJECTS = 2_000;
const JOBS_EACH = 5;
/** Fewer than there are projects with queued jobs, let alone jobs. */
const FEW: Limits = { looked: 1_200, sorted: 600, walked: 1_200 };

const app = useApplication();
const runners = new Map<string, number>();
let namespaceId: number;

const run = (text: string, values: readonly unknown[] = []) => app.current.database.query(text, [...values]);
const offer = (runner: string) => app.current.nest.get(JobQueueRepository).offer(runners.get(runner) ?? 0);

/** As offered, by what is told of fairness: the project with the fewest running jobs first, then the oldest job. */
async function fairest(): Promise<number | undefined> {
  const { rows } = await run(
    `SELECT q.job_id::int AS id FROM job_queue q
     WHERE q.offered_until < now() AND q.tag_list = '{}'
     ORDER BY (SELECT count(*) FROM commit_statuses s JOIN jobs j ON j.id = s.id
       WHERE s.project_id = q.project_id AND s.status = 'running' AND j.runner_id = $1), q.job_id LIMIT 1`,
    [runners.get('shared')],
  );
  return rows[0]?.id;
}

beforeAll(async () => {
  const { build } = app.current;
  const group = await build.group();
  namespaceId = group.id;
  const { rows: projects } = await run(
    `INSERT INTO projects (namespace_id, creator_id, name, path, visibility, repository_storage, disk_path)
     SELECT $1, $2, 'p' || n, 'p' || n, 'private', 'default', 'p' || n FROM generate_series(1, $3::int) n RETURNING id`,
    [namespaceId, (await build.user()).id, PROJECTS],
  );
  await run(
    `INSERT INTO pipelines (project_id, ref, sha, before_sha, tag, source, status)
     SELECT id, 'master', md5('a') || '00000000', md5('a') || '00000000', false, 'push', 'pending'
     FROM unnest($1::bigint[]) AS p(id)`,
    [projects.map(({ id }) => id)],
  );
  // Of each project one after another, as they are pushed.
  await run(
    `INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, kind, name, stage, stage_index, status)
     SELECT project_id, id, sha, ref, 'job', 'job ' || n, 'test', 0, 'pending'
     FROM pipelines, generate_series(1, $1::int) AS n ORDER BY id, n`,
    [JOBS_EACH],
  );
  await run(
    `INSERT INTO jobs (id, project_id, pipeline_id, definition, timeout_seconds)
     SELECT id, project_id, pipeline_id, '{}', 3600 FROM commit_statuses`,
  );
  await run(
    `INSERT INTO job_queue (job_id, project_id, tag_list)
     SELECT id, project_id, CASE WHEN id % 7 = 0 THEN '{arm}'::text[] ELSE '{}' END FROM jobs`,
  );
  for (const [name, kind, tags, untagged] of [
    ['shared', 'instance', '{}', true],
    ['of group', 'group', '{}', true],
    ['elsewhere', 'instance', '{windows}', false],
  ] as const) {
    const { rows } = await run(
      `INSERT INTO runners (kind, digest, tag_list, run_untagged) VALUES ($1, sha256($2::bytea), $3, $4)
       RETURNING id::int`,
      [kind, name, tags, untagged],
    );
    runners.set(name, rows[0]?.id);
  }
  await run('INSERT INTO runner_groups (runner_id, group_id) VALUES ($1, $2)', [
    runners.get('of group'),
    namespaceId,
  ]);
  await run('VACUUM ANALYZE projects, pipelines, commit_statuses, jobs, job_queue, runners, runner_groups');
}, 120_000);

describe('the next job of a runner', () => {
  it.each(['shared', 'of group', 'elsewhere'])(
    'costs the same however many projects have queued jobs: %s',
    async (runner) => {
      const statements = await statementsDuring(() => offer(runner));
      expect(statements).toHaveLength(1);
      for (const statement of statements)
        expect(await growingSteps(app.current.database, statement, FEW)).toEqual([]);
    },
  );

  it('is that of the project with the fewest running jobs, wherever in the queue that is', async () => {
    await run(`UPDATE job_queue SET offered_until = '-infinity'`);
    /** Gives the jobs to the runner, so that their projects have one more each. */
    const start = async (ids: readonly (number | undefined)[]) => {
      await run(`UPDATE commit_statuses SET status = 'running' WHERE id = ANY($1)`, [ids]);
      await run('UPDATE jobs SET runner_id = $2 WHERE id = ANY($1)', [ids, runners.get('shared')]);
      await run('DELETE FROM job_queue WHERE job_id = ANY($1)', [ids]);
    };
    const { rows } = await run(
      'SELECT min(id)::int AS id FROM commit_statuses GROUP BY project_id ORDER BY 1',
    );
    for (let turn = 0; turn < 4; turn += 1) {
      const wanted = await fairest();
      expect((await offer('shared'))?.jobId).toBe(wanted);
      await start([wanted]);
    }
    // All projects are busy, but for one, behind thousands of jobs of others.
    await start(rows.slice(4, -1).map(({ id }) => id));
    for (let turn = 0; turn < 4; turn += 1) {
      const wanted = await fairest();
      expect((await offer('shared'))?.jobId).toBe(wanted);
      await start([wanted]);
    }
  }, 120_000);

  it('is no job where nothing in the queue suits', async () => {
    expect(await offer('elsewhere')).toBeNull();
    const { nest } = app.current;
    const ids = [...runners.values()];
    expect(await nest.get(JobQueueRepository).served(ids)).toEqual(
      expect.arrayContaining([runners.get('shared'), runners.get('of group')]),
    );
    expect(await nest.get(JobQueueRepository).served([runners.get('elsewhere') ?? 0])).toEqual([]);
  });
});
