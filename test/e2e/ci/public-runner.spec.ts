import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline, type JobSetup } from '../../support/ci-jobs';
import { zipOf } from '../../support/zip-file';

const app = useApplication();

/** What release 19.4 of the public runner, with its shell executor, says of itself; recorded. */
const INFO = {
  name: 'gitlab-runner',
  version: '19.4.0',
  revision: 'fc1f1862',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  shell: 'bash',
  features: {
    variables: true,
    image: false,
    services: false,
    artifacts: true,
    cache: true,
    fallback_cache_keys: true,
    shared: true,
    upload_multiple_artifacts: true,
    upload_raw_artifacts: true,
    session: true,
    terminal: true,
    refspecs: true,
    masking: true,
    proxy: false,
    raw_variables: true,
    artifacts_exclude: true,
    multi_build_steps: true,
    trace_reset: true,
    trace_checksum: true,
    trace_size: true,
    vault_secrets: true,
    cancelable: true,
    return_exit_code: true,
    service_variables: false,
    cancel_gracefully: true,
    native_steps_integration: true,
    two_phase_job_commit: true,
    job_inputs: true,
  },
  config: { gpus: '' },
};
const ARCHIVE = zipOf([{ name: 'out/a.txt', content: 'hello world\n' }]);

interface Taken {
  readonly id: number;
  readonly token: string;
}

