import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { buildJobs, buildPipeline } from '../../support/ci-jobs';
import { RunnerClient } from '../../support/runner-client';

const RUNNERS_TOKEN = 'token-of-all-runners-here';
const app = useApplication({ RUNNERS_TOKEN });

describe('runners', () => {
  let owner: BuiltUser;
  let admin: BuiltUser;
  let developer: BuiltUser;
  let stranger: BuiltUser;
  let project: BuiltProject;
  let second: BuiltProject;
  let own: RunnerClient;
  let shared: RunnerClient;
  let ofGroup: RunnerClient;

  const as = (user: { token: string } = owner) => app.current.as(user);
  const idsOf = async (url: string, user = owner): Promise<number[]> => {
    const { status, body } = await as(user).get(url);
    expect(status).toBe(200);
    return body.map(({ id }: { id: number }) => id);
  };
  const register = (kind: 'group' | 'project', id: number, extra: object = {}) =>
    RunnerClient.register(app.current.api, {
      token: app.current.nest.get(RunnersTokens).for(kind, id),
      ...extra,
    });

  beforeAll(async () => {
    const { build, api } = app.current;
    [owner, admin, developer, stranger] = [
      await build.user(),
      await build.user({ admin: true }),
      await build.user(),
      await build.user(),
    ];
    const group = await build.group({ members: { owner } });
    project = await build.project({ namespace: group, members: { developer }, files: { a: '' } });
    second = await build.project({ owner });
    own = await register('project', project.id, { tag_list: 'ruby,linux' });
    shared = await RunnerClient.register(api, { token: RUNNERS_TOKEN });
    ofGroup = await register('group', group.id);
  });

  describe('GET /runners', () => {
    it('shows those that the caller looks after', async () => {
      expect(await idsOf('/runners')).toEqual([ofGroup.id, own.id]);
      expect(await idsOf('/runners', developer)).toEqual([]);
      expect(await idsOf('/runners', stranger)).toEqual([]);
      expect((await app.current.api.get('/runners')).status).toBe(401);
      const { body } = await as().get('/runners?type=project_type');
      expect(body).toEqual([
        {
          id: own.id,
          description: expect.stringMatching(/^runner /),
          ip_address: expect.any(String),
          active: true,
          is_shared: false,
          name: 'gitlab-runner',
          online: null,
          status: 'not_connected',
        },
      ]);
    });

    it('filters by type, status, tags and the older scope', async () => {
      expect(await idsOf('/runners?type=group_type')).toEqual([ofGroup.id]);
      expect(await idsOf('/runners?tag_list=ruby,linux')).toEqual([own.id]);
      expect(await idsOf('/runners?tag_list[]=ruby&tag_list[]=go')).toEqual([]);
      expect(await idsOf('/runners?scope=specific')).toEqual([own.id]);
      expect(await idsOf('/runners?scope=shared')).toEqual([]);
      expect(await idsOf('/runners?status=paused')).toEqual([]);
      expect(await idsOf('/runners?status=active')).toEqual([ofGroup.id, own.id]);
      expect(await idsOf('/runners?status=offline&per_page=1')).toEqual([ofGroup.id]);
      expect(await idsOf('/runners?scope=online')).toEqual([]);
      for (const query of ['scope=x', 'type=x', 'status=x', 'type[]=group_type'])
        expect((await as().get(`/runners?${query}`)).status).toBe(400);
    });
  });

  it('GET /runners/all shows administrators all of them', async () => {
    expect(await idsOf('/runners/all', admin)).toEqual(
      expect.arrayContaining([own.id, shared.id, ofGroup.id]),
    );
    expect(await idsOf('/runners/all?type=instance_type', admin)).toEqual([shared.id]);
    expect((await as().get('/runners/all')).status).toBe(403);
    expect((await app.current.api.get('/runners/all')).status).toBe(401);
    expect((await as(admin).head('/runners/all?per_page=1')).headers['x-total']).toBeDefined();
  });

  it('GET /runners/:id shows one with whom it serves, as far as the caller sees them, and no token', async () => {
    const { status, body } = await as().get(`/runners/${own.id}`);
    expect([status, body]).toEqual([
      200,
      {
        id: own.id,
        description: expect.any(String),
        ip_address: expect.any(String),
        active: true,
        is_shared: false,
        name: 'gitlab-runner',
        online: null,
        status: 'not_connected',
        tag_list: ['ruby', 'linux'],
        run_untagged: true,
        locked: false,
        maximum_timeout: null,
        access_level: 'not_protected',
        version: '12.4.1',
        revision: '05161b14',
        platform: 'linux',
        architecture: 'amd64',
        contacted_at: null,
        projects: [
          expect.objectContaining({
            id: project.id,
            path: project.path,
            path_with_namespace: project.fullPath,
          }),
        ],
        groups: [],
      },
    ]);
    expect((await as(stranger).get(`/runners/${shared.id}`)).body.is_shared).toBe(true);
    expect((await as().get(`/runners/${ofGroup.id}`)).body.groups).toHaveLength(1);
    for (const user of [developer, stranger])
      expect((await as(user).get(`/runners/${own.id}`)).body.message).toBe(
        '403 Forbidden - No access granted',
      );
    expect((await as().get('/runners/999999')).body.message).toBe('404 Runner Not Found');
    expect((await app.current.api.get(`/runners/${own.id}`)).status).toBe(401);
  });

  describe('PUT /runners/:id', () => {
    it('changes what is given, and nothing else', async () => {
      const runner = await register('project', project.id);
      const given = {
        description: 'new',
        active: false,
        tag_list: ['a', 'b'],
        run_untagged: false,
        locked: true,
        access_level: 'ref_protected',
        maximum_timeout: 1200,
      };
      const { status, body } = await as().put(`/runners/${runner.id}`, {
        ...given,
        kind: 'instance',
        token: 'x',
      });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ ...given, is_shared: false, status: 'paused' }),
      ]);
      const less = await as().put(`/runners/${runner.id}`, { maximum_timeout: null });
      expect(less.body).toMatchObject({ ...given, maximum_timeout: null });
      await as().delete(`/runners/${runner.id}`);
    });

    it('refuses nonsense, and whoever does not look after it', async () => {
      for (const given of [
        {},
        { maximum_timeout: 10 },
        { tag_list: [], run_untagged: false },
        { access_level: 'x' },
        { description: ['a'] },
      ])
        expect((await as().put(`/runners/${own.id}`, given)).status).toBe(400);
      const put = async (user: BuiltUser, id: number) =>
        (await as(user).put(`/runners/${id}`, { active: true })).status;
      expect([
        await put(developer, own.id),
        await put(owner, shared.id),
        await put(admin, shared.id),
      ]).toEqual([403, 403, 200]);
      expect((await as().put('/runners/999999', { active: true })).status).toBe(404);
    });
  });

  it('DELETE /runners/:id is for who looks after one that serves no second project', async () => {
    const runner = await register('project', project.id);
    await as(admin).post(`/projects/${second.id}/runners`, { runner_id: runner.id });
    expect((await as().delete(`/runners/${runner.id}`)).body.message).toBe(
      '403 Forbidden - Runner associated with more than one project',
    );
    for (const user of [developer, stranger])
      expect((await as(user).delete(`/runners/${runner.id}`)).status).toBe(403);
    expect((await as().delete(`/runners/${shared.id}`)).status).toBe(403);
    expect((await as(admin).delete(`/runners/${runner.id}`)).status).toBe(204);
    expect((await as(admin).delete(`/runners/${runner.id}`)).status).toBe(404);
    expect((await app.current.api.post('/runners/verify', { token: runner.token })).status).toBe(403);
  });

  it('GET /runners/:id/jobs shows what it has run, and in which project', async () => {
    const runner = await register('project', project.id);
    const ids = await buildJobs(app.current, await buildPipeline(app.current, project, owner), [{}, {}]);
    await runner.report(await runner.take(), 'success');
    await runner.report(await runner.take(), 'failed', 'script_failure');
    const { body } = await as().get(`/runners/${runner.id}/jobs`);
    expect(body.map(({ id }: { id: number }) => id)).toEqual([...ids].reverse());
    expect(body[0]).toMatchObject({
      status: 'failed',
      project: { id: project.id, path: project.path, path_with_namespace: project.fullPath },
    });
    expect(await idsOf(`/runners/${runner.id}/jobs?status=success&order_by=id&sort=asc`)).toEqual([ids[0]]);
    expect((await as().get(`/runners/${runner.id}/jobs?status=x`)).status).toBe(400);
    expect((await as(developer).get(`/runners/${runner.id}/jobs`)).status).toBe(403);
    expect((await as().get('/runners/999999/jobs')).status).toBe(404);
    await as().delete(`/runners/${runner.id}`);
  });

  it('GET /projects/:id/runners shows maintainers whom the project may be served by', async () => {
    expect(await idsOf(`/projects/${project.id}/runners`)).toEqual([ofGroup.id, shared.id, own.id]);
    expect(await idsOf(`/projects/${project.id}/runners?type=project_type`)).toEqual([own.id]);
    expect((await as(developer).get(`/projects/${project.id}/runners`)).status).toBe(403);
    expect((await as(stranger).get(`/projects/${project.id}/runners`)).status).toBe(404);
    expect((await app.current.api.get(`/projects/${project.id}/runners`)).status).toBe(401);
  });

  describe('POST /projects/:id/runners', () => {
    it('gives a runner to another project of the same people', async () => {
      const runner = await register('project', project.id);
      const enable = (user = owner, id = runner.id) =>
        as(user).post(`/projects/${second.id}/runners`, { runner_id: id });
      expect((await enable()).status).toBe(201);
      expect((await enable()).status).toBe(400);
      expect(await idsOf(`/projects/${second.id}/runners?type=project_type`)).toEqual([runner.id]);
      expect((await enable(owner, ofGroup.id)).body.message).toBe('403 Forbidden - Runner is a group runner');
      expect((await enable(owner, shared.id)).status).toBe(403);
      expect((await enable(owner, 999_999)).status).toBe(404);
      expect((await as().post(`/projects/${second.id}/runners`)).status).toBe(400);
      await as(admin).delete(`/runners/${runner.id}`);
    });

    it('gives no locked one, and none of others', async () => {
      const locked = await register('project', project.id, { locked: true });
      const url = `/projects/${second.id}/runners`;
      expect((await as().post(url, { runner_id: locked.id })).body.message).toBe(
        '403 Forbidden - Runner is locked',
      );
      const foreign = await register('project', (await app.current.build.project()).id);
      expect((await as().post(url, { runner_id: foreign.id })).status).toBe(403);
      expect((await as(admin).post(url, { runner_id: locked.id })).status).toBe(201);
      await as(admin).delete(`/runners/${locked.id}`);
    });

    it('makes one of the installation serve that project alone', async () => {
      const runner = await RunnerClient.register(app.current.api, { token: RUNNERS_TOKEN });
      await as(admin).post(`/projects/${second.id}/runners`, { runner_id: runner.id });
      expect((await as(admin).get(`/runners/${runner.id}`)).body).toMatchObject({
        is_shared: false,
        projects: [{ id: second.id }],
      });
      await as(admin).delete(`/runners/${runner.id}`);
    });
  });

  it('DELETE /projects/:id/runners/:runner_id takes a runner from a project, but not from its last', async () => {
    const runner = await register('project', project.id);
    await as(admin).post(`/projects/${second.id}/runners`, { runner_id: runner.id });
    const disable = (place: BuiltProject, user = owner) =>
      as(user).delete(`/projects/${place.id}/runners/${runner.id}`);
    expect((await disable(project, developer)).status).toBe(403);
    expect((await disable(second)).status).toBe(204);
    expect((await disable(second)).status).toBe(404);
    expect((await disable(project)).body.message).toBe(
      '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
    );
    expect((await as().get(`/runners/${runner.id}`)).body.projects).toHaveLength(1);
    await as().delete(`/runners/${runner.id}`);
  });
});
