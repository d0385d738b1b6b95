import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const star = (by: BuiltUser, { id }: { id: number }) => app.current.as(by).post(`/projects/${id}/star`);
const unstar = (by: BuiltUser, { id }: { id: number }) => app.current.as(by).post(`/projects/${id}/unstar`);
const idsOf = (records: { id: number }[]): number[] => records.map(({ id }) => id);

describe('POST /projects/:id/star', () => {
  it('counts the star and answers the project', async () => {
    const { build } = app.current;
    const [user, project] = [await build.user(), await build.project({ visibility: 'public' })];
    const { status, body } = await star(user, project);
    expect([status, body.id, body.star_count]).toEqual([201, project.id, 1]);
    expect((await app.current.api.get(`/projects/${project.id}`)).body.star_count).toBe(1);
  });

  it('answers 304 where nothing changes', async () => {
    const { build } = app.current;
    const [user, project] = [await build.user(), await build.project({ visibility: 'public' })];
    await star(user, project).expect(201);
    const again = await star(user, project);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await app.current.as(user).get(`/projects/${project.id}`)).body.star_count).toBe(1);
  });

  it('is for whoever sees the project and is signed in', async () => {
    const { build } = app.current;
    const [stranger, guest] = [await build.user(), await build.user()];
    const hidden = await build.project({ members: { guest } });
    await star(guest, hidden).expect(201);
    const refused = await star(stranger, hidden);
    expect([refused.status, refused.body]).toEqual([404, { message: '404 Project Not Found' }]);
    await app.current.api.post(`/projects/${hidden.id}/star`).expect(401);
    const reader = { token: await build.token(guest, ['read_api']) };
    await app.current.as(reader).post(`/projects/${hidden.id}/unstar`).expect(403);
  });

  it('counts right when many star, unstar and repeat themselves at once', async () => {
    const { build } = app.current;
    const project = await build.project({ visibility: 'public' });
    const users: BuiltUser[] = [];
    for (let count = 0; count < 8; count += 1) users.push(await build.user());
    await Promise.all(users.flatMap((user) => [star(user, project), star(user, project)]));
    await Promise.all(users.slice(0, 3).flatMap((user) => [unstar(user, project), unstar(user, project)]));
    const { rows } = await app.current.database.query(
      'SELECT star_count, (SELECT count(*)::int FROM project_stars WHERE project_id = $1) AS stars FROM projects WHERE id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ star_count: 5, stars: 5 }]);
  });
});

describe('POST /projects/:id/unstar', () => {
  it('takes the star back, and answers 304 where there is none', async () => {
    const { build } = app.current;
    const [user, project] = [await build.user(), await build.project({ visibility: 'public' })];
    await unstar(user, project).expect(304);
    await star(user, project).expect(201);
    const { status, body } = await unstar(user, project);
    expect([status, body.star_count]).toEqual([201, 0]);
    await unstar(user, project).expect(304);
  });
});

describe('GET /projects/:id/starrers', () => {
  let project: BuiltProject;
  let first: BuiltUser;
  let shy: BuiltUser;
  let admin: BuiltUser;

  beforeAll(async () => {
    const { build, database } = app.current;
    [first, shy, admin] = [await build.user(), await build.user(), await build.user({ admin: true })];
    await database.query('UPDATE users SET private_profile = true WHERE id = $1', [shy.id]);
    project = await build.project({ visibility: 'public' });
    await star(first, project);
    await star(shy, project);
  });

  it('lists people the latest first, those with a private profile to themselves and administrators', async () => {
    const seen = async (by: BuiltUser) => {
      const { status, body } = await app.current.as(by).get(`/projects/${project.id}/starrers`);
      expect(status).toBe(200);
      return body.map(({ user }: { user: { id: number } }) => user.id);
    };
    expect(await seen(first)).toEqual([first.id]);
    expect(await seen(shy)).toEqual([shy.id, first.id]);
    expect(await seen(admin)).toEqual([shy.id, first.id]);
    const { body } = await app.current.api.get(`/projects/${project.id}/starrers`);
    expect(body).toEqual([
      {
        starred_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        user: {
          id: first.id,
          name: first.name,
          username: first.username,
          state: 'active',
          avatar_url: null,
          web_url: `http://service.test/${first.username}`,
        },
      },
    ]);
  });

  it('narrows by a part of the name, and comes in pages', async () => {
    const as = app.current.as(admin);
    const found = await as.get(`/projects/${project.id}/starrers?search=${first.username.toUpperCase()}`);
    expect(found.body).toHaveLength(1);
    const page = await as.get(`/projects/${project.id}/starrers?per_page=1&page=2`);
    expect(page.body[0].user.id).toBe(first.id);
    expect(page.headers['x-total']).toBe('2');
  });
});

