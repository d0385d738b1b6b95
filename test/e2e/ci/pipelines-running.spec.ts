import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ZERO_SHA } from '#libs/git';
import { GitFixture, until } from '#libs/testing';
import { MergeRequestPipelines } from '../../../src/ci/pipelines/merge-request-pipelines.service';
import { JobVariables } from '../../../src/ci/pipelines/job-variables';
import { PushedRefs } from '../../../src/ci/pipelines/pushed-refs.service';
import { ProjectsRepository } from '../../../src/repository/projects/projects.repository';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { commitFiles, jobStatuses, moveJob } from '../../support/ci-builders';
import { git, remoteOf } from '../../support/git-client';
import { HookReceiver } from '../../support/hook-receiver';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

const THREE_STAGES = `
variables: { GLOBAL: one }
build: { stage: build, script: make }
unit: { stage: test, script: [test], allow_failure: true, variables: { OWN: two } }
lint: { stage: test, script: [lint] }
deploy: { stage: deploy, script: [ship], when: manual, environment: production }
sweep: { stage: .post, script: [sweep], when: always }
alarm: { stage: deploy, script: [cry], when: on_failure }
`;

let maintainer: BuiltUser;
beforeAll(async () => {
  maintainer = await app.current.build.user();
});

const CONFIGURATION = '.gitlab-ci.yml';
const withFile = (text: string, more: Record<string, string> = {}): Promise<BuiltProject> =>
  app.current.build.project({ members: { maintainer }, files: { [CONFIGURATION]: text, ...more } });
const api = () => app.current.as(maintainer);
const create = (project: BuiltProject, body: object = { ref: 'master' }) =>
  api().post(`/projects/${project.id}/pipeline`, body);
const run = async (project: BuiltProject): Promise<number> => (await create(project).expect(201)).body.id;
const pipeline = async (project: BuiltProject, id: number) =>
  (await api().get(`/projects/${project.id}/pipelines/${id}`).expect(200)).body;
const rowsOf = async (project: BuiltProject) =>
  (
    await app.current.database.query(
      `SELECT id::int, ref, tag, sha, source, status, yaml_errors, before_sha, user_id::int FROM pipelines
       WHERE project_id = $1 ORDER BY id`,
      [project.id],
    )
  ).rows;
const jobs = (id: number) => jobStatuses(app.current, id);
const move = (id: number, name: string, status: 'running' | 'success' | 'failed' | 'canceled') =>
  moveJob(app.current, id, name, status);

