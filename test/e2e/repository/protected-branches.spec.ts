import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let maintainer: BuiltUser;
let project: BuiltProject;
let path: string;
beforeEach(async () => {
  maintainer = await app.current.build.user();
  project = await app.current.build.project({ members: { maintainer }, files: { a: 'x' } });
  path = `/projects/${project.id}/protected_branches`;
});
const api = () => app.current.as(maintainer);
const one = (name: string) => `${path}/${encodeURIComponent(name)}`;

const level = (access_level: number, access_level_description: string) => ({
  access_level,
  access_level_description,
  user_id: null,
  group_id: null,
});
const MAINTAINERS = level(40, 'Maintainers');
const DEVELOPERS = level(30, 'Developers + Maintainers');
const NO_ONE = level(0, 'No one');

describe('GET /projects/:id/protected_branches', () => {
  it('lists the rules in the order in which they were made, in pages', async () => {
    for (const name of ['release/*', '*-stable', 'exact']) await api().post(path, { name });
    const first = await api().get(`${path}?per_page=3`);
    expect(first.status).toBe(200);
    expect(first.body.map((rule: { name: string }) => rule.name)).toEqual([
      'master',
      'release/*',
      '*-stable',
    ]);
    expect(first.body[0]).toEqual({
      name: 'master',
      push_access_levels: [MAINTAINERS],
      merge_access_levels: [MAINTAINERS],
    });
    expect(first.headers).toMatchObject({ 'x-total': '4', 'x-next-page': '2', 'x-total-pages': '2' });
    const second = await api().get(`${path}?per_page=3&page=2`);
    expect(second.body.map((rule: { name: string }) => rule.name)).toEqual(['exact']);
    const head = await api().head(`${path}?per_page=3`);
    expect([head.status, head.headers['x-total'], head.text]).toEqual([200, '4', undefined]);
  });

  it('is empty where nothing is protected', async () => {
    const empty = await app.current.build.project({ members: { maintainer } });
    const { status, body, headers } = await api().get(`/projects/${empty.id}/protected_branches`);
    expect([status, body, headers['x-total']]).toEqual([200, [], '0']);
  });
});

