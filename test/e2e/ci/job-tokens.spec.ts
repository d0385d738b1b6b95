import { License } from '#libs/tiers';
import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline } from '../../support/ci-jobs';
import { RunnerClient, type GivenJob } from '../../support/runner-client';
import { zipOf } from '../../support/zip-file';

const app = useApplication();
const ARCHIVE = zipOf([{ name: 'index.html', content: 'text' }]);

/** What a job may ask for with its token, of its own project or another. */
const READ = ['/artifacts', '/artifacts/index.html'];

let owner: BuiltUser;
let starter: BuiltUser;
let own: BuiltProject;
/** Of the same owner; the one who starts jobs reads it alone. */
let readable: BuiltProject;
let hidden: BuiltProject;
let runner: RunnerClient;
/** A finished job of each project, by the project's id, with artifacts. */
const done = new Map<number, number>();

const withToken = (job: GivenJob) => app.current.api.with({ 'job-token': job.token });
const statusOf = async (job: GivenJob, project = own, what = '/artifacts'): Promise<number> =>
  (await withToken(job).get(`/projects/${project.id}/jobs/${done.get(project.id) ?? 0}${what}`)).status;

/** As git asks first; `service` is what it is about to do. */
async function gitStatus(job: GivenJob, project = own, service = 'git-upload-pack'): Promise<number> {
  const basic = Buffer.from(`gitlab-ci-token:${job.token}`).toString('base64');
  const answer = await fetch(`${app.current.url}/${project.fullPath}.git/info/refs?service=${service}`, {
    headers: { authorization: `Basic ${basic}` },
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function running(user: BuiltUser = starter): Promise<GivenJob> {
  await buildJobs(app.current, await buildPipeline(app.current, own, user), [{}]);
  return runner.take();
}

/** A job that has ended, with what it has left behind. */
async function finished(project: BuiltProject): Promise<number> {
  const { api, nest } = app.current;
  await buildJobs(app.current, await buildPipeline(app.current, project, owner), [{}]);
  const token = nest.get(RunnersTokens).for('project', project.id);
  const at = await RunnerClient.register(api, { token });
  const job = await at.take();
  expect((await at.upload(job, ARCHIVE)).status).toBe(201);
  expect((await at.report(job, 'success')).status).toBe(200);
  return job.id;
}

beforeAll(async () => {
  const { build, nest, api } = app.current;
  [owner, starter] = [await build.user(), await build.user()];
  const files = { 'README.md': 'text' };
  own = await build.project({ owner, files, members: { developer: starter } });
  readable = await build.project({ owner, files, members: { reporter: starter } });
  hidden = await build.project({ owner, files });
  for (const project of [own, readable, hidden]) done.set(project.id, await finished(project));
  runner = await RunnerClient.register(api, { token: nest.get(RunnersTokens).for('project', own.id) });
});

describe('the token of a job', () => {
  it('reads with the rights of whoever started the job, in other projects as well, and nothing beyond them', async () => {
    const job = await running();
    for (const what of READ) {
      expect([what, await statusOf(job, own, what)]).toEqual([what, 200]);
      expect([what, await statusOf(job, readable, what)]).toEqual([what, 200]);
      expect([what, await statusOf(job, hidden, what)]).toEqual([what, 404]);
    }
    const ref = 'artifacts/master';
    const name = 'job=job 0';
    for (const path of [`${ref}/download?${name}`, `${ref}/raw/index.html?${name}`])
      expect([path, (await withToken(job).get(`/projects/${own.id}/jobs/${path}`)).status]).toEqual([
        path,
        200,
      ]);
    expect([await gitStatus(job), await gitStatus(job, readable), await gitStatus(job, hidden)]).toEqual([
      200, 200, 404,
    ]);
    await runner.report(job, 'success');
  });

  it('is read as a parameter as well, but as nothing else', async () => {
    const job = await running();
    const path = `/projects/${own.id}/jobs/${done.get(own.id) ?? 0}/artifacts`;
    expect((await app.current.api.get(`${path}?job_token=${job.token}`)).status).toBe(200);
    for (const headers of [{ 'private-token': job.token }, { authorization: `Bearer ${job.token}` }])
      expect((await app.current.api.with(headers).get(path)).status).toBe(401);
    // A personal token is none of a job.
    expect((await app.current.api.with({ 'job-token': starter.token }).get(path)).status).toBe(401);
    await runner.report(job, 'success');
  });

  it('writes nothing, and opens no other endpoint, be it of the job’s own project', async () => {
    const job = await running(owner);
    const at = `/projects/${own.id}`;
    const asJob = withToken(job);
    const asked = [
      asJob.get('/user'),
      asJob.get(at),
      asJob.get(`${at}/repository/files/README.md/raw?ref=master`),
      asJob.get(`${at}/jobs/${job.id}`),
      asJob.get(`${at}/jobs/${job.id}/trace`),
      asJob.get(`${at}/variables`),
      asJob.post(`${at}/issues`, { title: 'By a job' }),
      asJob.post(`${at}/jobs/${done.get(own.id) ?? 0}/artifacts/keep`),
      asJob.delete(`${at}/jobs/${done.get(own.id) ?? 0}/artifacts`),
      asJob.post(`${at}/jobs/${job.id}/cancel`),
      asJob.post(`${at}/pipeline`, { ref: 'master' }),
      asJob.delete(at),
    ];
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 401 && status !== 404)).toEqual([]);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(9);
    expect([await gitStatus(job, own, 'git-receive-pack'), await gitStatus(job)]).toEqual([403, 200]);
    await runner.report(job, 'success');
  });

  it('lets nobody act as somebody else', async () => {
    const admin = await app.current.build.user({ admin: true });
    const job = await running(admin);
    const path = `/projects/${hidden.id}/jobs/${done.get(hidden.id) ?? 0}/artifacts`;
    expect((await withToken(job).get(path)).status).toBe(200);
    expect((await withToken(job).get(`${path}?sudo=${owner.username}`)).status).toBe(403);
    await runner.report(job, 'success');
  });

  it.each([
    ['succeeded', (job: GivenJob) => runner.report(job, 'success')],
    ['failed', (job: GivenJob) => runner.report(job, 'failed', 'script_failure')],
    [
      'been canceled',
      (job: GivenJob) => app.current.as(owner).post(`/projects/${own.id}/jobs/${job.id}/cancel`),
    ],
    [
      'been erased',
      async (job: GivenJob) => {
        await runner.log(job, 'something to erase');
        await runner.report(job, 'success');
        return app.current.as(owner).post(`/projects/${own.id}/jobs/${job.id}/erase`);
      },
    ],
    [
      'gone with its pipeline',
      async (job: GivenJob) => {
        const { rows } = await app.current.database.query('SELECT pipeline_id FROM jobs WHERE id = $1', [
          job.id,
        ]);
        return app.current.as(owner).delete(`/projects/${own.id}/pipelines/${rows[0].pipeline_id}`);
      },
    ],
  ])('is good for nothing once the job has %s', async (_, end) => {
    const job = await running();
    expect([await statusOf(job), await gitStatus(job)]).toEqual([200, 200]);
    expect((await end(job)).status).toBeLessThan(300);
    expect([await statusOf(job), await gitStatus(job)]).toEqual([401, 401]);
  });

  it('is good for nothing once the time of the job is over, whatever its row says', async () => {
    const job = await running();
    await app.current.database.query(
      `UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE job_id = $1`,
      [job.id],
    );
    expect([await statusOf(job), await gitStatus(job)]).toEqual([401, 401]);
    await runner.report(job, 'success');
  });

  it('loses at once what whoever started the job loses', async () => {
    const { build, database } = app.current;
    const as = (user: BuiltUser) => app.current.as(user);
    const admin = await build.user({ admin: true });
    const leaving = await build.user();
    await build.member('project', own.id, leaving, 'developer');
    const job = await running(leaving);
    expect([await statusOf(job), await gitStatus(job)]).toEqual([200, 200]);

    await as(owner).delete(`/projects/${own.id}/members/${leaving.id}`).expect(204);
    expect([await statusOf(job), await gitStatus(job)]).toEqual([404, 404]);
    await build.member('project', own.id, leaving, 'developer');
    await as(admin).post(`/users/${leaving.id}/block`).expect(201);
    expect([await statusOf(job), await gitStatus(job)]).toEqual([403, 401]);
    await as(admin).post(`/users/${leaving.id}/unblock`).expect(201);
    expect(await statusOf(job)).toBe(200);
    await as(admin).delete(`/users/${leaving.id}`).expect(204);
    expect([await statusOf(job), await gitStatus(job)]).toEqual([401, 401]);
    const { rows } = await database.query('SELECT status FROM commit_statuses WHERE id = $1', [job.id]);
    expect(rows).toHaveLength(1);
    expect((await runner.report(job, 'success')).status).toBe(200);
  });

  it('opens the API with a licence for that alone, and the repository without one', async () => {
    const job = await running();
    const { nest } = app.current;
    const license = jest.spyOn(nest.get(License), 'has').mockReturnValue(false);
    try {
      expect([await statusOf(job), await gitStatus(job)]).toEqual([401, 200]);
    } finally {
      license.mockRestore();
    }
    await runner.report(job, 'success');
  });
});
