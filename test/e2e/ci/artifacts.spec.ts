import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { until } from '#libs/testing';
import { ExpireArtifacts } from '../../../src/ci/artifacts/expired-artifacts.job';
import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline, type JobSetup } from '../../support/ci-jobs';
import { RunnerClient, type GivenJob } from '../../support/runner-client';
import { zipOf } from '../../support/zip-file';

const app = useApplication({ ARTIFACT_LIMIT_MB: '1' });
const ARCHIVE = zipOf([
  { name: 'index.html', content: '<script>alert(1)</script>' },
  { name: 'logs/a b.txt', content: 'a log' },
  { name: 'bomb', content: 'x', claimedSize: 1 << 30 },
]);

describe('what jobs leave behind', () => {
  let owner: BuiltUser;
  let project: BuiltProject;
  let runner: RunnerClient;

  const as = (user: { token: string } = owner) => app.current.as(user);
  const at = (job: { id: number }): string => `/projects/${project.id}/jobs/${job.id}`;

  const taken = async (setup: JobSetup = {}): Promise<GivenJob> => {
    await buildJobs(app.current, await buildPipeline(app.current, project, owner), [setup]);
    return runner.take();
  };

  const finished = async (setup: JobSetup = {}, archive = ARCHIVE): Promise<GivenJob> => {
    const job = await taken(setup);
    expect((await runner.upload(job, archive)).status).toBe(201);
    await runner.log(job, 'log');
    await runner.report(job, 'success');
    return job;
  };

  const filesOf = async (job: { id: number }): Promise<string[]> => {
    const { rows } = await app.current.database.query<{ disk_path: string }>(
      'SELECT disk_path FROM projects WHERE id = $1',
      [project.id],
    );
    const folder = path.join(
      app.current.settings.uploadsDir,
      rows[0]?.disk_path ?? '',
      'jobs',
      String(job.id),
    );
    return fs.readdir(folder).catch(() => []);
  };

  /** The status for an upload of which no more than the beginning is ever sent. */
  const begun = (job: number | string, headers: Readonly<Record<string, string>>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const path = String(job).includes('/') ? job : `${job}/artifacts`;
      const request = http.request(`${app.current.url}/api/v4/jobs/${path}`, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
      });
      request.once('error', reject);
      request.once('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nPK');
    });

  beforeAll(async () => {
    const { build, nest, api } = app.current;
    owner = await build.user();
    project = await build.project({ owner, files: { 'README.md': 'text' } });
    runner = await RunnerClient.register(api, { token: nest.get(RunnersTokens).for('project', project.id) });
  });

  describe('POST /jobs/:job_id/artifacts', () => {
    it('keeps a file, shows it with its job, and takes it a second time', async () => {
      const job = await taken();
      expect((await runner.upload(job, ARCHIVE, { expire_in: '1 day' })).status).toBe(201);
      expect((await runner.upload(job, ARCHIVE, { expire_in: '1 day' })).status).toBe(201);
      expect((await runner.upload(job, Buffer.from('another'))).status).toBe(400);
      const { body } = await as().get(at(job));
      expect(body).toMatchObject({
        artifacts_file: { filename: 'artifacts.zip', size: ARCHIVE.length },
        artifacts: [
          { file_type: 'archive', size: ARCHIVE.length, filename: 'artifacts.zip', file_format: 'zip' },
        ],
      });
      const days = (Date.parse(body.artifacts_expire_at) - Date.now()) / 86_400_000;
      expect(days).toBeCloseTo(1, 2);
      expect(await filesOf(job)).toHaveLength(1);
      await runner.report(job, 'success');
    });

    it('keeps a file of each kind', async () => {
      const job = await taken();
      const report = { artifact_type: 'junit', artifact_format: 'gzip' };
      expect((await runner.upload(job, Buffer.from('gz'), report)).status).toBe(201);
      expect((await runner.upload(job, ARCHIVE)).status).toBe(201);
      await runner.report(job, 'success');
      const { body } = await as().get(at(job));
      expect(body.artifacts.map(({ file_type: type }: { file_type: string }) => type)).toEqual([
        'junit',
        'archive',
      ]);
    });

    it('refuses what is too large, of no kind, in no format, or no file', async () => {
      const job = await taken();
      expect((await runner.upload(job, Buffer.alloc(1024 * 1024 + 1))).status).toBe(413);
      expect((await runner.upload(job, ARCHIVE, { artifact_type: 'secrets' })).status).toBe(400);
      expect((await runner.upload(job, ARCHIVE, { artifact_format: 'gzip' })).status).toBe(400);
      expect((await runner.upload(job, ARCHIVE, { artifact_type: 'constructor' })).status).toBe(400);
      const shown = app.current.api.with({ 'job-token': job.token });
      expect((await shown.post(`/jobs/${job.id}/artifacts`, { file: 'text' })).status).toBe(400);
      expect(
        (await app.current.api.post(`/jobs/${job.id}/artifacts`).attach('file', ARCHIVE, 'a')).status,
      ).toBe(403);
      expect(await filesOf(job)).toEqual([]);
      await runner.report(job, 'success');
    });

    it('answers strangers, and whoever brings too much, before the file has come', async () => {
      const job = await taken();
      const other = await taken();
      const large = { 'content-length': String(3 * 1024 * 1024) };
      const statuses = [
        await begun(job.id, {}),
        await begun(job.id, { 'job-token': other.token }),
        await begun(job.id, { 'job-token': 'x'.repeat(40) }),
        await begun(999_999, { 'job-token': job.token }),
        await begun('9'.repeat(30), { 'job-token': job.token }),
        await begun(job.id, { 'job-token': job.token, ...large }),
        await begun(`${job.id}/artifacts?token=${other.token}&x=`, {}),
        await begun(`${job.id}/artifacts?token=${job.token}&x=`, large),
      ];
      expect(statuses).toEqual([403, 403, 403, 404, 404, 413, 403, 413]);
      await runner.report(other, 'success');
      expect(await begun(other.id, { 'job-token': other.token })).toBe(403);
      await runner.report(job, 'success');
    });

    it('takes a name without what is no text, from its end where it is too long', async () => {
      const job = await taken();
      const shown = app.current.api.with({ 'job-token': job.token });
      const request = shown.post(`/jobs/${job.id}/artifacts`);
      const { status } = await request.attach('file', ARCHIVE, `a\u0000b\u0001${'😀'.repeat(300)}`);
      expect(status).toBe(201);
      const download = await shown.get(`/jobs/${job.id}/artifacts`);
      expect([download.status, download.get('content-disposition')]).toEqual([200, expect.any(String)]);
      expect((await as().get(at(job))).body.artifacts_file.filename).toBe('😀'.repeat(255));
      await runner.report(job, 'success');
    });

    it('takes any name for a name and nothing else', async () => {
      const job = await taken();
      const { status } = await app.current.api
        .with({ 'job-token': job.token })
        .post(`/jobs/${job.id}/artifacts`)
        .attach('file', ARCHIVE, '../../../etc/"passwd\r\n');
      expect(status).toBe(201);
      await runner.report(job, 'success');
      const { headers } = await as().get(`${at(job)}/artifacts`);
      expect(headers['content-disposition']).not.toMatch(/[/\\\r\n]/);
    });
  });

  it('POST /jobs/:job_id/artifacts/authorize tells beforehand whether a file would be taken', async () => {
    const job = await taken();
    const shown = app.current.api.with({ 'job-token': job.token });
    const ask = (filesize: number) => shown.post(`/jobs/${job.id}/artifacts/authorize`, { filesize });
    expect([(await ask(10)).status, (await ask(1024 * 1024 + 1)).status]).toEqual([200, 413]);
    await runner.report(job, 'success');
    expect((await ask(10)).status).toBe(403);
  });

  it('GET /jobs/:job_id/artifacts gives runners what a job before theirs has left, while they run', async () => {
    const pipelineId = await buildPipeline(app.current, project, owner);
    await buildJobs(app.current, pipelineId, [{}, { stageIndex: 1, status: 'created', name: 'later' }]);
    const first = await runner.take();
    await runner.upload(first, ARCHIVE);
    await runner.report(first, 'success');
    const later = await runner.take();
    const stranger = await taken();
    const get = (token: string) =>
      app.current.api
        .with({ 'job-token': token })
        .get(`/jobs/${first.id}/artifacts?direct_download=true`)
        .buffer();
    const response = await get(later.token);
    expect([response.status, response.headers['content-length']]).toEqual([200, String(ARCHIVE.length)]);
    for (const token of [first.token, stranger.token, 'x']) expect((await get(token)).status).toBe(403);
    await runner.report(later, 'success');
    expect((await get(later.token)).status).toBe(403);
    await runner.report(stranger, 'success');
  });

  describe('GET /projects/:id/jobs/:job_id/artifacts', () => {
    it('gives the archive to be saved, and HEAD without it', async () => {
      const job = await finished();
      const { status, headers, body } = await as()
        .get(`${at(job)}/artifacts`)
        .responseType('blob');
      expect([status, body]).toEqual([200, ARCHIVE]);
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining('attachment; filename="artifacts.zip"'),
        'x-content-type-options': 'nosniff',
      });
      const head = await as().head(`${at(job)}/artifacts`);
      expect([head.status, head.headers['content-length']]).toEqual([200, String(ARCHIVE.length)]);
      const none = await taken();
      expect((await as().get(`${at(none)}/artifacts`)).status).toBe(404);
      await runner.report(none, 'success');
    });

    it('is open to whom the jobs are', async () => {
      const { build, database } = app.current;
      const job = await finished();
      const [guest, stranger] = [await build.user(), await build.user()];
      await build.member('project', project.id, guest, 'guest');
      const statuses = async () => [
        (await app.current.api.get(`${at(job)}/artifacts`)).status,
        (await as(stranger).get(`${at(job)}/artifacts`)).status,
        (await as(guest).get(`${at(job)}/artifacts`)).status,
      ];
      const set = (columns: string) =>
        database.query(`UPDATE projects SET ${columns} WHERE id = $1`, [project.id]);
      expect(await statuses()).toEqual([404, 404, 200]);
      await set('public_jobs = false');
      expect(await statuses()).toEqual([404, 404, 403]);
      await set(`visibility = 'public'`);
      expect(await statuses()).toEqual([401, 403, 403]);
      await set('public_jobs = true');
      expect(await statuses()).toEqual([200, 200, 200]);
      await set(`visibility = 'private'`);
    });

    it('takes the token of a job, as long as that runs', async () => {
      const job = await finished();
      const reader = await taken();
      const get = () => app.current.api.with({ 'job-token': reader.token }).get(`${at(job)}/artifacts`);
      expect((await get()).status).toBe(200);
      await runner.report(reader, 'success');
      expect((await get()).status).toBe(401);
    });
  });

  describe('GET /projects/:id/jobs/:job_id/artifacts/*artifact_path', () => {
    it('gives one file, which no browser runs', async () => {
      const job = await finished();
      const page = await as()
        .get(`${at(job)}/artifacts/index.html`)
        .responseType('blob');
      expect([page.status, String(page.body)]).toEqual([200, '<script>alert(1)</script>']);
      expect(page.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining('attachment'),
        'x-content-type-options': 'nosniff',
      });
      const log = await as().get(`${at(job)}/artifacts/logs/a%20b.txt`);
      expect([log.status, log.text, log.headers['content-type']]).toEqual([
        200,
        'a log',
        'text/plain; charset=utf-8',
      ]);
    });

    it('has no other files, whatever the path', async () => {
      const job = await finished();
      for (const file of ['none', 'logs', 'logs/', 'bomb/x']) {
        expect([400, 404]).toContain((await as().get(`${at(job)}/artifacts/${file}`)).status);
      }
      for (const file of [
        '..%2f..%2ftrace',
        'logs%2f..%2findex.html',
        '%2e%2e',
        'a%00b',
        '%2fetc%2fpasswd',
      ]) {
        expect((await as().get(`${at(job)}/artifacts/${file}`)).status).toBe(400);
      }
    });

    it('survives archives that lie, lead outside, or are none', async () => {
      const evil = await finished({}, zipOf([{ name: '../../up', content: 'x' }]));
      expect((await as().get(`${at(evil)}/artifacts/up`)).status).toBe(404);
      const none = await finished({}, Buffer.from('no archive'));
      expect((await as().get(`${at(none)}/artifacts/up`)).status).toBe(404);
      const liar = await finished({}, zipOf([{ name: 'bomb', content: 'x', claimedSize: 1 << 30 }]));
      expect([404, 413]).toContain((await as().get(`${at(liar)}/artifacts/bomb`)).status);
    });
  });

  it('GET /projects/:id/jobs/:job_id/artifacts/*artifact_path unpacks, as far as the archive tells the truth', async () => {
    const content = 'much the same '.repeat(10_000);
    const packed = zipOf([
      { name: 'long.txt', content, deflated: true },
      { name: 'empty.txt', content: '', deflated: true },
      { name: 'more', content, deflated: true, claimedSize: 10 },
      { name: 'less', content: 'x', deflated: true, claimedSize: 10 },
    ]);
    expect(packed.length).toBeLessThan(content.length / 10);
    const job = await finished({}, packed);
    const long = await as().get(`${at(job)}/artifacts/long.txt`);
    expect([long.status, long.get('content-length'), long.text === content]).toEqual([
      200,
      String(content.length),
      true,
    ]);
    const empty = await as().get(`${at(job)}/artifacts/empty.txt`);
    expect([empty.status, empty.text]).toEqual([200, '']);
    for (const name of ['more', 'less']) {
      const answer = await as()
        .get(`${at(job)}/artifacts/${name}`)
        .catch(() => null);
      expect([name, answer?.status ?? 'cut off']).not.toEqual([name, 200]);
    }
  });

  it('GET /projects/:id/jobs/artifacts/:ref_name/download gives the newest of a ref that succeeded', async () => {
    const old = await finished({ name: 'pack' });
    const job = await finished({ name: 'pack' }, zipOf([{ name: 'new', content: 'new' }]));
    const broken = await taken({ name: 'pack' });
    await runner.upload(broken, ARCHIVE);
    await runner.report(broken, 'failed');
    const get = (ref: string, name: string) =>
      as().get(`/projects/${project.id}/jobs/artifacts/${ref}/download?job=${name}`).responseType('blob');
    const { status, body } = await get('master', 'pack');
    expect([status, body]).toEqual([200, zipOf([{ name: 'new', content: 'new' }])]);
    expect(old.id).toBeLessThan(job.id);
    expect((await get('master', 'other')).status).toBe(404);
    expect((await get('none', 'pack')).status).toBe(404);
    expect((await as().get(`/projects/${project.id}/jobs/artifacts/master/download`)).status).toBe(400);
  });

  it('GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path gives one file of it', async () => {
    await finished({ name: 'raw' });
    const base = `/projects/${project.id}/jobs/artifacts/master/raw`;
    expect((await as().get(`${base}/logs/a%20b.txt?job=raw`)).text).toBe('a log');
    expect((await as().get(`${base}/none?job=raw`)).status).toBe(404);
    expect((await as().get(`${base}/..%2fnone?job=raw`)).status).toBe(400);
  });

  describe('DELETE /projects/:id/jobs/:job_id/artifacts', () => {
    it('takes artifacts away and leaves the log, for maintainers', async () => {
      const { build } = app.current;
      const job = await finished();
      const developer = await build.user();
      await build.member('project', project.id, developer, 'developer');
      expect((await as(developer).delete(`${at(job)}/artifacts`)).status).toBe(403);
      expect((await app.current.api.delete(`${at(job)}/artifacts`)).status).toBe(401);
      expect((await as().delete(`${at(job)}/artifacts`)).status).toBe(204);
      expect((await as().get(`${at(job)}/artifacts`)).status).toBe(404);
      await until(async () => (await filesOf(job)).join() === 'trace');
      expect((await as().delete(`${at(job)}/artifacts`)).status).toBe(204);
    });
  });

  it('POST /projects/:id/jobs/:job_id/artifacts/keep has them stay', async () => {
    const job = await taken();
    await runner.upload(job, ARCHIVE, { expire_in: '1 day' });
    await runner.report(job, 'success');
    const { status, body } = await as().post(`${at(job)}/artifacts/keep`);
    expect([status, body.artifacts_expire_at]).toEqual([200, null]);
    const none = await taken();
    await runner.report(none, 'success');
    expect((await as().post(`${at(none)}/artifacts/keep`)).status).toBe(404);
  });

  it('they count for what their project takes up, however they come and go', async () => {
    const own = await app.current.build.project({ owner, files: { 'README.md': 'text' } });
    const registration = { token: app.current.nest.get(RunnersTokens).for('project', own.id) };
    const itsRunner = await RunnerClient.register(app.current.api, registration);
    const pipeline = await buildPipeline(app.current, own, owner);
    let made = 0;
    const given = async (): Promise<GivenJob> => {
      await buildJobs(app.current, pipeline, [{ name: `job ${(made += 1)}` }]);
      return itsRunner.take();
    };
    const size = async (): Promise<number> => {
      const { body } = await as().get(`/projects/${own.id}?statistics=true`);
      const {
        storage_size: all,
        repository_size: repository,
        job_artifacts_size: artifacts,
      } = body.statistics;
      expect(all).toBe(repository + artifacts);
      return artifacts;
    };
    const jobs = [await given(), await given(), await given(), await given()];
    const uploads = jobs.flatMap((job) => [itsRunner.upload(job, ARCHIVE), itsRunner.upload(job, ARCHIVE)]);
    await Promise.all(uploads);
    expect(await size()).toBe(4 * ARCHIVE.length);
    const others = jobs.map((job) => itsRunner.upload(job, zipOf([])));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await size()).toBe(4 * ARCHIVE.length);

    for (const job of jobs) await itsRunner.report(job, 'success');
    const [removed, erased, expired] = jobs;
    const path = `/projects/${own.id}/jobs`;
    const twice = [1, 2].map(() => as().delete(`${path}/${removed?.id}/artifacts`));
    await Promise.all(twice);
    expect(await size()).toBe(3 * ARCHIVE.length);
    expect((await as().post(`${path}/${erased?.id}/erase`)).status).toBe(201);
    expect(await size()).toBe(2 * ARCHIVE.length);
    await app.current.database.query('UPDATE job_artifacts SET expire_at = now() WHERE job_id = $1', [
      expired?.id,
    ]);
    const { signal } = new AbortController();
    await Promise.all([1, 2].map(() => app.current.nest.get(ExpireArtifacts).run({}, { signal })));
    expect(await size()).toBe(ARCHIVE.length);
    expect((await as().delete(`/projects/${own.id}/pipelines/${pipeline}`)).status).toBe(204);
    expect(await size()).toBe(0);
  });

  it('they are gone for everybody when their time is up, and from the disk soon after', async () => {
    const job = await taken();
    await runner.upload(job, ARCHIVE, { expire_in: '1 day' });
    await runner.report(job, 'success');
    const past = `now() - interval '1 second'`;
    await app.current.database.query(`UPDATE job_artifacts SET expire_at = ${past} WHERE job_id = $1`, [
      job.id,
    ]);
    expect((await as().get(`${at(job)}/artifacts`)).status).toBe(404);
    expect((await as().get(at(job))).body.artifacts).toEqual([]);
    await app.current.nest.get(ExpireArtifacts).run({}, { signal: new AbortController().signal });
    await until(async () => (await filesOf(job)).length === 0);
  });
});