describe('GET /projects/:id/protected_branches/:name', () => {
  it.each(['release/*', 'feature/a.b', '*', 'v1.json', 'ünï', 'with space', '100%'])(
    'finds %s',
    async (name) => {
      await api().post(path, { name });
      const { status, body } = await api().get(one(name));
      expect([status, body.name]).toEqual([200, name]);
    },
  );

  it('takes a wildcard that is not encoded', async () => {
    await api().post(path, { name: 'release/*' });
    expect((await api().get(`${path}/release%2F*`)).body.name).toBe('release/*');
  });

  it('knows no other name, not even one that a wildcard covers', async () => {
    await api().post(path, { name: 'release/*' });
    for (const name of ['release/1', 'Master', 'release/']) {
      const { status, body } = await api().get(one(name));
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
  });
});

describe('POST /projects/:id/protected_branches', () => {
  it('protects for maintainers, and shows who may unprotect', async () => {
    const { status, body } = await api().post(path, { name: '*-stable' });
    expect([status, body]).toEqual([
      201,
      {
        name: '*-stable',
        push_access_levels: [MAINTAINERS],
        merge_access_levels: [MAINTAINERS],
        unprotect_access_levels: [MAINTAINERS],
      },
    ]);
    expect(Object.keys(body)).toEqual([
      ...['name', 'push_access_levels', 'merge_access_levels', 'unprotect_access_levels'],
    ]);
  });

  it('takes the three levels', async () => {
    const { status, body } = await api().post(path, {
      name: 'x',
      push_access_level: 0,
      merge_access_level: '30',
      unprotect_access_level: 60,
    });
    expect([status, body]).toEqual([
      201,
      {
        name: 'x',
        push_access_levels: [NO_ONE],
        merge_access_levels: [DEVELOPERS],
        unprotect_access_levels: [level(60, 'Instance admins')],
      },
    ]);
  });

  it('takes parameters from query and body, as gitbeaker sends them', async () => {
    const query = `push_access_level=30&allowed_to_push[][user_id]=${maintainer.id}&name=release%2F%2A`;
    const { status, body } = await api().post(`${path}?${query}`, {});
    expect([status, body.name]).toEqual([201, 'release/*']);
    expect(body.push_access_levels).toEqual([
      DEVELOPERS,
      {
        access_level: null,
        access_level_description: maintainer.name,
        user_id: maintainer.id,
        group_id: null,
      },
    ]);
  });

  it('refuses a name that is protected already, also of two at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => api().post(path, { name: 'twice' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { status, body } = await api().post(path, { name: 'master' });
    expect([status, body]).toEqual([409, { message: "Protected branch 'master' already exists" }]);
  });

  it.each([
    [{}, { message: '400 (Bad request) "name" not given' }],
    [{ name: ' ' }, { error: 'name is empty' }],
    [{ name: 'x', push_access_level: 20 }, { error: 'push_access_level does not have a valid value' }],
    [{ name: 'x', merge_access_level: 50 }, { error: 'merge_access_level does not have a valid value' }],
    [{ name: 'x', unprotect_access_level: 'all' }, { error: 'unprotect_access_level is invalid' }],
    [{ name: 'x', allowed_to_push: 'me' }, { error: 'allowed_to_push is invalid' }],
    [{ name: 'x', allowed_to_push: [{}] }, { error: expect.stringContaining('exactly one parameter') }],
    [
      { name: 'x', allowed_to_merge: [{ user_id: 1, group_id: 1 }] },
      { error: expect.stringContaining('are mutually exclusive') },
    ],
    [
      { name: 'x', allowed_to_push: [{ access_level: 10 }] },
      { error: expect.stringContaining('valid value') },
    ],
  ])('refuses %j', async (sent, body) => {
    const answer = await api().post(path, sent);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  describe('with users and groups', () => {
    let group: BuiltGroup;
    let developer: BuiltUser;
    beforeEach(async () => {
      developer = await app.current.build.user();
      await app.current.build.member('project', project.id, developer, 'developer');
      group = await app.current.build.group();
      await app.current.build.share(project, group, 'developer');
    });

    it('names them instead of the default level', async () => {
      const { status, body } = await api().post(path, {
        name: 'x',
        allowed_to_push: [{ user_id: developer.id }, { group_id: group.id }, { user_id: developer.id }],
        allowed_to_merge: [{ access_level: 30 }],
        allowed_to_unprotect: [{ group_id: group.id }, { access_level: 40 }],
      });
      const ofUser = {
        access_level: null,
        access_level_description: developer.name,
        user_id: developer.id,
        group_id: null,
      };
      const ofGroup = {
        access_level: null,
        access_level_description: group.fullPath,
        user_id: null,
        group_id: group.id,
      };
      expect([status, body]).toEqual([
        201,
        {
          name: 'x',
          push_access_levels: [ofUser, ofGroup],
          merge_access_levels: [DEVELOPERS],
          unprotect_access_levels: [ofGroup, MAINTAINERS],
        },
      ]);
      const shown = await api().get(one('x'));
      expect(shown.body).toEqual({
        name: 'x',
        push_access_levels: [ofUser, ofGroup],
        merge_access_levels: [DEVELOPERS],
      });
    });

    it('takes members of the group above, of a shared group, and the owner of the namespace', async () => {
      const inherited = await app.current.build.user();
      const above = await app.current.build.group({ members: { guest: inherited } });
      const inside = await app.current.build.project({ namespace: above, members: { maintainer } });
      const shared = await app.current.build.user();
      await app.current.build.member('namespace', group.id, shared, 'reporter');
      await app.current.build.share(inside, group, 'reporter');
      const named = [{ user_id: inherited.id }, { user_id: shared.id }];
      const answer = await api().post(`/projects/${inside.id}/protected_branches`, {
        name: 'x',
        allowed_to_push: named,
      });
      expect(answer.status).toBe(201);
    });

    it('refuses those who have nothing to do with the project', async () => {
      const stranger = await app.current.build.user();
      const other = await app.current.build.group({ members: { owner: maintainer } });
      const { status, body } = await api().post(path, {
        name: 'x',
        allowed_to_push: [{ user_id: stranger.id }, { user_id: 987_654 }],
        allowed_to_merge: [{ user_id: developer.id }, { group_id: other.id }],
        allowed_to_unprotect: [{ group_id: stranger.namespaceId }, { user_id: stranger.id }],
      });
      expect([status, body]).toEqual([
        422,
        {
          message: [
            'Push access levels user is not a member of the project',
            'Merge access levels group does not have access to the project',
            'Unprotect access levels group does not have access to the project',
            'Unprotect access levels user is not a member of the project',
          ],
        },
      ]);
      expect((await api().get(one('x'))).status).toBe(404);
    });

    it('refuses users whose membership has ended and groups whose share has', async () => {
      const former = await app.current.build.user();
      await app.current.build.member('project', project.id, former, 'developer', '2020-01-01');
      await app.current.database.query(
        `UPDATE project_shares SET expires_at = '2020-01-01' WHERE group_id = $1`,
        [group.id],
      );
      const { status, body } = await api().post(path, {
        name: 'x',
        allowed_to_push: [{ user_id: former.id }, { group_id: group.id }],
      });
      expect([status, body.message.length]).toEqual([422, 2]);
    });
  });
});

describe('DELETE /projects/:id/protected_branches/:name', () => {
  it('takes the rule back, and nothing else', async () => {
    await api().post(path, { name: 'release/*' });
    const { status, text } = await api().delete(one('release/*'));
    expect([status, text]).toEqual([204, '']);
    const again = await api().delete(one('release/*'));
    expect([again.status, again.body]).toEqual([404, { message: '404 Not found' }]);
    expect((await api().get(path)).body).toHaveLength(1);
  });

  it('keeps a rule that was changed since', async () => {
    const request = api().delete(one('master')).set('If-Unmodified-Since', 'Mon, 02 Jan 2006 15:04:05 GMT');
    expect((await request).status).toBe(412);
    const { status } = await api()
      .delete(one('master'))
      .set('If-Unmodified-Since', new Date(Date.now() + 60_000).toUTCString());
    expect(status).toBe(204);
  });

  it('is for whom the rule lets, and always for administrators', async () => {
    const second = await app.current.build.user();
    const admin = await app.current.build.user({ admin: true });
    await app.current.build.member('project', project.id, second, 'maintainer');
    await api().post(path, { name: 'theirs', allowed_to_unprotect: [{ user_id: second.id }] });
    await api().post(path, { name: 'nobody', unprotect_access_level: 0 });
    const refused = await api().delete(one('theirs'));
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await app.current.as(second).delete(one('theirs'))).status).toBe(204);
    expect((await app.current.as(second).delete(one('nobody'))).status).toBe(403);
    expect((await app.current.as(admin).delete(one('nobody'))).status).toBe(204);
  });

  it('is not gone round by the rows of single branches', async () => {
    await api().post(`/projects/${project.id}/repository/branches`, { branch: 'kept', ref: 'master' });
    await api().post(path, { name: 'kept', push_access_level: 0, unprotect_access_level: 0 });
    const branch = `/projects/${project.id}/repository/branches/kept`;
    expect((await api().put(`${branch}/unprotect`)).status).toBe(403);
    expect((await api().put(`${branch}/protect`, { developers_can_push: true })).status).toBe(403);
    expect((await api().get(one('kept'))).body.push_access_levels).toEqual([NO_ONE]);
  });

  it('is for maintainers where those named are gone', async () => {
    const leaving = await app.current.build.user();
    await app.current.build.member('project', project.id, leaving, 'maintainer');
    await api().post(path, { name: 'orphan', allowed_to_unprotect: [{ user_id: leaving.id }] });
    await app.current.database.query('DELETE FROM protected_branch_access WHERE user_id = $1', [leaving.id]);
    expect((await api().delete(one('orphan'))).status).toBe(204);
  });
});

