import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { until } from '#libs/testing';
import { CopyFork } from '../../../src/repository/forks/fork-copy.job';
import { UpdateFromRemote } from '../../../src/repository/mirrors/remote-update.job';
import { RemotesRepository } from '../../../src/repository/mirrors/remotes.repository';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let owner: BuiltUser;
beforeAll(async () => {
  owner = await app.current.build.user();
});

const signal = new AbortController().signal;
const remoteOf = async (id: number) => {
  const { rows } = await app.current.database.query('SELECT * FROM project_remotes WHERE project_id = $1', [
    id,
  ]);
  return rows[0];
};
const projectOf = async (id: number) => (await app.current.as(owner).get(`/projects/${id}`)).body;
const isOver = (id: number) =>
  until(async () => ['finished', 'failed'].includes((await projectOf(id)).import_status));

/** A mirror whose first update has come to its end. */
async function mirror(): Promise<number> {
  const upstream = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
  const importUrl = `${app.current.url}/${upstream.fullPath}.git`;
  const { body } = await app.current
    .as(owner)
    .post('/projects', { name: `m${upstream.id}`, import_url: importUrl, mirror: true })
    .expect(201);
  await isOver(body.id);
  return body.id;
}

/** A git server that answers when it is told to. */
async function slowUpstream() {
  let asked = 0;
  let answer: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (answer = resolve));
  const server = createServer((_request, response) => {
    asked += 1;
    void told.then(() => response.writeHead(404).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const url = `http://127.0.0.1:${address.port}/x.git`;
  return { url, isAsked: () => asked > 0, answer, close: () => server.close() };
}

describe('the updates of one project', () => {
  it('run one at a time, and go on with the next attempt of a job whose process died', async () => {
    const projectId = await mirror();
    const remotes = app.current.nest.get(RemotesRepository);
    const [dead, other] = [randomUUID(), randomUUID()];
    expect(await remotes.claim({ projectId, id: dead })).not.toBeNull();
    expect(await remotes.claim({ projectId, id: other })).toBeNull();
    expect(await remotes.claim({ projectId, id: dead })).not.toBeNull();

    const job = { id: other, attempt: 1, isLastAttempt: false, signal };
    await app.current.nest.get(UpdateFromRemote).run({ projectId }, job);
    expect(await remoteOf(projectId)).toMatchObject({ runner: dead });
    await app.current.nest.get(UpdateFromRemote).run({ projectId }, { ...job, id: dead, attempt: 2 });
    expect(await remoteOf(projectId)).toMatchObject({ runner: null, retry_count: 0 });

    await remotes.claim({ projectId, id: dead });
    await app.current.database.query('UPDATE project_remotes SET runs_until = now() WHERE project_id = $1', [
      projectId,
    ]);
    expect(await remotes.claim({ projectId, id: other })).not.toBeNull();
    await remotes.finish({ projectId, id: dead }, { error: 'late', retryCount: 1, nextUpdateAt: null });
    expect(await remoteOf(projectId)).toMatchObject({ runner: other, retry_count: 0 });
  });

  it('begin anew with a new URL, and what came from the old one is told to nobody', async () => {
    const upstream = await slowUpstream();
    const { body } = await app.current
      .as(owner)
      .post('/projects', { name: 'changed', import_url: upstream.url, mirror: true })
      .expect(201);
    await until(upstream.isAsked);
    expect(await projectOf(body.id)).toMatchObject({ import_status: 'started' });
    const source = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
    const importUrl = `${app.current.url}/${source.fullPath}.git`;
    await app.current.as(owner).put(`/projects/${body.id}`, { import_url: importUrl }).expect(200);
    await isOver(body.id);
    upstream.answer();
    expect(await projectOf(body.id)).toMatchObject({ import_status: 'finished', default_branch: 'master' });
    await until(async () => {
      const { rows } = await app.current.database.query(
        `SELECT 1 FROM pgboss.job WHERE name = 'repository.update_from_remote' AND state IN ('active', 'created')`,
      );
      return rows.length === 0;
    });
    expect(await projectOf(body.id)).toMatchObject({ import_status: 'finished', import_error: null });
    upstream.close();
  });

  it('come to their end where the project is no mirror any more and has another URL', async () => {
    const projectId = await mirror();
    const remotes = app.current.nest.get(RemotesRepository);
    await remotes.claim({ projectId, id: randomUUID() });
    expect(await projectOf(projectId)).toMatchObject({ import_status: 'started' });
    const change = { mirror: false, import_url: `${app.current.url}/other/place.git` };
    await app.current.as(owner).put(`/projects/${projectId}`, change).expect(200);
    expect(await projectOf(projectId)).toMatchObject({ import_status: 'finished', mirror: false });
    expect(await remoteOf(projectId)).toMatchObject({ runner: null, next_update_at: null });
  });

  it('do not begin in a fork that has not got its branches yet', async () => {
    const source = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
    const { body: fork } = await app.current.as(owner).post(`/projects/${source.id}/fork`).expect(201);
    await isOver(fork.id);
    await app.current.database.query(`UPDATE projects SET import_status = 'started' WHERE id = $1`, [
      fork.id,
    ]);
    const put = (body: object) => app.current.as(owner).put(`/projects/${fork.id}`, body);
    const importUrl = `${app.current.url}/${source.fullPath}.git`;
    const refused = [400, { message: { mirror: ['cannot be turned on while the project is being forked'] } }];
    const atOnce = await put({ mirror: true, import_url: importUrl });
    expect([atOnce.status, atOnce.body]).toEqual(refused);
    await put({ import_url: importUrl }).expect(200);
    const later = await put({ mirror: true });
    expect([later.status, later.body]).toEqual(refused);
    await put({ import_url: null }).expect(200);
    expect(await projectOf(fork.id)).toMatchObject({ import_status: 'started', mirror: false });
    await app.current.nest
      .get(CopyFork)
      .run(
        { projectId: fork.id, sourceId: source.id },
        { id: randomUUID(), attempt: 1, isLastAttempt: false, signal },
      );
    await put({ mirror: true, import_url: importUrl }).expect(200);
    await isOver(fork.id);
  });

  it('end where the URL is taken away', async () => {
    const upstream = await slowUpstream();
    const { body } = await app.current
      .as(owner)
      .post('/projects', { name: 'taken away', import_url: upstream.url })
      .expect(201);
    await until(upstream.isAsked);
    await app.current.as(owner).put(`/projects/${body.id}`, { import_url: null }).expect(200);
    upstream.answer();
    expect(await projectOf(body.id)).toMatchObject({ import_status: 'none' });
    expect(await remoteOf(body.id)).toBeUndefined();
    upstream.close();
  });
});