describe('the public runner, word for word', () => {
  let owner: BuiltUser;
  let project: BuiltProject;
  let registrationToken: string;
  let token: string;
  let runnerId: number;

  const api = () => app.current.api;
  const shown = (id = runnerId) => app.current.as(owner).get(`/runners/${id}`);
  const about = (id: number) => app.current.as(owner).get(`/projects/${project.id}/jobs/${id}`);

  /** Newer ones show each token twice: in a header, and in the body as ever. */
  const register = (extra: object = {}) =>
    api()
      .with({ accept: 'application/json', 'runner-token': registrationToken })
      .post('/runners', {
        description: 'one',
        tag_list: 'linux,bash',
        run_untagged: true,
        locked: true,
        maximum_timeout: 1200,
        paused: false,
        info: INFO,
        token: registrationToken,
        ...extra,
      });

  const ask = (runnerToken = token) =>
    api()
      .with({ accept: 'application/json', 'runner-token': runnerToken })
      .post('/jobs/request', { info: INFO, token: runnerToken, system_id: 's_1746f8786189' });

  const update = (job: Taken, state: object) =>
    api()
      .with({ 'job-token': job.token })
      .put(`/jobs/${job.id}`, { info: INFO, token: job.token, ...state });

  const piece = (job: Taken, text: string, start: number) =>
    api()
      .with({ 'job-token': job.token, 'content-type': 'text/plain' })
      .patch(`/jobs/${job.id}/trace?debug_trace=false`)
      .set('content-range', `${start}-${start + Buffer.byteLength(text) - 1}`)
      .send(text);

  /** As a stream of unknown length. */
  const upload = async (job: Taken, query: string, file: Buffer, name: string): Promise<number> => {
    const head = `--b0\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const pieces = [Buffer.from(head), file, Buffer.from('\r\n--b0--\r\n')];
    const response = await fetch(`${app.current.url}/api/v4/jobs/${job.id}/artifacts?${query}`, {
      method: 'POST',
      headers: { 'job-token': job.token, 'content-type': 'multipart/form-data; boundary=b0' },
      body: ReadableStream.from(pieces),
      duplex: 'half',
    });
    return response.status;
  };

  const taken = async (...setups: JobSetup[]): Promise<Taken> => {
    await buildJobs(app.current, await buildPipeline(app.current, project, owner), setups);
    const { status, body } = await ask();
    expect(status).toBe(201);
    return body;
  };

  beforeAll(async () => {
    const { build, nest } = app.current;
    owner = await build.user();
    project = await build.project({ owner, files: { 'README.md': 'text' } });
    registrationToken = nest.get(RunnersTokens).for('project', project.id);
    ({ token, id: runnerId } = (await register()).body);
  });

  it('POST /runners takes one that is to be paused at first', async () => {
    const { status, body } = await register({ description: 'two', paused: true });
    expect(status).toBe(201);
    await buildJobs(app.current, await buildPipeline(app.current, project, owner), [{}]);
    expect((await ask(body.token)).status).toBe(204);
    expect((await shown(body.id)).body).toMatchObject({ active: false, status: 'paused', locked: true });
    const job = (await ask()).body;
    await update(job, { state: 'success' });
  });

  it('PUT /runners/:id pauses and resumes by the later word, and by the older one where both are given', async () => {
    const put = async (given: object) =>
      (await app.current.as(owner).put(`/runners/${runnerId}`, given)).body.active;
    expect(await put({ paused: true })).toBe(false);
    expect(await put({ description: 'still paused' })).toBe(false);
    expect(await put({ paused: false })).toBe(true);
    expect(await put({ paused: true, active: true })).toBe(true);
    expect((await app.current.as(owner).put(`/runners/${runnerId}`, { paused: 'x' })).status).toBe(400);
  });

  it('POST /runners/verify counts as a sign of life, and brings what is new of the runner', async () => {
    const { body: made } = await register({ description: 'three', info: { ...INFO, version: '12.4.1' } });
    expect((await shown(made.id)).body).toMatchObject({ status: 'not_connected', version: '12.4.1' });
    const verify = { info: INFO, token: made.token, system_id: 's_1746f8786189' };
    expect((await api().post('/runners/verify', verify)).status).toBe(200);
    expect((await shown(made.id)).body).toMatchObject({
      status: 'online',
      version: '19.4.0',
      contacted_at: expect.any(String),
    });
    expect((await api().delete('/runners', { token: made.token })).status).toBe(204);
    expect((await api().post('/runners/verify', verify)).status).toBe(403);
  });

  it('runs a job from the first word to the last', async () => {
    const artifacts = { paths: ['out/'], expireIn: '1 week', reports: { junit: ['junit.xml'] } };
    const first = await taken(
      { name: 'compile', stage: 'build', definition: { artifacts } },
      { name: 'unit', stageIndex: 1, status: 'created', coverageRegex: 'Covered: (\\d+\\.\\d+)%' },
    );
    const begun = await update(first, { state: 'running', output: {} });
    expect([begun.status, begun.get('job-status')]).toEqual([200, 'running']);

    const log = '2026-11-21T22:43:49.133424Z 00O \u001b[0KRunning\u001b[0;m\n';
    const one = await piece(first, log, 0);
    expect([one.status, one.get('range'), one.get('job-status')]).toEqual([
      202,
      `0-${log.length}`,
      'running',
    ]);

    const archive = 'artifact_format=zip&artifact_type=archive&expire_in=1+week';
    const junit = 'artifact_format=gzip&artifact_type=junit&expire_in=1+week';
    expect(await upload(first, archive, ARCHIVE, 'compile-master.zip')).toBe(201);
    expect(await upload(first, junit, Buffer.from('gz'), 'junit.xml.gz')).toBe(201);
    expect((await piece(first, 'Job succeeded\n', log.length)).status).toBe(202);

    const checksum = 'crc32:bff207e3';
    const output = { checksum, bytesize: log.length + 14 };
    const ended = await update(first, { state: 'success', checksum, output });
    expect([ended.status, ended.get('job-status')]).toEqual([200, 'success']);

    const { body: second } = await ask();
    expect(second.dependencies).toEqual([
      expect.objectContaining({ id: first.id, token: second.token, name: 'compile' }),
    ]);
    const got = await api()
      .with({ 'job-token': second.token })
      .get(`/jobs/${first.id}/artifacts?direct_download=true`);
    expect([got.status, got.body]).toEqual([200, ARCHIVE]);
    await piece(second, '2026-11-21T22:43:53.068266Z 01O Covered: 87.50%\n', 0);
    await update(second, { state: 'success', checksum, output });

    expect((await about(first.id)).body).toMatchObject({
      status: 'success',
      artifacts_file: { filename: 'compile-master.zip' },
      artifacts: [{ file_type: 'archive' }, { file_type: 'junit' }, { file_type: 'trace' }],
    });
    expect((await about(second.id)).body).toMatchObject({ status: 'success', coverage: 87.5 });
  });

  it('stops a canceled job at its next word, and what it says afterwards changes nothing', async () => {
    const job = await taken({});
    await piece(job, 'started\n', 0);
    await app.current.as(owner).post(`/projects/${project.id}/jobs/${job.id}/cancel`);
    const output = { checksum: 'crc32:ba032ef1', bytesize: 8 };
    const words = [
      await update(job, { state: 'running', checksum: output.checksum, output }),
      await piece(job, 'Job failed: canceled\n', 8),
      await update(job, { state: 'failed', failure_reason: 'unknown_failure', output }),
    ];
    expect(words.map(({ status, headers }) => [status, headers['job-status']])).toEqual([
      [403, 'canceled'],
      [403, 'canceled'],
      [403, 'canceled'],
    ]);
    expect((await about(job.id)).body.status).toBe('canceled');
    expect((await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}/trace`)).text).toBe(
      'started\n',
    );
  });

  it('goes on where the log ends when an answer got lost on the way', async () => {
    const job = await taken({});
    await piece(job, 'tick 1\n', 0);
    const more = await piece(job, 'tick 1\ntick 2\n', 0);
    expect([more.status, more.get('range')]).toEqual([416, '0-7']);
    expect((await piece(job, 'tick 2\n', 7)).get('range')).toBe('0-14');
    expect((await piece(job, 'tick 2\n', 7)).get('range')).toBe('0-14');
    await update(job, { state: 'success' });
    expect((await app.current.as(owner).get(`/projects/${project.id}/jobs/${job.id}/trace`)).text).toBe(
      'tick 1\ntick 2\n',
    );
  });

  it.each([
    ['post', '/runners/reset_authentication_token', { token: 'own' }],
    ['delete', '/runners/managers', { token: 'own', system_id: 's_1746f8786189' }],
    ['post', '/user/runners', { runner_type: 'instance_type' }],
    ['post', '/runners/verify', { token: 'glrt-abcdefghijklmnopqrst', info: INFO }],
  ] as const)('is clearly refused what later releases brought: %s %s', async (method, path, body) => {
    const words = 'token' in body && body.token === 'own' ? { ...body, token } : body;
    const { status } = await app.current.as(owner)[method](path, words);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect((await api().post('/runners/verify', { token })).status).toBe(200);
  });
});
