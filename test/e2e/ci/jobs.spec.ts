import fs from 'node:fs/promises';
import path from 'node:path';
import { Level } from '#libs/access';
import { until } from '#libs/testing';
import { FailStuckJobs } from '../../../src/ci/jobs/fail-stuck-jobs.job';
import { StartDelayedJobs } from '../../../src/ci/jobs/start-delayed-jobs.job';
import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline, type JobSetup } from '../../support/ci-jobs';
import { RunnerClient } from '../../support/runner-client';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();
const RUN = { signal: new AbortController().signal };

describe('jobs', () => {
  const members: Partial<Record<string, BuiltUser>> = {};
  let owner: BuiltUser;
  let project: BuiltProject;
  let runner: RunnerClient;

  const as = (user: { token: string } = owner) => app.current.as(user);
  const at = (id: number): string => `/projects/${project.id}/jobs/${id}`;
  const member = (level: string): BuiltUser => {
    const user = members[level];
    if (!user) throw new Error(`nobody is ${level}`);
    return user;
  };

  beforeAll(async () => {
    const { build, nest, api } = app.current;
    owner = await build.user();
    for (const level of ['guest', 'reporter', 'developer', 'maintainer']) members[level] = await build.user();
    project = await build.project({ owner, members, files: { 'README.md': 'text' } });
    runner = await RunnerClient.register(api, { token: nest.get(RunnersTokens).for('project', project.id) });
  });

  const inPipeline = async (setups: JobSetup[], ref = 'feature', user: BuiltUser | null = owner) => {
    const pipelineId = await buildPipeline(app.current, project, user, ref);
    return { pipelineId, ids: await buildJobs(app.current, pipelineId, setups) };
  };
  const one = async (setup: JobSetup = {}, ref?: string, user?: BuiltUser): Promise<number> => {
    const { ids } = await inPipeline([setup], ref, user);
    const [id] = ids;
    if (id === undefined) throw new Error('no job');
    return id;
  };
  const columnsOf = async (id: number) => {
    const { rows } = await app.current.database.query(
      `SELECT record.status, record.retried, record.author_id::int AS author, job.failure_reason AS reason
       FROM jobs job JOIN commit_statuses record ON record.id = job.id WHERE job.id = $1`,
      [id],
    );
    return rows[0];
  };
  /** Of all callers, by a call each upon a job of its own. */
  const statusesOf = async (call: (user: { token: string }) => Promise<{ status: number }>) => {
    const callers = [
      await app.current.build.user(),
      ...['guest', 'reporter', 'developer', 'maintainer'].map(member),
    ];
    const statuses: number[] = [];
    for (const user of [...callers, owner]) statuses.push((await call(user)).status);
    return statuses;
  };

  describe('GET /projects/:id/jobs', () => {
    it('shows the newest first, field by field', async () => {
      const id = await one({ name: 'rspec', stage: 'test', allowFailure: true });
      const job = await runner.take();
      await runner.log(job, 'log');
      await runner.report(job, 'success');
      const { status, body } = await as().get(`/projects/${project.id}/jobs`);
      expect(status).toBe(200);
      expect(body[0]).toEqual({
        id,
        status: 'success',
        stage: 'test',
        name: 'rspec',
        ref: 'feature',
        tag: false,
        coverage: null,
        allow_failure: true,
        created_at: expect.any(String),
        started_at: expect.any(String),
        finished_at: expect.any(String),
        duration: expect.any(Number),
        user: expect.objectContaining({
          id: owner.id,
          username: owner.username,
          bio: null,
          organization: null,
        }),
        commit: expect.objectContaining({ id: project.tip, title: 'First commit' }),
        pipeline: {
          id: expect.any(Number),
          sha: project.tip,
          ref: 'feature',
          status: 'success',
          web_url: expect.stringContaining('/pipelines/'),
        },
        web_url: `http://service.test/${project.fullPath}/-/jobs/${id}`,
        artifacts: [{ file_type: 'trace', size: 3, filename: 'job.log', file_format: 'raw' }],
        runner: expect.objectContaining({ id: runner.id, is_shared: false, active: true, status: 'online' }),
        artifacts_expire_at: null,
      });
      expect(JSON.stringify(body)).not.toContain(job.token);
      expect(body[0].user).not.toHaveProperty('email');
    });

    it('filters by one status or several, in pages', async () => {
      const { ids } = await inPipeline([{ status: 'failed' }, { status: 'canceled' }, { status: 'skipped' }]);
      const list = async (query: string) => {
        const { body } = await as().get(`/projects/${project.id}/jobs?${query}`);
        return body.map((job: { id: number }) => job.id);
      };
      expect(await list('scope=failed&per_page=1')).toEqual([ids[0]]);
      expect(await list('scope[]=failed&scope[]=skipped&per_page=2')).toEqual([ids[2], ids[0]]);
      const page = await as().head(`/projects/${project.id}/jobs?scope[]=canceled&per_page=1`);
      expect([page.status, page.headers['x-per-page']]).toEqual([200, '1']);
      for (const scope of ['scope=all', 'scope[]=failed&scope[]=x', 'scope[a]=failed']) {
        expect((await as().get(`/projects/${project.id}/jobs?${scope}`)).status).toBe(400);
      }
    });

    it('is for those who see the jobs', async () => {
      const url = `/projects/${project.id}/jobs`;
      expect(await statusesOf((user) => as(user).get(url))).toEqual([404, 200, 200, 200, 200, 200]);
      expect((await app.current.api.get(url)).status).toBe(401);
      await app.current.database.query('UPDATE projects SET public_jobs = false WHERE id = $1', [project.id]);
      expect(await statusesOf((user) => as(user).get(url))).toEqual([404, 403, 200, 200, 200, 200]);
      await app.current.database.query('UPDATE projects SET public_jobs = true WHERE id = $1', [project.id]);
    });
  });

  it('GET /projects/:id/pipelines/:pipeline_id/jobs shows all of a pipeline, retried ones too', async () => {
    const { pipelineId, ids } = await inPipeline([
      { status: 'failed', name: 'a' },
      { status: 'success', name: 'b' },
    ]);
    const retried = await as().post(`${at(ids[0] ?? 0)}/retry`);
    const url = `/projects/${project.id}/pipelines/${pipelineId}/jobs`;
    const { body } = await as().get(url);
    expect(body.map((job: { id: number }) => job.id)).toEqual([...ids, retried.body.id]);
    expect((await as().get(`${url}?scope=success`)).body).toHaveLength(1);
    expect((await as().get(`/projects/${project.id}/pipelines/0/jobs`)).status).toBe(404);
    const other = await app.current.build.project({ owner });
    expect((await as().get(`/projects/${other.id}/pipelines/${pipelineId}/jobs`)).status).toBe(404);
    expect((await as().post(`${at(retried.body.id)}/cancel`)).status).toBe(201);
  });

  it('GET /projects/:id/jobs/:job_id shows one of the project, and no other', async () => {
    const id = await one({ status: 'success' });
    expect((await as().get(at(id))).body).toMatchObject({
      id,
      status: 'success',
      runner: null,
      artifacts: [],
    });
    const other = await app.current.build.project({ owner });
    for (const url of [`/projects/${other.id}/jobs/${id}`, at(0), at(999_999_999)])
      expect((await as().get(url)).body).toEqual({ message: '404 Not found' });
    expect((await as().get(`/projects/${project.id}/jobs/x`)).status).toBe(400);
  });

  it('GET /projects/:id/jobs/:job_id/trace is empty before there is a log', async () => {
    const id = await one({ status: 'manual' });
    const { status, text, headers } = await as().get(`${at(id)}/trace`);
    expect([status, text, headers['content-type']]).toEqual([200, '', 'text/plain']);
    expect(await statusesOf((user) => as(user).get(`${at(id)}/trace`))).toEqual([
      404, 200, 200, 200, 200, 200,
    ]);
    expect((await app.current.api.get(`${at(id)}/trace`)).status).toBe(401);
  });

  describe('POST /projects/:id/jobs/:job_id/cancel', () => {
    it('ends what has not ended, and leaves the rest as it is', async () => {
      for (const [status, after] of [
        ['created', 'canceled'],
        ['pending', 'canceled'],
        ['running', 'canceled'],
        ['manual', 'canceled'],
        ['success', 'success'],
      ]) {
        const response = await as().post(`${at(await one({ status: status ?? '' }))}/cancel`);
        expect([response.status, response.body.status]).toEqual([201, after]);
      }
      expect(await runner.poll()).toBeNull();
    });

    it('is for developers, and on protected refs for those who may push there', async () => {
      const cancel = async (user: { token: string }, ref?: string) =>
        as(user).post(`${at(await one({ status: 'manual' }, ref))}/cancel`);
      expect(await statusesOf((user) => cancel(user))).toEqual([404, 403, 403, 201, 201, 201]);
      expect(await statusesOf((user) => cancel(user, 'master'))).toEqual([404, 403, 403, 403, 201, 201]);
      expect((await app.current.api.post(`${at(1)}/cancel`)).status).toBe(401);
    });
  });

  describe('POST /projects/:id/jobs/:job_id/retry', () => {
    it('runs a copy for whoever asks, and hides the old one', async () => {
      const id = await one({ status: 'failed', tags: ['x'] });
      const { status, body } = await as(member('developer')).post(`${at(id)}/retry`);
      expect([status, body.status, body.user.id]).toEqual([201, 'pending', member('developer').id]);
      expect(body.id).toBeGreaterThan(id);
      expect(await columnsOf(id)).toMatchObject({ status: 'failed', retried: true, author: owner.id });
      expect((await as().post(`${at(id)}/retry`)).body.message).toBe('403 Forbidden - Job is not retryable');
      await as().post(`${at(body.id)}/cancel`);
    });

    it.each(['manual', 'delayed', 'on_failure'])('runs one at once that was begun by %s', async (when) => {
      const { status, body } = await as().post(
        `${at(await one({ status: 'success', when, tags: ['x'] }))}/retry`,
      );
      expect([status, body.status]).toEqual([201, 'pending']);
      await as().post(`${at(body.id)}/cancel`);
    });

    it('refuses what has not ended', async () => {
      for (const status of ['created', 'running', 'manual', 'skipped'])
        expect((await as().post(`${at(await one({ status }))}/retry`)).status).toBe(403);
    });

    it('makes one copy however many ask at once', async () => {
      const id = await one({ status: 'failed', name: 'popular', tags: ['x'] });
      const answers = await Promise.all([1, 2, 3, 4].map(() => as().post(`${at(id)}/retry`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    });
  });

  describe('POST /projects/:id/jobs/:job_id/play', () => {
    it('starts what waits for it, for whoever starts it', async () => {
      const id = await one({ status: 'manual', when: 'manual', tags: ['x'] });
      const { status, body } = await as(member('developer')).post(`${at(id)}/play`);
      expect([status, body.id, body.status, body.user.id]).toEqual([
        200,
        id,
        'pending',
        member('developer').id,
      ]);
      await as().post(`${at(id)}/cancel`);
      const again = await as().post(`${at(id)}/play`);
      expect(again.body.id).toBeGreaterThan(id);
      expect(again.body.status).toBe('pending');
      await as().post(`${at(again.body.id)}/cancel`);
    });

    it('starts no others', async () => {
      for (const setup of [
        { status: 'manual' },
        { status: 'created', when: 'manual' },
        { status: 'success' },
      ]) {
        const { status, body } = await as().post(`${at(await one(setup))}/play`);
        expect([status, body.message]).toEqual([400, '400 Bad request - Unplayable Job']);
      }
    });
  });

  describe('POST /projects/:id/jobs/:job_id/erase', () => {
    const withLog = async (user: BuiltUser = owner): Promise<number> => {
      const id = await one({}, 'feature', user);
      const job = await runner.take();
      await runner.log(job, 'secret');
      await runner.report(job, 'success');
      return id;
    };

    it('takes log and artifacts away, from the disk too', async () => {
      const id = await withLog();
      const { status, body } = await as().post(`${at(id)}/erase`);
      expect([status, body.artifacts]).toEqual([201, []]);
      expect((await as().get(`${at(id)}/trace`)).text).toBe('');
      expect((await as().post(`${at(id)}/erase`)).body.message).toBe('403 Forbidden - Job is not erasable!');
      await until(async () => !(await foldersOf()).includes(String(id)));
    });

    it('is for maintainers, and for developers who have started the job', async () => {
      const developer = member('developer');
      expect((await as(developer).post(`${at(await withLog())}/erase`)).status).toBe(403);
      expect((await as(developer).post(`${at(await withLog(developer))}/erase`)).status).toBe(201);
      expect((await as(member('maintainer')).post(`${at(await withLog())}/erase`)).status).toBe(201);
      expect((await as(member('reporter')).post(`${at(await withLog())}/erase`)).status).toBe(403);
    });
  });

  const foldersOf = async (): Promise<string[]> => {
    const { rows } = await app.current.database.query<{ disk_path: string }>(
      'SELECT disk_path FROM projects WHERE id = $1',
      [project.id],
    );
    return fs.readdir(path.join(app.current.settings.uploadsDir, rows[0]?.disk_path ?? '', 'jobs'));
  };

  it('archived projects and ones without jobs let nobody change any', async () => {
    const id = await one({ status: 'manual', when: 'manual' });
    for (const [columns, back] of [
      ['archived = true', 'archived = false'],
      [`jobs_access = 'disabled'`, `jobs_access = 'enabled'`],
    ]) {
      await app.current.database.query(`UPDATE projects SET ${columns} WHERE id = $1`, [project.id]);
      for (const action of ['cancel', 'retry', 'play', 'erase'])
        expect((await as().post(`${at(id)}/${action}`)).status).toBe(403);
      await app.current.database.query(`UPDATE projects SET ${back} WHERE id = $1`, [project.id]);
    }
  });

  it('that nobody will end are failed: no runner, a dead one, too slow, gone with its runner', async () => {
    const waiting = await one({ tags: ['nobody'] });
    const { ids } = await inPipeline([
      { name: 'silent', status: 'running' },
      { name: 'slow', status: 'running', timeoutSeconds: 60 },
      { name: 'orphan', status: 'running' },
      { name: 'fine', status: 'running' },
    ]);
    const { database, nest } = app.current;
    await database.query(`UPDATE job_queue SET queued_at = now() - interval '25 hours' WHERE job_id = $1`, [
      waiting,
    ]);
    await database.query(
      'UPDATE jobs SET runner_id = $1, last_contact_at = now() WHERE id = ANY($2::bigint[])',
      [runner.id, ids],
    );
    await database.query(
      `UPDATE commit_statuses SET started_at = now() - interval '12 minutes' WHERE id = ANY($1::bigint[])`,
      [ids],
    );
    await database.query(`UPDATE jobs SET last_contact_at = now() - interval '61 minutes' WHERE id = $1`, [
      ids[0],
    ]);
    await database.query('UPDATE jobs SET runner_id = NULL WHERE id = $1', [ids[2]]);
    await nest.get(FailStuckJobs).run({}, RUN);
    const reasons = [];
    for (const id of [waiting, ...ids]) reasons.push((await columnsOf(id)).reason);
    expect(reasons).toEqual([
      'stuck_or_timeout_failure',
      'stuck_or_timeout_failure',
      'job_execution_timeout',
      'runner_system_failure',
      null,
    ]);
  });

  it('that are delayed start in time, and not before', async () => {
    const { ids } = await inPipeline([
      { name: 'due', status: 'scheduled', when: 'delayed', tags: ['x'] },
      { name: 'later', status: 'scheduled', when: 'delayed', tags: ['x'] },
    ]);
    const set = (id: number | undefined, moment: string) =>
      app.current.database.query(`UPDATE jobs SET start_after = ${moment} WHERE id = $1`, [id]);
    await set(ids[0], `now() - interval '1 second'`);
    await set(ids[1], `now() + interval '1 hour'`);
    await app.current.nest.get(StartDelayedJobs).run({}, RUN);
    expect([(await columnsOf(ids[0] ?? 0)).status, (await columnsOf(ids[1] ?? 0)).status]).toEqual([
      'pending',
      'scheduled',
    ]);
  });

  it('cost the same however many a page shows', async () => {
    await inPipeline(Array.from({ length: 12 }, (_, index) => ({ name: `n${index}`, status: 'success' })));
    const count = async (perPage: number): Promise<number> =>
      (await statementsDuring(() => as().get(`/projects/${project.id}/jobs?per_page=${perPage}`))).length;
    await count(1);
    expect(await count(10)).toBe(await count(2));
  });

  it('are protected by the level that the branch asks for', async () => {
    await app.current.build.protectedBranch(project, 'stable', Level.developer);
    const id = await one({ status: 'manual' }, 'stable');
    expect((await as(member('developer')).post(`${at(id)}/cancel`)).status).toBe(201);
  });
});
