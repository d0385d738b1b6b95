import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '#libs/testing';
import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { git, remoteOf } from '../../support/git-client';
import { HookReceiver } from '../../support/hook-receiver';
import { RunnerClient, type GivenJob } from '../../support/runner-client';

const CONFIGURATION = `
stages: [build, test, deploy]
build:
  stage: build
  script: make
unit:
  stage: test
  script: make test
lint:
  stage: test
  script: make lint
  allow_failure: true
deploy:
  stage: deploy
  script: make deploy
`;

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

describe('pipelines of a pushed repository', () => {
  let owner: BuiltUser;
  let project: BuiltProject;
  let runner: RunnerClient;
  let folder: string;
  let receiver: HookReceiver;

  const as = () => app.current.as(owner);

  beforeAll(async () => {
    const { build, nest, api, url } = app.current;
    owner = await build.user();
    project = await build.project({ owner });
    runner = await RunnerClient.register(api, { token: nest.get(RunnersTokens).for('project', project.id) });
    receiver = await HookReceiver.start();
    await as().post(`/projects/${project.id}/hooks`, {
      url: receiver.url,
      push_events: false,
      job_events: true,
    });
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pushed-'));
    await git(folder, 'init', '--initial-branch=master', '.');
    await fs.writeFile(path.join(folder, '.gitlab-ci.yml'), CONFIGURATION);
    await git(folder, 'add', '.');
    await git(folder, 'commit', '-m', 'First');
    await git(folder, 'push', remoteOf(url, project.fullPath, owner.token), 'master');
  });

  afterAll(async () => {
    await receiver.close();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const newest = async (): Promise<{ id: number; status: string }> => {
    const { body } = await as().get(`/projects/${project.id}/pipelines?per_page=1`);
    return body[0];
  };
  const statusOf = async (id: number): Promise<string> =>
    (await as().get(`/projects/${project.id}/pipelines/${id}`)).body.status;
  const jobsOf = async (id: number): Promise<{ id: number; name: string; status: string }[]> =>
    (await as().get(`/projects/${project.id}/pipelines/${id}/jobs`)).body;
  /** The pipeline of a new branch with this configuration. */
  const pushed = async (branch: string, lines: readonly string[]): Promise<{ id: number }> => {
    const { body: commit } = await as().post(`/projects/${project.id}/repository/commits`, {
      branch,
      start_branch: 'master',
      commit_message: branch,
      actions: [{ action: 'update', file_path: '.gitlab-ci.yml', content: lines.join('\n') }],
    });
    const found = () => as().get(`/projects/${project.id}/pipelines?sha=${commit.id}`);
    await until(async () => (await found()).body.length === 1);
    return (await found()).body[0];
  };
  const again = async (): Promise<number> =>
    (await as().post(`/projects/${project.id}/pipeline`, { ref: 'master' })).body.id;

  /** Takes the next jobs and ends them as they are told to; answers their names. */
  const run = async (count: number, failing: readonly string[] = []): Promise<string[]> => {
    const jobs: GivenJob[] = [];
    for (let taken = 0; taken < count; taken += 1) jobs.push(await runner.take());
    for (const job of jobs) {
      const isFailing = failing.includes(job.job_info.name);
      await runner.report(job, isFailing ? 'failed' : 'success', isFailing ? 'script_failure' : undefined);
    }
    return jobs.map(({ job_info: { name } }) => name).sort();
  };

  it('run stage after stage to their success, with the clone that the job asks for', async () => {
    await until(async () => (await newest()) !== undefined);
    const { id } = await newest();
    const build = await runner.take();
    expect(build.job_info).toMatchObject({ name: 'build', stage: 'build' });
    expect(await runner.poll()).toBeNull();
    const address = new URL(build.git_info.repo_url);
    const { host, protocol } = new URL(app.current.url);
    const clone = Object.assign(address, { host, protocol }).href;
    const copy = path.join(folder, 'clone');
    await git(folder, 'clone', clone, copy);
    expect((await git(copy, 'rev-parse', 'HEAD')).trim()).toBe(build.git_info.sha);
    await expect(git(copy, 'push', clone, 'HEAD:refs/heads/mine')).rejects.toThrow();
    await runner.report(build, 'success');
    await expect(git(folder, 'clone', clone, path.join(folder, 'late'))).rejects.toThrow();

    expect(await run(2, ['lint'])).toEqual(['lint', 'unit']);
    expect(await statusOf(id)).toBe('running');
    expect(await run(1)).toEqual(['deploy']);
    expect(await statusOf(id)).toBe('success');
    expect(await runner.poll()).toBeNull();
  });

  it('fail with a job, and retry runs the failed ones alone', async () => {
    const id = await again();
    expect(await run(1)).toEqual(['build']);
    expect(await run(2, ['unit'])).toEqual(['lint', 'unit']);
    expect(await statusOf(id)).toBe('failed');
    expect((await jobsOf(id)).find(({ name }) => name === 'deploy')?.status).toBe('skipped');
    expect(await runner.poll()).toBeNull();

    const { status, body } = await as().post(`/projects/${project.id}/pipelines/${id}/retry`);
    expect([status, body.status]).toEqual([201, 'pending']);
    expect(await run(1)).toEqual(['unit']);
    expect(await run(1)).toEqual(['deploy']);
    expect(await statusOf(id)).toBe('success');
  });

  it('stop when they are canceled, and the runner is told', async () => {
    const id = await again();
    const build = await runner.take();
    const { status } = await as().post(`/projects/${project.id}/pipelines/${id}/cancel`);
    expect([status, await statusOf(id)]).toEqual([200, 'canceled']);
    const piece = await runner.log(build, 'still here');
    expect([piece.status, piece.get('job-status')]).toEqual([403, 'canceled']);
    expect((await jobsOf(id)).filter((job) => job.status !== 'canceled' && job.status !== 'skipped')).toEqual(
      [],
    );
    expect(await runner.poll()).toBeNull();
  });

  it('have their delayed jobs looked after when it is time', async () => {
    const { id } = await pushed('delayed', [
      'now: {script: x, when: delayed, start_in: 1 hour}',
      'too: {script: x, when: delayed, start_in: 60 minutes}',
      'later: {script: x, when: delayed, start_in: 2 hours}',
    ]);
    expect((await jobsOf(id)).map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'scheduled']);
    const planned = await app.current.database.query(
      `SELECT count(*)::int AS starts FROM pgboss.job boss
       WHERE boss.name = 'ci.start_delayed_jobs' AND boss.start_after IN (
         SELECT job.start_after FROM jobs job WHERE job.pipeline_id = $1)`,
      [id],
    );
    expect(planned.rows).toEqual([{ starts: 2 }]);
  });

  it('leave nothing behind when they are deleted', async () => {
    const id = await again();
    const build = await runner.take();
    await runner.log(build, 'log');
    const { rows } = await app.current.database.query<{ disk_path: string }>(
      'SELECT disk_path FROM projects WHERE id = $1',
      [project.id],
    );
    const jobFolder = path.join(
      app.current.settings.uploadsDir,
      rows[0]?.disk_path ?? '',
      'jobs',
      String(build.id),
    );
    await expect(fs.access(path.join(jobFolder, 'trace'))).resolves.toBeUndefined();
    expect((await as().delete(`/projects/${project.id}/pipelines/${id}`)).status).toBe(204);
    expect((await runner.report(build, 'success')).status).toBe(404);
    await until(() =>
      fs.access(jobFolder).then(
        () => false,
        () => true,
      ),
    );
    const tokens = await app.current.database.query(`SELECT 1 FROM access_tokens WHERE kind = 'job'`);
    expect(tokens.rows).toEqual([]);
  });

  it('tell hooks of each job, with all that the reference tells', async () => {
    await until(() => receiver.calls.some(({ body }) => body['build_status'] === 'success'));
    const call = receiver.calls.find(({ body }) => body['build_status'] === 'success');
    expect(call?.headers['x-service-event']).toBe('Job Hook');
    expect(call?.body).toEqual({
      object_kind: 'build',
      ref: 'master',
      tag: false,
      before_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      build_id: expect.any(Number),
      build_name: expect.any(String),
      build_stage: expect.any(String),
      build_status: 'success',
      build_started_at: expect.any(String),
      build_finished_at: expect.any(String),
      build_duration: expect.any(Number),
      build_allow_failure: expect.any(Boolean),
      build_failure_reason: 'unknown_failure',
      project_id: project.id,
      project_name: `${owner.username} / ${project.path}`,
      user: { id: owner.id, name: owner.name, email: '' },
      commit: expect.objectContaining({
        id: expect.any(Number),
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        message: 'First\n',
        author_name: 'Pusher',
        author_email: 'pusher@example.com',
        author_url: 'mailto:pusher@example.com',
        status: expect.any(String),
        started_at: expect.any(String),
      }),
      repository: expect.objectContaining({ name: project.path }),
    });
  });
});