describe('rights over protected branches', () => {
  const row = (success: number) => ({
    'anonymous public': 401,
    'anonymous internal': 404,
    'anonymous private': 404,
    'stranger public': 403,
    'stranger internal': 403,
    'stranger private': 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: success,
    owner: success,
    admin: success,
  });

  it('are those of maintainers, of reads too', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const of = ({ id }: BuiltProject) => `/projects/${id}/protected_branches`;
    expect(await cast.row((client, at) => client.get(of(at)))).toEqual(row(200));
    expect(await cast.row((client, at) => client.get(`${of(at)}/master`))).toEqual(row(200));
    // Whoever may not is not told that something is missing.
    expect(await cast.row((client, at) => client.post(of(at), {}))).toEqual(row(400));
    expect(await cast.row((client, at, turn) => client.post(of(at), { name: `new-${turn}` }))).toEqual(
      row(201),
    );
    expect(await cast.row((client, at) => client.delete(`${of(at)}/none`))).toEqual(row(404));
  });

  it('end at the project: a rule of another one is not found', async () => {
    const other = await app.current.build.project({ members: { maintainer }, files: { a: 'x' } });
    await api().post(path, { name: 'here' });
    const there = `/projects/${other.id}/protected_branches/here`;
    expect([(await api().get(there)).status, (await api().delete(there)).status]).toEqual([404, 404]);
  });
});