describe('POST /projects/:id/pipeline with a configuration', () => {
  it('makes its jobs, stage by stage', async () => {
    const project = await withFile(THREE_STAGES);
    const { body } = await create(project).expect(201);
    expect(body).toMatchObject({ status: 'pending', yaml_errors: null, coverage: null });
    expect(await jobs(body.id)).toEqual({
      build: 'pending',
      unit: 'created',
      lint: 'created',
      deploy: 'created',
      sweep: 'created',
      alarm: 'created',
    });
    await move(body.id, 'build', 'running');
    expect(await pipeline(project, body.id)).toMatchObject({
      status: 'running',
      started_at: expect.any(String),
    });
    await move(body.id, 'build', 'success');
    expect(await jobs(body.id)).toMatchObject({ unit: 'pending', lint: 'pending', deploy: 'created' });
    await move(body.id, 'unit', 'failed');
    await move(body.id, 'lint', 'success');
    expect(await jobs(body.id)).toMatchObject({ deploy: 'manual', alarm: 'skipped', sweep: 'pending' });
    await move(body.id, 'sweep', 'success');
    expect(await pipeline(project, body.id)).toMatchObject({
      status: 'success',
      finished_at: expect.any(String),
      duration: expect.any(Number),
    });
  });

  it('ends after a failure, with what is meant for one', async () => {
    const project = await withFile(THREE_STAGES);
    const id = await run(project);
    await move(id, 'build', 'failed');
    expect(await jobs(id)).toMatchObject({
      unit: 'skipped',
      lint: 'skipped',
      deploy: 'skipped',
      alarm: 'pending',
    });
    await move(id, 'alarm', 'success');
    await move(id, 'sweep', 'success');
    expect((await pipeline(project, id)).status).toBe('failed');
  });

  it('refuses a broken one, and one with nothing to run', async () => {
    const broken = await withFile('build: { script: [] }');
    const { status, body } = await create(broken);
    expect([status, body]).toEqual([400, { message: { base: ["jobs:build script can't be blank"] } }]);
    const idle = await withFile('build: { script: x, only: [tags] }');
    const refused = await create(idle);
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { base: ['No stages / jobs for this pipeline.'] } },
    ]);
    const lacking = await withFile(
      'a: { script: x, stage: build, only: [tags] }\nb: { script: x, stage: test, needs: [a] }',
    );
    expect((await create(lacking)).body).toEqual({ message: { base: ["b: needs 'a'"] } });
    expect([...(await rowsOf(broken)), ...(await rowsOf(idle))]).toEqual([]);
  });

  it('reads included files, variables of the caller, changed and existing paths', async () => {
    const project = await withFile(
      `include: ci/more.yml
a: { script: x, variables: { WISH: none }, only: { variables: ['$WISH == "yes"'] } }
b: { script: x, rules: [{ exists: ['docs/**/*.md'] }] }
c: { script: x, rules: [{ exists: ['*.lock'] }] }
d: { script: x, rules: [{ if: '$CI_PIPELINE_SOURCE == "api" && $GITLAB_USER_LOGIN' }] }`,
      { 'ci/more.yml': 'e: { script: y }', 'docs/a/b.md': 'x' },
    );
    const variables = [{ key: 'WISH', value: 'yes' }];
    const { body } = await create(project, { ref: 'master', variables }).expect(201);
    expect(Object.keys(await jobs(body.id)).sort()).toEqual(['a', 'b', 'd', 'e']);
  });

  it('looks where the project says that its configuration is', async () => {
    const project = await app.current.build.project({
      members: { maintainer },
      files: { 'ci/own.yml': 'a: { script: x }' },
      columns: { ci_config_path: 'ci/own.yml' },
    });
    expect(Object.keys(await jobs(await run(project)))).toEqual(['a']);
  });

  it('tells jobs of themselves', async () => {
    const project = await withFile(THREE_STAGES);
    const { body } = await create(project, {
      ref: 'master',
      variables: [{ key: 'GIVEN', value: 'three', variable_type: 'file' }],
    });
    const { rows } = await app.current.database.query(
      "SELECT id::int FROM commit_statuses WHERE pipeline_id = $1 AND name = 'unit'",
      [body.id],
    );
    const told = await app.current.nest.get(JobVariables).of(rows[0].id);
    const known = Object.fromEntries(told?.predefined.map(({ key, value }) => [key, value]) ?? []);
    expect(known).toMatchObject({
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: 'http://service.test/api/v4',
      CI_COMMIT_BRANCH: 'master',
      CI_COMMIT_REF_NAME: 'master',
      CI_COMMIT_REF_PROTECTED: 'true',
      CI_COMMIT_REF_SLUG: 'master',
      CI_COMMIT_SHA: project.tip,
      CI_COMMIT_SHORT_SHA: project.tip.slice(0, 8),
      CI_COMMIT_TITLE: 'First commit',
      CI_JOB_ID: String(rows[0].id),
      CI_JOB_NAME: 'unit',
      CI_JOB_STAGE: 'test',
      CI_NODE_TOTAL: '1',
      CI_PIPELINE_ID: String(body.id),
      CI_PIPELINE_IID: '1',
      CI_PIPELINE_SOURCE: 'api',
      CI_PROJECT_ID: String(project.id),
      CI_PROJECT_PATH: project.fullPath,
      CI_PROJECT_URL: `http://service.test/${project.fullPath}`,
    });
    // What was written, who runs it, what was given: later ones win.
    const own = told?.own.map(({ key }) => key.replace('GITLAB_USER', 'WHO')).join(' ');
    expect(own).toBe('GLOBAL OWN WHO_ID WHO_EMAIL WHO_LOGIN WHO_NAME GIVEN');
    const given = { key: 'GIVEN', value: 'three', public: false, masked: false, file: true };
    expect(told?.own.at(-1)).toEqual(given);
    expect(await app.current.nest.get(JobVariables).of(0)).toBeNull();
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/retry with jobs', () => {
  it('runs the failed ones again, and lets what was skipped after them have its turn', async () => {
    const project = await withFile(
      'a: { stage: build, script: x }\nb: { stage: build, script: x }\nc: { stage: test, script: x }',
    );
    const id = await run(project);
    await move(id, 'a', 'success');
    await move(id, 'b', 'failed');
    expect(await pipeline(project, id)).toMatchObject({ status: 'failed' });
    const { body } = await api().post(`/projects/${project.id}/pipelines/${id}/retry`).expect(201);
    expect(body).toMatchObject({ id, status: 'pending', finished_at: null });
    expect(await jobs(id)).toEqual({ a: 'success', c: 'created', b: 'pending' });
    const statuses = `/projects/${project.id}/repository/commits/${project.tip}/statuses`;
    expect((await api().get(statuses)).body).toHaveLength(3);
    expect((await api().get(`${statuses}?all=true`)).body).toHaveLength(4);
    await move(id, 'b', 'success');
    await move(id, 'c', 'success');
    expect(await pipeline(project, id)).toMatchObject({ status: 'success' });
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/cancel with jobs', () => {
  const cancel = async (project: BuiltProject, id: number) =>
    (await api().post(`/projects/${project.id}/pipelines/${id}/cancel`).expect(200)).body.status;

  it('stops what goes on beside a failure, and leaves alone what has ended', async () => {
    const project = await withFile('a: { script: x }\nb: { script: x }\nc: { script: x, when: manual }');
    const [failing, done] = [await run(project), await run(project)];
    await move(failing, 'a', 'failed');
    for (const name of ['a', 'b']) await move(done, name, 'success');
    expect([await cancel(project, failing), await cancel(project, done)]).toEqual(['canceled', 'success']);
    expect(await jobs(done)).toMatchObject({ c: 'manual' });
  });

  it('stops all that has not ended', async () => {
    const project = await withFile(THREE_STAGES);
    const id = await run(project);
    await move(id, 'build', 'running');
    expect(await cancel(project, id)).toBe('canceled');
    expect(new Set(Object.values(await jobs(id)))).toEqual(new Set(['canceled']));
    const { rows } = await app.current.database.query('SELECT 1 FROM job_queue WHERE project_id = $1', [
      project.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('GET /projects/:id/repository/commits/:sha/statuses with jobs', () => {
  it('shows jobs beside what others report', async () => {
    const project = await withFile('a: { stage: build, script: x, allow_failure: true }');
    const id = await run(project);
    const report = { state: 'failed', name: 'a', target_url: 'http://ci.example.com' };
    await api().post(`/projects/${project.id}/statuses/${project.tip}`, report).expect(201);
    const path = `/projects/${project.id}/repository/commits/${project.tip}/statuses`;
    const { body } = await api().get(path).expect(200);
    expect(body).toMatchObject([
      {
        name: 'a',
        status: 'pending',
        allow_failure: true,
        target_url: `http://service.test/${project.fullPath}/-/jobs/${body[0].id}`,
        author: { id: maintainer.id },
      },
      { name: 'a', status: 'failed', allow_failure: false, target_url: 'http://ci.example.com' },
    ]);
    expect((await api().get(`${path}?stage=build`)).body).toHaveLength(1);
    await move(id, 'a', 'success');
    expect((await pipeline(project, id)).status).toBe('failed');
  });
});

describe('jobs that end at once', () => {
  it('are all counted', async () => {
    const names = Array.from({ length: 12 }, (_, place) => `job${place}`);
    const project = await withFile(
      [
        ...names.map((name) => `${name}: { stage: build, script: x }`),
        'last: { stage: test, script: x }',
      ].join('\n'),
    );
    const id = await run(project);
    await Promise.all([
      ...names.map((name) => move(id, name, 'success')),
      ...['x', 'y', 'z'].map((name) =>
        api().post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success', name }).expect(201),
      ),
    ]);
    expect(await jobs(id)).toMatchObject({ last: 'pending' });
    await move(id, 'last', 'success');
    expect((await pipeline(project, id)).status).toBe('success');
  });
});

describe('a push', () => {
  const isBuilt = (project: BuiltProject, count: number) =>
    until(async () => {
      const rows = await rowsOf(project);
      return rows.length >= count && rows;
    });

  it('makes a pipeline for its branch, once, and cancels an older one that has not begun', async () => {
    const project = await withFile('a: { script: x }');
    const older = await run(project);
    const sha = await commitFiles(app.current, { project, user: maintainer, branch: 'master' }, { b: 'x' });
    const [, made] = await isBuilt(project, 2);
    expect(made).toMatchObject({
      ref: 'master',
      sha,
      before_sha: project.tip,
      source: 'push',
      tag: false,
      user_id: maintainer.id,
    });
    await until(async () => (await pipeline(project, older)).status === 'canceled');
    expect(await jobs(made.id)).toEqual({ a: 'pending' });
    const push = { projectId: project.id, actorId: maintainer.id, source: 'api' } as const;
    const updates = [{ ref: 'refs/heads/master', oldSha: project.tip, newSha: sha }];
    const build = () =>
      app.current.nest.get(PushedRefs).build(77, { ...push, updates }, new AbortController().signal);
    await build();
    await build();
    expect(await rowsOf(project)).toHaveLength(3);
  });

  it('that is heard of late leaves the pipeline of a later one alone', async () => {
    const project = await withFile('a: { script: x }');
    const sha = await commitFiles(app.current, { project, user: maintainer, branch: 'master' }, { b: 'x' });
    await isBuilt(project, 1);
    const updates = [{ ref: 'refs/heads/master', oldSha: ZERO_SHA, newSha: project.tip }];
    const push = { projectId: project.id, actorId: maintainer.id, source: 'api', updates } as const;
    await app.current.nest.get(PushedRefs).build(78, push, new AbortController().signal);
    expect(await rowsOf(project)).toMatchObject([{ sha, status: 'pending' }, { sha: project.tip }]);
  });

  it('keeps an older one whose job may not be interrupted any more', async () => {
    const project = await withFile('a: { script: x }\nb: { script: x, interruptible: true }');
    const [begun] = [await run(project)];
    await move(begun, 'a', 'running');
    await commitFiles(app.current, { project, user: maintainer, branch: 'master' }, { b: 'x' });
    const [, made] = await isBuilt(project, 2);
    await until(async () => Object.keys(await jobs(made.id)).length === 2);
    await move(made.id, 'b', 'running');
    await commitFiles(app.current, { project, user: maintainer, branch: 'master' }, { c: 'x' });
    await until(async () => (await pipeline(project, made.id)).status === 'canceled');
    expect((await pipeline(project, begun)).status).toBe('running');
  });

  it('shows a broken configuration as a pipeline that has failed, and a wish to skip as one that was skipped', async () => {
    const project = await withFile('a: { script: [] }');
    await commitFiles(app.current, { project, user: maintainer, branch: 'master' }, { b: 'x' });
    const [broken] = await isBuilt(project, 1);
    expect(broken).toMatchObject({ status: 'failed', yaml_errors: "jobs:a script can't be blank" });
    expect(await pipeline(project, broken.id)).toMatchObject({
      yaml_errors: broken.yaml_errors,
      duration: null,
    });
    const good = await withFile('a: { script: x }');
    await commitFiles(
      app.current,
      { project: good, user: maintainer, branch: 'master' },
      { b: 'x' },
      'No [skip ci]',
    );
    expect(await isBuilt(good, 1)).toMatchObject([{ status: 'skipped' }]);
  });

  it('of a tag is built, and one of git itself with its options', async () => {
    const project = await withFile('a: { script: x }\nt: { script: x, only: [tags] }');
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pipelines-'));
    try {
      const remote = remoteOf(app.current.url, project.fullPath, maintainer.token);
      await git(folder, 'clone', '--quiet', remote, '.');
      await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'More');
      await git(folder, 'push', '--quiet', '-o', 'ci.skip', 'origin', 'HEAD:refs/heads/quiet');
      await git(folder, 'tag', '-a', 'v1', '-m', 'Version 1');
      await git(folder, 'push', '--quiet', 'origin', 'v1');
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
    const [quiet, tagged] = await isBuilt(project, 2);
    expect([quiet, tagged]).toMatchObject([
      { ref: 'quiet', status: 'skipped', before_sha: ZERO_SHA },
      { ref: 'v1', tag: true, status: 'pending' },
    ]);
    expect(tagged.sha).toBe(quiet.sha);
    expect(Object.keys(await jobs(tagged.id))).toEqual(['a', 't']);
  });

  it('is built only for who may, where there is something to build, and of a mirror only where wanted', async () => {
    const reporter = await app.current.build.user();
    const project = await app.current.build.project({
      members: { maintainer, reporter },
      files: { [CONFIGURATION]: 'a: { script: x }' },
    });
    const pushed = app.current.nest.get(PushedRefs);
    const updates = [{ ref: 'refs/heads/master', oldSha: ZERO_SHA, newSha: project.tip }];
    const { signal } = new AbortController();
    const build = (id: number, more: object) =>
      pushed.build(
        id,
        { projectId: project.id, actorId: maintainer.id, source: 'push', updates, ...more },
        signal,
      );
    await build(1, { actorId: reporter.id });
    await build(2, { actorId: null });
    await build(3, { source: 'mirror' });
    await build(4, { updates: [{ ...updates[0], newSha: ZERO_SHA }] });
    expect(await rowsOf(project)).toEqual([]);
    await app.current.database.query('UPDATE projects SET mirror_trigger_builds = true WHERE id = $1', [
      project.id,
    ]);
    await build(5, { source: 'mirror' });
    expect(await rowsOf(project)).toHaveLength(1);
    const many = Array.from({ length: 6 }, (_, place) => `refs/heads/b${place}`);
    const twins = ['refs/heads/v1', 'refs/tags/v1'].map((ref) => ({
      ref,
      oldSha: ZERO_SHA,
      newSha: project.tip,
    }));
    await build(6, { updates: many.map((ref) => ({ ref, oldSha: ZERO_SHA, newSha: project.tip })) });
    expect(await rowsOf(project)).toHaveLength(5);
    await build(7, { updates: twins });
    expect(await rowsOf(project)).toHaveLength(7);
    const plain = await app.current.build.project({ files: { a: 'x' } });
    const looked = { actorId: maintainer.id, source: 'push', updates } as const;
    expect(await pushed.mayHavePipelines({ ...looked, projectId: project.id })).toBe(true);
    const other = [{ ref: 'refs/heads/master', oldSha: ZERO_SHA, newSha: plain.tip }];
    expect(await pushed.mayHavePipelines({ ...looked, projectId: plain.id, updates: other })).toBe(false);
  });
});

describe('a merge request', () => {
  it('has jobs of its own, for each of its commits once', async () => {
    const project = await withFile('a: { script: x, only: [merge_requests] }\nb: { script: x }');
    const found = await app.current.nest.get(ProjectsRepository).find(project.id);
    if (!found) throw new Error('the project was built');
    await GitFixture.on(project.repositoryPath).git('branch', 'topic', 'master');
    const { rows } = await app.current.database.query(
      `INSERT INTO merge_requests (project_id, source_project_id, iid, source_branch, target_branch, title, author_id)
       VALUES ($1, $1, 7, 'topic', 'master', 'Topic', $2) RETURNING id::int`,
      [project.id, maintainer.id],
    );
    const branches = { sourceBranch: 'topic', targetBranch: 'master', headSha: project.tip };
    const source = {
      ...{ sourceProjectId: project.id, sourceProjectPath: project.fullPath },
      ...{ targetProjectId: project.id, targetProjectPath: project.fullPath },
    };
    const mergeRequest = { id: rows[0].id, iid: 7, title: 'Topic', ...branches, ...source };
    const pipelines = app.current.nest.get(MergeRequestPipelines);
    const order = { project: found, mergeRequest, userIds: [maintainer.id] };
    const made = await pipelines.create(order);
    const ref = 'refs/merge-requests/7/head';
    expect(made).toMatchObject({ ref, source: 'merge_request_event', mergeRequestId: mergeRequest.id });
    expect(await jobs(made?.id ?? 0)).toEqual({ a: 'pending' });
    expect(await pipelines.create(order)).toBeNull();
    expect(await pipelines.create({ ...order, again: true })).not.toBeNull();
    const stranger = await app.current.build.user();
    expect(await pipelines.create({ ...order, userIds: [stranger.id], again: true })).toBeNull();
    const headSha = await GitFixture.on(project.repositoryPath).commit({
      branch: 'topic',
      message: 'Words alone [skip ci]',
      files: { words: 'x', [CONFIGURATION]: 'a: { script: x, only: [merge_requests] }' },
    });
    const quiet = await pipelines.create({ ...order, mergeRequest: { ...mergeRequest, headSha } });
    expect(quiet).toMatchObject({ status: 'skipped', mergeRequestId: mergeRequest.id });
  });
});

describe('a hook for pipelines with jobs', () => {
  it('is told of the jobs, stages and variables', async () => {
    const receiver = await HookReceiver.start();
    try {
      const project = await withFile(THREE_STAGES);
      const hook = { url: receiver.url, push_events: false, pipeline_events: true };
      await api().post(`/projects/${project.id}/hooks`, hook).expect(201);
      const { body } = await create(project, { ref: 'master', variables: [{ key: 'A', value: 'x' }] });
      await receiver.got(1);
      const [call] = receiver.calls;
      expect(call?.body).toMatchObject({
        object_kind: 'pipeline',
        object_attributes: {
          id: body.id,
          ref: 'master',
          source: 'api',
          status: 'pending',
          detailed_status: 'pending',
          stages: ['build', 'test', 'deploy', '.post'],
          variables: [{ key: 'A', value: 'x' }],
        },
        merge_request: null,
        user: { username: maintainer.username },
        commit: { id: project.tip },
      });
      expect(call?.body['builds']).toEqual(
        expect.arrayContaining([
          {
            id: expect.any(Number),
            stage: 'deploy',
            name: 'deploy',
            status: 'created',
            created_at: expect.any(String),
            started_at: null,
            finished_at: null,
            when: 'manual',
            manual: true,
            allow_failure: true,
            user: expect.objectContaining({ username: maintainer.username }),
            runner: null,
            artifacts_file: { filename: null, size: null },
          },
        ]),
      );
    } finally {
      await receiver.close();
    }
  });
});
