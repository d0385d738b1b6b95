import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline, type JobSetup } from '../../support/ci-jobs';
import { RunnerClient, type GivenJob } from '../../support/runner-client';

const RUNNERS_TOKEN = 'token-of-all-runners-here';
const app = useApplication({ RUNNERS_TOKEN });

describe('the protocol of runners', () => {
  let owner: BuiltUser;
  let project: BuiltProject;
  let projectToken: string;
  let runner: RunnerClient;

  const api = () => app.current.api;
  const tokenOf = (kind: 'group' | 'project', id: number): string =>
    app.current.nest.get(RunnersTokens).for(kind, id);
  const registration = (extra: object = {}) => ({ token: projectToken, ...extra });

  beforeAll(async () => {
    const { build } = app.current;
    owner = await build.user();
    project = await build.project({ owner, files: { 'README.md': 'text' } });
    projectToken = tokenOf('project', project.id);
    runner = await RunnerClient.register(api(), registration());
  });

  const pending = async (...setups: JobSetup[]): Promise<number[]> =>
    buildJobs(app.current, await buildPipeline(app.current, project, owner), setups);

  const taken = async (setup: JobSetup = {}): Promise<GivenJob> => {
    const [id] = await pending(setup);
    const job = await runner.take();
    expect(job.id).toBe(id);
    return job;
  };

  const statusOf = async (id: number): Promise<string> => {
    const { body } = await app.current.as(owner).get(`/projects/${project.id}/jobs/${id}`);
    return body.status;
  };

  describe('POST /runners', () => {
    it('lets a runner of a project, of a group and of the installation in', async () => {
      const group = await app.current.build.group();
      const kinds: unknown[] = [];
      for (const token of [projectToken, tokenOf('group', group.id), RUNNERS_TOKEN]) {
        const response = await api().post('/runners', { token, description: 'x', info: { name: 'n' } });
        expect([response.status, response.body]).toEqual([
          201,
          { id: expect.any(Number), token: expect.stringMatching(/^[0-9a-f]{40}$/) },
        ]);
        const { rows } = await app.current.database.query('SELECT kind, digest FROM runners WHERE id = $1', [
          response.body.id,
        ]);
        kinds.push(rows[0].kind);
        expect(rows[0].digest.toString('hex')).not.toContain(response.body.token);
        await api().delete('/runners', { token: response.body.token });
      }
      expect(kinds).toEqual(['project', 'group', 'instance']);
    });

    it('takes what the public runner sends, and keeps it', async () => {
      const response = await api().post('/runners', {
        token: projectToken,
        description: 'a shell',
        tag_list: 'linux, fast,linux',
        run_untagged: false,
        locked: true,
        active: true,
        maximum_timeout: 0,
        access_level: 'ref_protected',
        info: { name: 'gitlab-runner', version: '12.4.1', features: { refspecs: true } },
      });
      expect(response.status).toBe(201);
      const { body } = await app.current.as(owner).get(`/runners/${response.body.id}`);
      expect(body).toMatchObject({
        description: 'a shell',
        tag_list: ['linux', 'fast'],
        run_untagged: false,
        locked: true,
        active: true,
        maximum_timeout: null,
        access_level: 'ref_protected',
        version: '12.4.1',
        name: 'gitlab-runner',
        status: 'not_connected',
        online: null,
      });
      await api().delete('/runners', { token: response.body.token });
    });

    it.each([
      ['no token', { token: undefined }, 400],
      ['another token', { token: 'x'.repeat(32) }, 403],
      ['a token in a list', { token: ['x'] }, 400],
      ['no tags and no untagged jobs', { run_untagged: false }, 400],
      ['a short timeout', { maximum_timeout: 599 }, 400],
      ['an unknown access level', { access_level: 'all' }, 400],
      ['info that is none', { info: 'x' }, 400],
      ['a tag that is too long', { tag_list: 'x'.repeat(256) }, 400],
    ])('refuses %s', async (_what, extra, status) => {
      expect((await api().post('/runners', registration(extra))).status).toBe(status);
    });

    it('refuses the token of what is deleted', async () => {
      const gone = await app.current.build.project({ columns: { pending_delete: true } });
      expect((await api().post('/runners', { token: tokenOf('project', gone.id) })).status).toBe(403);
    });
  });

  it('POST /runners/verify knows a runner by its token', async () => {
    const known = await api().post('/runners/verify', { token: runner.token });
    expect([known.status, known.body]).toEqual([200, null]);
    expect((await api().post('/runners/verify', { token: 'nothing' })).status).toBe(403);
  });

  it('DELETE /runners takes a runner away once', async () => {
    const { token } = await RunnerClient.register(api(), registration());
    expect((await api().delete('/runners', { token })).status).toBe(204);
    expect((await api().delete('/runners', { token })).status).toBe(403);
  });

  describe('POST /jobs/request', () => {
    it('answers 204 and what to bring along where there is no job', async () => {
      const response = await api().post('/jobs/request', { token: runner.token });
      const mark = response.get('x-gitlab-last-update');
      expect([response.status, response.text]).toEqual([204, '']);
      expect(mark).toMatch(/^\w+$/);
      expect(response.get('x-service-last-update')).toBe(mark);
    });

    it.each([['a\r\nb: c'], ['☃'], ['x'.repeat(70_000)], ['a b']])(
      'tells something new where %j is brought along',
      async (mark) => {
        const response = await api().post('/jobs/request', { token: runner.token, last_update: mark });
        expect([response.status, response.get('x-gitlab-last-update')]).toEqual([
          204,
          expect.stringMatching(/^[0-9a-f]{16}$/),
        ]);
      },
    );

    it('refuses an unknown token, and gives an inactive runner nothing', async () => {
      expect((await api().post('/jobs/request', { token: 'nothing' })).status).toBe(403);
      const idle = await RunnerClient.register(api(), registration());
      await app.current.as(owner).put(`/runners/${idle.id}`, { active: false });
      const [id] = await pending({});
      expect(await idle.poll()).toBeNull();
      await runner.report(await runner.take(), 'success');
      expect(await statusOf(id ?? 0)).toBe('success');
    });

    it('gives a job with everything that a runner needs, field by field', async () => {
      const [first, second] = await pending(
        { name: 'build', stage: 'build', definition: { artifacts: { paths: ['bin'] } } },
        {
          name: 'test',
          stage: 'test',
          stageIndex: 1,
          status: 'created',
          definition: {
            beforeScript: ['echo before'],
            script: ['make', 'make test'],
            afterScript: ['echo after'],
            image: { name: 'ruby:2.6', entrypoint: ['/bin/sh'] },
            services: [{ name: 'postgres:11', alias: 'db', command: ['postgres'] }],
            variables: [{ key: 'GIT_DEPTH', value: '20' }],
            artifacts: {
              name: 'bin',
              paths: ['bin/', 'lib'],
              when: 'always',
              expireIn: '1 week',
              reports: { junit: ['junit.xml'] },
            },
            cache: { key: 'k', paths: ['vendor'], policy: 'pull' },
          },
        },
      );
      const build = await runner.take();
      expect(build.id).toBe(first);
      await runner.upload(build, Buffer.from('PK'));
      await runner.report(build, 'success');
      const job = await runner.take();
      expect(job).toEqual({
        id: second,
        token: expect.stringMatching(/^[0-9a-f]{40}$/),
        allow_git_fetch: true,
        job_info: { name: 'test', stage: 'test', project_id: project.id, project_name: project.path },
        git_info: {
          repo_url: `http://gitlab-ci-token:${job.token}@service.test/${project.fullPath}.git`,
          ref: 'master',
          sha: project.tip,
          before_sha: '0'.repeat(40),
          ref_type: 'branch',
          refspecs: ['+refs/heads/master:refs/remotes/origin/master'],
          depth: 20,
        },
        runner_info: { timeout: 3_600, runner_session_url: null },
        variables: expect.any(Array),
        steps: [
          {
            name: 'script',
            script: ['echo before', 'make', 'make test'],
            timeout: 3_600,
            when: 'on_success',
            allow_failure: false,
          },
          {
            name: 'after_script',
            script: ['echo after'],
            timeout: 3_600,
            when: 'always',
            allow_failure: true,
          },
        ],
        image: { name: 'ruby:2.6', entrypoint: ['/bin/sh'] },
        services: [{ name: 'postgres:11', alias: 'db', command: ['postgres'] }],
        artifacts: [
          {
            name: 'bin',
            untracked: false,
            paths: ['bin/', 'lib'],
            when: 'always',
            expire_in: '1 week',
            artifact_type: 'archive',
            artifact_format: 'zip',
          },
          {
            name: 'junit.xml',
            untracked: false,
            paths: ['junit.xml'],
            when: 'always',
            expire_in: '1 week',
            artifact_type: 'junit',
            artifact_format: 'gzip',
          },
        ],
        cache: [{ key: 'k', untracked: false, paths: ['vendor'], policy: 'pull' }],
        credentials: [],
        dependencies: [
          {
            id: first,
            name: 'build',
            token: job.token,
            artifacts_file: { filename: 'artifacts.zip', size: 2 },
          },
        ],
        features: { trace_sections: true },
      });
      const values = new Map(job.variables.map((variable) => [variable.key, variable]));
      expect(values.get('CI_JOB_TOKEN')).toEqual({
        key: 'CI_JOB_TOKEN',
        value: job.token,
        public: false,
        masked: true,
        file: false,
      });
      expect(values.get('CI_REPOSITORY_URL')?.value).toContain(job.token);
      expect(values.get('CI_RUNNER_ID')?.value).toBe(String(runner.id));
      expect(values.get('CI_JOB_ID')?.value).toBe(String(second));
      await runner.report(job, 'success');
    });

    it('serves whom a runner is for: tags, protected refs, projects, groups, all', async () => {
      const tagged = await RunnerClient.register(
        api(),
        registration({ tag_list: 'a,b', run_untagged: false }),
      );
      const guarded = await RunnerClient.register(api(), registration({ access_level: 'ref_protected' }));
      const other = await app.current.build.project({ owner });
      const stranger = await RunnerClient.register(api(), { token: tokenOf('project', other.id) });
      const [plain, a, c, safe] = await pending({}, { tags: ['a'] }, { tags: ['c'] }, { protected: true });
      expect(await stranger.poll()).toBeNull();
      expect((await tagged.take()).id).toBe(a);
      expect(await tagged.poll()).toBeNull();
      expect((await guarded.take()).id).toBe(safe);
      expect(await guarded.poll()).toBeNull();
      expect((await runner.take()).id).toBe(plain);
      expect(await runner.poll()).toBeNull();
      await app.current.as(owner).post(`/projects/${project.id}/jobs/${c}/cancel`);
    });

    it('gives jobs of projects to runners of their groups and of the installation, unless those are off', async () => {
      const { build, database } = app.current;
      const group = await build.group({ members: { owner } });
      const inside = await build.project({
        namespace: await build.group({ parent: group }),
        files: { a: '' },
      });
      const jobs = await buildJobs(app.current, await buildPipeline(app.current, inside, owner), [{}, {}]);
      const shared = await RunnerClient.register(api(), { token: RUNNERS_TOKEN });
      const ofGroup = await RunnerClient.register(api(), { token: tokenOf('group', group.id) });
      await database.query('UPDATE projects SET shared_runners_enabled = false WHERE id = $1', [inside.id]);
      expect(await shared.poll()).toBeNull();
      expect((await ofGroup.take()).id).toBe(jobs[0]);
      await database.query('UPDATE projects SET shared_runners_enabled = true WHERE id = $1', [inside.id]);
      expect((await shared.take()).id).toBe(jobs[1]);
    });

    it('serves the project with the fewest running jobs first', async () => {
      const { build } = app.current;
      const shared = await RunnerClient.register(api(), { token: RUNNERS_TOKEN });
      const projects = [
        await build.project({ owner, files: { a: '' } }),
        await build.project({ owner, files: { a: '' } }),
      ];
      const ids: number[][] = [];
      for (const each of projects)
        ids.push(await buildJobs(app.current, await buildPipeline(app.current, each, owner), [{}, {}]));
      const [[one, two] = [], [three, four] = []] = ids;
      const order = [await shared.take(), await shared.take(), await shared.take(), await shared.take()];
      expect(order.map(({ id }) => id)).toEqual([one, three, two, four]);
    });

    it('waits for a job where the runner brings along what it was told', async () => {
      await runner.poll();
      const waiting = runner.ask();
      const settled = await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(resolve, 100, 'waits')),
      ]);
      expect(settled).toBe('waits');
      const [id] = await pending({});
      const response = await waiting;
      expect([response.status, response.body.id]).toEqual([201, id]);
      await runner.report(response.body, 'success');
    });

    it('fails jobs that this runner, or any, cannot run', async () => {
      const [unsupported] = await pending({ definition: { artifacts: { reports: { junit: ['a'] } } } });
      expect((await api().post('/jobs/request', { token: runner.token })).status).toBe(204);
      expect(await statusOf(unsupported ?? 0)).toBe('failed');
      const [gone, later] = await pending({ status: 'success' }, { stageIndex: 1 });
      await app.current.database.query('UPDATE jobs SET erased_at = now() WHERE id = $1', [gone]);
      expect(await runner.poll()).toBeNull();
      const { rows } = await app.current.database.query(
        'SELECT failure_reason FROM jobs WHERE id = ANY($1::bigint[]) ORDER BY id',
        [[unsupported, later]],
      );
      expect(rows.map(({ failure_reason: reason }) => reason)).toEqual([
        'runner_unsupported',
        'missing_dependency_failure',
      ]);
    });
  });

  describe('PATCH /jobs/:job_id/trace', () => {
    it('takes a log piece by piece, and tells where it ends', async () => {
      const job = await taken();
      const first = await runner.log(job, 'hello ');
      expect([first.status, first.get('range'), first.get('job-status')]).toEqual([202, '0-6', 'running']);
      const again = await runner.log(job, 'hello ');
      expect([again.status, again.get('range')]).toEqual([202, '0-6']);
      const gap = await runner.log(job, 'x', 9);
      expect([gap.status, gap.get('range')]).toEqual([416, '0-6']);
      expect((await runner.log(job, 'wörld', 6)).get('range')).toBe('0-12');
      const { text, headers } = await app.current
        .as(owner)
        .get(`/projects/${project.id}/jobs/${job.id}/trace`);
      expect([text, headers['content-type']]).toEqual(['hello wörld', 'text/plain']);
      await runner.report(job, 'success');
    });

    it('crosses the secrets out that it knows', async () => {
      const job = await taken();
      await runner.log(job, `token ${job.token} and ${projectToken}!`);
      const { text } = await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}/trace`);
      expect(text).toBe(`token ${'x'.repeat(40)} and ${'x'.repeat(32)}!`);
      await runner.report(job, 'success');
    });

    it('needs to know where the piece begins', async () => {
      const job = await taken();
      const shown = api().with({ 'job-token': job.token, 'content-type': 'text/plain' });
      expect((await shown.patch(`/jobs/${job.id}/trace`).send('x')).status).toBe(400);
      expect((await shown.patch(`/Jobs/${job.id}/trace/`).set('content-range', '0-').send('')).status).toBe(
        202,
      );
      for (const range of ['', 'x', '-1', '1', '0-a', '9'.repeat(20) + '-', '0-1-2']) {
        const { status } = await shown.patch(`/jobs/${job.id}/trace`).set('content-range', range).send('x');
        expect(status).toBe(400);
      }
      const large = Buffer.alloc(8 * 1024 * 1024 + 1, 'x');
      const { status } = await shown.patch(`/jobs/${job.id}/trace`).set('content-range', '0-9').send(large);
      expect(status).toBe(413);
      await runner.report(job, 'success');
    });

    it('loses nothing of pieces that come at once', async () => {
      const job = await taken();
      const pieces = await Promise.all(['aa', 'bb', 'cc'].map((text) => runner.log(job, text)));
      expect(pieces.map(({ status }) => status).sort()).toEqual([202, 202, 202]);
      expect(
        (await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}/trace`)).text,
      ).toHaveLength(2);
      await runner.report(job, 'success');
    });
  });

  describe('PUT /jobs/:job_id', () => {
    it('ends a job, takes the figure of its log, and its token is of no more use', async () => {
      const job = await taken({ coverageRegex: 'covered (\\d+\\.\\d+)%' });
      await runner.log(job, 'covered 12.5%\ncovered 42.1%\nbye\n');
      const alive = await runner.report(job, 'running');
      expect([alive.status, alive.get('job-status')]).toEqual([200, 'running']);
      const done = await runner.report(job, 'success');
      expect([done.status, done.get('job-status')]).toEqual([200, 'success']);
      const { body } = await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}`);
      expect(body).toMatchObject({ status: 'success', coverage: 42.1, duration: expect.any(Number) });
      const late = await runner.report(job, 'failed');
      expect([late.status, late.get('job-status'), late.body.message]).toEqual([
        403,
        'success',
        '403 Forbidden - Job is not running',
      ]);
      const { rows } = await app.current.database.query(
        `SELECT 1 FROM access_tokens WHERE kind = 'job' AND name = $1`,
        [`job ${job.id}`],
      );
      expect(rows).toEqual([]);
    });

    it('notes why a job failed, in words that are known', async () => {
      for (const [said, kept] of [
        ['script_failure', 'script_failure'],
        ['something new', 'unknown_failure'],
        [undefined, 'unknown_failure'],
      ] as const) {
        const job = await taken();
        await runner.report(job, 'failed', said);
        const { rows } = await app.current.database.query('SELECT failure_reason FROM jobs WHERE id = $1', [
          job.id,
        ]);
        expect(rows).toEqual([{ failure_reason: kept }]);
      }
    });

    it('takes the whole log at once from older runners', async () => {
      const job = await taken();
      await api().put(`/jobs/${job.id}`, { token: job.token, state: 'success', trace: 'all of it' });
      expect((await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}/trace`)).text).toBe(
        'all of it',
      );
    });

    it('tells the runner to stop once somebody has canceled the job', async () => {
      const job = await taken();
      await app.current.as(owner).post(`/projects/${project.id}/jobs/${job.id}/cancel`);
      const piece = await runner.log(job, 'x');
      expect([piece.status, piece.get('job-status')]).toEqual([403, 'canceled']);
      const report = await runner.report(job, 'running');
      expect([report.status, report.get('job-status')]).toEqual([403, 'canceled']);
      expect((await runner.upload(job, Buffer.from('PK'))).status).toBe(403);
    });

    it.each(['on_success', 'manual'])('has a job (%s) run again as often as is wanted', async (when) => {
      const first = await taken({ when, definition: { retryMax: 1 } });
      await runner.report(first, 'failed', 'script_failure');
      const second = await runner.take();
      expect(second.id).not.toBe(first.id);
      await runner.report(second, 'failed', 'script_failure');
      expect(await runner.poll()).toBeNull();
    });

    it('lets nobody else speak for the job', async () => {
      const job = await taken();
      const other = await taken();
      for (const token of ['', 'x', other.token, runner.token, owner.token, ['a'], { a: 1 }]) {
        const put = await api().put(`/jobs/${job.id}`, { token, state: 'success' });
        expect([400, 403]).toContain(put.status);
      }
      expect((await api().put(`/jobs/${job.id}`, { state: 'success' })).status).toBe(403);
      expect((await app.current.as(owner).put(`/jobs/${job.id}`, { state: 'success' })).status).toBe(403);
      expect((await runner.log({ ...job, token: other.token }, 'x')).status).toBe(403);
      expect((await runner.upload({ ...job, token: other.token }, Buffer.from('PK'))).status).toBe(403);
      expect((await api().put('/jobs/999999999', { token: job.token, state: 'success' })).status).toBe(404);
      expect((await api().put('/jobs/x', { token: job.token })).status).toBe(400);
      expect(await statusOf(job.id)).toBe('running');
      await runner.report(job, 'success');
      await runner.report(other, 'success');
    });
  });
});
