import http from 'node:http';
import { until } from '#libs/testing';
import { RunnersTokens } from '../../src/identity/identity.api';
import { startApplication, type TestApplication } from '../support/application';
import type { BuiltProject } from '../support/builders';
import { buildJobs, buildPipeline } from '../support/ci-jobs';
import { whileHeld } from '../support/held-rows';
import { RunnerClient } from '../support/runner-client';

const RUNNERS = 50;
const PIPELINES = 100;
const JOBS_EACH = 10;

const DEFINITION = JSON.stringify({
  beforeScript: [],
  script: ['true'],
  afterScript: [],
  image: null,
  services: [],
  variables: [],
  artifacts: null,
  cache: null,
  dependencies: [],
  environment: null,
  interruptible: false,
  retryMax: 0,
  retryWhen: ['always'],
  parallel: null,
  startInSeconds: null,
});

/** Pipelines of pending jobs, in three statements. */
async function fillQueue({ database }: TestApplication, { id, tip }: BuiltProject): Promise<void> {
  await database.query(
    `INSERT INTO pipelines (project_id, ref, sha, before_sha, tag, source, status)
     SELECT $1, 'master', $2, $2, false, 'push', 'pending' FROM generate_series(1, $3::int)`,
    [id, tip, PIPELINES],
  );
  await database.query(
    `INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, kind, name, stage, stage_index, status)
     SELECT project_id, id, sha, ref, 'job', 'job ' || number, 'test', 0, 'pending'
     FROM pipelines, generate_series(1, $1::int) AS number`,
    [JOBS_EACH],
  );
  await database.query(
    `WITH made AS (
       INSERT INTO jobs (id, project_id, pipeline_id, definition, timeout_seconds)
       SELECT id, project_id, pipeline_id, $1, 3600 FROM commit_statuses RETURNING id, project_id)
     INSERT INTO job_queue (job_id, project_id) SELECT id, project_id FROM made`,
    [DEFINITION],
  );
}

describe('runners at two nodes', () => {
  let nodes: readonly [TestApplication, TestApplication];
  let token: string;
  let project: BuiltProject;

  beforeAll(async () => {
    const first = await startApplication();
    nodes = [first, await first.startAnother()];
    project = await first.build.project({ files: { 'README.md': 'text' } });
    token = first.nest.get(RunnersTokens).for('project', project.id);
  });
  afterAll(() => nodes[0].close());

  /** Takes jobs until there is none. */
  async function drain(runner: RunnerClient): Promise<number[]> {
    const taken: number[] = [];
    for (let job = await runner.poll(); job; job = await runner.poll()) taken.push(job.id);
    return taken;
  }

  it('get each of a thousand queued jobs exactly once, fifty of them polling', async () => {
    const runners: RunnerClient[] = [];
    for (let number = 0; number < RUNNERS; number += 1) {
      const { api } = nodes[number % 2 === 0 ? 0 : 1];
      runners.push(await RunnerClient.register(api, { token }));
    }
    await fillQueue(nodes[0], project);
    const taken = (await Promise.all(runners.map(drain))).flat();
    expect(taken).toHaveLength(PIPELINES * JOBS_EACH);
    expect(new Set(taken).size).toBe(taken.length);
    const { rows } = await nodes[0].database.query(
      `SELECT (SELECT count(*)::int FROM job_queue) AS queued,
         (SELECT count(*)::int FROM commit_statuses WHERE status = 'running') AS running,
         (SELECT count(DISTINCT runner_id)::int FROM jobs) AS runners,
         (SELECT count(*)::int FROM pipelines WHERE status = 'running') AS pipelines`,
    );
    expect(rows).toEqual([
      { queued: 0, running: PIPELINES * JOBS_EACH, runners: expect.any(Number), pipelines: PIPELINES },
    ]);
    expect(rows[0].runners).toBeGreaterThan(RUNNERS / 2);
  }, 300_000);

  it('are told within a moment of a job that was queued at the other node', async () => {
    const waiting = await RunnerClient.register(nodes[1].api, { token });
    await waiting.poll();
    const answer = waiting.ask();
    await nodes[0].database.query(
      `UPDATE commit_statuses SET status = 'manual' WHERE id = (SELECT min(id) FROM jobs)`,
    );
    await nodes[0].database.query(`UPDATE jobs SET "when" = 'manual' WHERE id = (SELECT min(id) FROM jobs)`);
    const { rows } = await nodes[0].database.query<{ id: string }>('SELECT min(id) AS id FROM jobs');
    const admin = await nodes[0].build.user({ admin: true });
    const id = Number(rows[0]?.id);
    const played = await nodes[0].as(admin).post(`/projects/${project.id}/jobs/${id}/play`);
    expect(played.status).toBe(200);
    const { status, body } = await answer;
    expect([status, body.id]).toEqual([201, id]);
  });

  describe('when something breaks while a job is handed out', () => {
    let runner: RunnerClient;
    let jobId: number;
    let lock: string;

    beforeEach(async () => {
      const [{ database, api }] = nodes;
      await database.query('DELETE FROM job_queue');
      runner = await RunnerClient.register(api, { token });
      const pipelineId = await buildPipeline(nodes[0], project, null);
      jobId = (await buildJobs(nodes[0], pipelineId, [{}]))[0] ?? 0;
      lock = `SELECT 1 FROM pipelines WHERE id = ${pipelineId} FOR UPDATE`;
    });

    const found = async (text: string) => (await nodes[0].database.query(text)).rows;

    it('a runner that goes away before it is told leaves the job to another one', async () => {
      let hasEnded = false;
      const request = http.request(`${nodes[0].url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        agent: false,
      });
      request.on('error', () => (hasEnded = true));
      await whileHeld(
        nodes[0],
        lock,
        () => Promise.resolve(request.end(JSON.stringify({ token: runner.token }))),
        async () => {
          request.destroy(new Error('gone'));
          await until(() => Promise.resolve(hasEnded));
        },
      );
      await until(
        async () => (await found('SELECT 1 FROM job_queue WHERE offered_until < now()')).length > 0,
      );
      expect(await found(`SELECT 1 FROM access_tokens WHERE job_id = ${jobId}`)).toEqual([]);
      const other = await RunnerClient.register(nodes[1].api, { token });
      const job = await other.take();
      expect([job.id, (await other.report(job, 'success')).status]).toEqual([jobId, 200]);
    });

    it('a node that dies keeps the job from others until its offer ends, and no longer', async () => {
      const [{ database, api }] = nodes;
      const taking = await whileHeld(
        nodes[0],
        lock,
        () => api.post('/jobs/request', { token: runner.token }).then(({ status }) => status),
        async () => {
          await database.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
          );
        },
      );
      expect(taking).toBe(500);
      const other = await RunnerClient.register(nodes[1].api, { token });
      expect(await other.poll()).toBeNull();
      await database.query(
        `UPDATE job_queue SET offered_until = now() WHERE offered_until < now() + interval '31 s'`,
      );
      expect((await other.take()).id).toBe(jobId);
    });
  });
});