describe('GET /users/:user_id/starred_projects', () => {
  it('lists what a user has starred, as far as the caller sees it', async () => {
    const { build } = app.current;
    const [user, other] = [await build.user(), await build.user()];
    const open = await build.project({ visibility: 'public', path: 'starred-open' });
    const hidden = await build.project({ members: { guest: user } });
    await build.project({ visibility: 'public' });
    await star(user, open);
    await star(user, hidden);
    const path = `/users/${user.id}/starred_projects`;
    expect(idsOf((await app.current.as(user).get(path)).body)).toEqual([hidden.id, open.id]);
    expect(idsOf((await app.current.as(other).get(path)).body)).toEqual([open.id]);
    const anonymous = await app.current.api.get(`/users/${user.username}/starred_projects?search=STARRED`);
    expect(idsOf(anonymous.body)).toEqual([open.id]);
    expect(anonymous.body[0]).not.toHaveProperty('visibility');
    const full = await app.current.as(other).get(path);
    expect(full.body[0]).toMatchObject({ visibility: 'public', star_count: 1 });
    expect((await app.current.as(other).get(`${path}?simple=true`)).body[0]).not.toHaveProperty('visibility');
  });

  it('is empty for others where the profile is private', async () => {
    const { build, database } = app.current;
    const [user, other, admin] = [await build.user(), await build.user(), await build.user({ admin: true })];
    const project = await build.project({ visibility: 'public' });
    await star(user, project);
    await database.query('UPDATE users SET private_profile = true WHERE id = $1', [user.id]);
    const path = `/users/${user.id}/starred_projects`;
    const empty = await app.current.as(other).get(path);
    expect([empty.status, empty.body, empty.headers['x-total']]).toEqual([200, [], '0']);
    expect((await app.current.api.get(path)).body).toEqual([]);
    expect(idsOf((await app.current.as(user).get(path)).body)).toEqual([project.id]);
    expect(idsOf((await app.current.as(admin).get(path)).body)).toEqual([project.id]);
  });

  it('is 404 for nobody, and 400 for values that are none', async () => {
    const missing = await app.current.api.get('/users/nobody-at-all/starred_projects');
    expect([missing.status, missing.body]).toEqual([404, { message: '404 User Not Found' }]);
    const user = await app.current.build.user();
    await app.current.as(user).get(`/users/${user.id}/starred_projects?order_by=stars`).expect(400);
  });
});

describe('GET /users/:user_id/projects', () => {
  it('lists the projects in the user’s own namespace, by id or username', async () => {
    const { build } = app.current;
    const [owner, other] = [await build.user(), await build.user()];
    const group = await build.group({ visibility: 'public', members: { owner } });
    await build.project({ namespace: group, owner, visibility: 'public' });
    const open = await build.project({ owner, visibility: 'public' });
    const hidden = await build.project({ owner, columns: { archived: true } });
    const found = async (by: BuiltUser, query = '') =>
      idsOf((await app.current.as(by).get(`/users/${owner.username.toUpperCase()}/projects?${query}`)).body);
    expect(await found(owner)).toEqual([hidden.id, open.id]);
    expect(await found(other)).toEqual([open.id]);
    expect(await found(owner, 'archived=true')).toEqual([hidden.id]);
    expect(await found(owner, 'order_by=id&sort=asc')).toEqual([open.id, hidden.id]);
    const anonymous = await app.current.api.get(`/users/${owner.id}/projects`);
    expect(idsOf(anonymous.body)).toEqual([open.id]);
    expect(anonymous.headers['x-total']).toBe('1');
  });

  it('is 404 for nobody', async () => {
    const { status, body } = await app.current.api.get('/users/0/projects');
    expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
  });
});

describe('GET /projects?starred=true', () => {
  it('narrows to what the caller has starred', async () => {
    const { build } = app.current;
    const [user, project] = [await build.user(), await build.project({ visibility: 'public' })];
    await star(user, project);
    expect(idsOf((await app.current.as(user).get('/projects?starred=true')).body)).toEqual([project.id]);
    await unstar(user, project);
    expect((await app.current.as(user).get('/projects?starred=true')).body).toEqual([]);
    expect((await app.current.api.get('/projects?starred=true')).body).toEqual([]);
  });
});

describe('GET /projects/:id/users', () => {
  it('lists everybody with access, in the order of ids, and searches', async () => {
    const { build } = app.current;
    const [direct, above, invited] = [await build.user(), await build.user(), await build.user()];
    const group = await build.group({ members: { owner: above } });
    const project = await build.project({ namespace: group, members: { guest: direct } });
    await build.share(project, await build.group({ members: { developer: invited } }), 'reporter');
    const path = `/projects/${project.id}/users`;
    const { status, body } = await app.current.as(direct).get(path);
    expect([status, idsOf(body)]).toEqual([200, [direct.id, above.id, invited.id]]);
    expect(Object.keys(body[0])).toEqual(['id', 'name', 'username', 'state', 'avatar_url', 'web_url']);
    const search = await app.current.as(direct).get(`${path}?search=${above.username}`);
    expect(idsOf(search.body)).toEqual([above.id]);
    await app.current
      .as(await build.user())
      .get(path)
      .expect(404);
    await app.current.api.get(path).expect(401);
  });
});

describe('the stars of a user who is deleted', () => {
  it('count no longer', async () => {
    const { build, database } = app.current;
    const [user, admin] = [await build.user(), await build.user({ admin: true })];
    const project = await build.project({ visibility: 'public' });
    await star(user, project).expect(201);
    await app.current.as(admin).delete(`/users/${user.id}`).expect(204);
    await until(async () => {
      const { rows } = await database.query('SELECT 1 FROM users WHERE id = $1', [user.id]);
      return rows.length === 0;
    });
    expect((await app.current.api.get(`/projects/${project.id}`)).body.star_count).toBe(0);
  });
});
