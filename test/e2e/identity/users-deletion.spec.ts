import { existsSync } from 'node:fs';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  user = await app.current.build.user();
});

const remove = (id: number | string = user.id, query = '') =>
  app.current.as(admin).delete(`/users/${id}${query}`);
const rows = async (text: string, values: unknown[] = []) =>
  (await app.current.database.query(text, values)).rows;
const isGone = (id = user.id) =>
  until(async () => (await rows('SELECT 1 FROM users WHERE id = $1', [id])).length === 0);
const comment = async (project: BuiltProject, by = user): Promise<void> => {
  const url = `/projects/${project.id}/repository/commits/${project.tip}/comments`;
  await app.current
    .as(by)
    .post(url, { note: `By ${by.username}` })
    .expect(201);
};
interface Comment {
  readonly note: string;
  readonly author: { readonly id: number };
}
const commentsOn = async (project: BuiltProject) =>
  (await app.current.as(admin).get(`/projects/${project.id}/repository/commits/${project.tip}/comments`))
    .body;

describe('DELETE /users/:id', () => {
  it('answers 204, then 404, and nobody finds the user from then on', async () => {
    const member = await app.current.build.group({
      visibility: 'public',
      members: { owner: admin, developer: user },
    });
    const first = await remove();
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await remove()).body).toEqual({ message: '404 User Not Found' });
    const api = app.current.as(admin);
    expect((await api.get(`/users/${user.id}`)).status).toBe(404);
    expect((await api.get(`/users?username=${user.username}`)).body).toEqual([]);
    expect((await api.get(`/users?search=${user.username}`)).body).toEqual([]);
    expect((await api.get('/users?per_page=100')).text).not.toContain(user.username);
    expect((await api.get(`/users?search=-deleted-`)).body).toEqual([]);
    expect((await api.get(`/groups/${member.id}/members`)).text).not.toContain(user.username);
    expect((await api.get(`/namespaces/${user.username}`)).status).toBe(404);
    expect((await api.put(`/users/${user.id}`, { name: 'x' })).status).toBe(404);
    expect((await api.post(`/users/${user.id}/block`)).status).toBe(404);
    await isGone();
  });

  it("refuses the user's tokens and sessions at the next request", async () => {
    const session = await app.current.build.token(user, [], { kind: 'session' });
    await remove().expect(204);
    expect((await app.current.as(user).get('/user')).status).toBe(401);
    const visit = await app.current.api.with({ cookie: `_service_session=${session}` }).get('/user');
    expect(visit.status).toBe(401);
    const sudo = await app.current.build.token(admin, ['api', 'sudo']);
    expect((await app.current.as({ token: sudo }).get(`/user?sudo=${user.id}`)).status).toBe(404);
  });

  it('removes personal projects with their repositories, and frees the names', async () => {
    const project = await app.current.build.project({ owner: user, visibility: 'public', files: { a: 'a' } });
    await remove().expect(204);
    expect((await app.current.as(admin).get(`/projects/${project.id}`)).status).toBe(404);
    await isGone();
    expect(await rows('SELECT 1 FROM projects WHERE id = $1', [project.id])).toEqual([]);
    expect(await rows('SELECT 1 FROM routes WHERE path LIKE $1', [`${user.username}%`])).toEqual([]);
    await until(() => !existsSync(project.repositoryPath));
    const { email, username } = user;
    const params = { email, username, name: 'Again', password: 'long enough' };
    expect((await app.current.as(admin).post('/users', params)).status).toBe(201);
  });

  it('gives what the user has written to the one ghost', async () => {
    const project = await app.current.build.project({
      visibility: 'public',
      files: { a: 'a' },
      members: { developer: user },
    });
    await rows('UPDATE projects SET creator_id = $2 WHERE id = $1', [project.id, user.id]);
    await comment(project);
    await comment(project, admin);
    await app.current
      .as(user)
      .post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success', name: 'build' })
      .expect(201);
    await app.current
      .as(admin)
      .post(`/projects/${project.id}/repository/tags`, {
        tag_name: 'v1',
        ref: 'master',
        release_description: 'R',
      })
      .expect(201);
    await rows('UPDATE releases SET author_id = $2 WHERE project_id = $1', [project.id, user.id]);
    await remove().expect(204);
    await isGone();
    const [ghost] = (await app.current.api.get('/users?username=ghost')).body;
    expect(ghost).toMatchObject({ name: 'Ghost User', username: 'ghost', state: 'active' });
    const comments = await commentsOn(project);
    expect(comments.map(({ note, author }: Comment) => [note, author.id])).toEqual([
      [`By ${user.username}`, ghost.id],
      [`By ${admin.username}`, admin.id],
    ]);
    const statuses = await app.current
      .as(admin)
      .get(`/projects/${project.id}/repository/commits/${project.tip}/statuses`);
    expect(statuses.body[0].author.id).toBe(ghost.id);
    expect(
      await rows('SELECT author_id::int AS id FROM releases WHERE project_id = $1', [project.id]),
    ).toEqual([{ id: ghost.id }]);
    expect((await app.current.as(admin).get(`/projects/${project.id}`)).body.creator_id).toBe(ghost.id);
  });

  it('deletes what the user has written with hard_delete, and keeps what is of the project', async () => {
    const project = await app.current.build.project({
      visibility: 'public',
      files: { a: 'a' },
      members: { developer: user },
    });
    await comment(project);
    await comment(project, admin);
    await app.current
      .as(user)
      .post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success', name: 'build' })
      .expect(201);
    await remove(user.id, '?hard_delete=true').expect(204);
    await isGone();
    const comments = await commentsOn(project);
    expect(comments.map(({ note }: { note: string }) => note)).toEqual([`By ${admin.username}`]);
    const statuses = await app.current
      .as(admin)
      .get(`/projects/${project.id}/repository/commits/${project.tip}/statuses`);
    expect(statuses.body).toMatchObject([{ name: 'build', author: null }]);
  });

  it('makes one ghost, however many are deleted at once, and finds it a free name', async () => {
    await rows(
      `UPDATE users SET kind = 'human', username = 'former', email = 'former@localhost' WHERE kind = 'ghost'`,
    );
    await rows(`DELETE FROM namespaces WHERE path LIKE 'ghost%'`);
    const squatter = await app.current.build.user({ username: 'ghost' });
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => app.current.build.user()));
    const answers = await Promise.all(users.map(({ id }) => remove(id)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    for (const { id } of users) await isGone(id);
    expect(await rows(`SELECT username FROM users WHERE kind = 'ghost'`)).toEqual([{ username: 'ghost1' }]);
    expect((await app.current.api.get(`/users/${squatter.id}`)).body.username).toBe('ghost');
  });

  it('refuses the only owner of a group with 409 before anything happens', async () => {
    const group = await app.current.build.group({ members: { owner: user } });
    const { status, body } = await remove();
    expect([status, body.message]).toEqual([409, expect.stringContaining('sole owner of a group')]);
    expect((await app.current.as(user).get(`/groups/${group.id}`)).status).toBe(200);
  });

  it('removes solely owned groups with everything inside with hard_delete, and others stay', async () => {
    const group = await app.current.build.group({ members: { owner: user } });
    const child = await app.current.build.group({ parent: group });
    const project = await app.current.build.project({ namespace: child, files: { a: 'a' } });
    const shared = await app.current.build.group({ members: { owner: user } });
    await app.current.build.member('namespace', shared.id, admin, 'owner');
    await remove(user.id, '?hard_delete=true').expect(204);
    for (const path of [`/groups/${group.id}`, `/groups/${child.id}`, `/projects/${project.id}`])
      expect((await app.current.as(admin).get(path)).status).toBe(404);
    await isGone();
    expect(await rows('SELECT id FROM namespaces WHERE id = ANY($1)', [[group.id, child.id]])).toEqual([]);
    expect((await app.current.as(admin).get(`/groups/${shared.id}`)).status).toBe(200);
  });

  it('lets a co-owner go, also an owner whose group has one above', async () => {
    const parent = await app.current.build.group({ members: { owner: admin } });
    await app.current.build.member(
      'namespace',
      (await app.current.build.group({ parent })).id,
      user,
      'owner',
    );
    await remove().expect(204);
    await isGone();
  });

  it('keeps one of two owners who are deleted at the same moment', async () => {
    const other = await app.current.build.user();
    const group = await app.current.build.group({ members: { owner: user } });
    await app.current.build.member('namespace', group.id, other, 'owner');
    const answers = await Promise.all([remove(user.id), remove(other.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('refuses oneself, and one of two administrators who delete each other', async () => {
    const own = await remove(admin.id);
    expect([own.status, own.body]).toEqual([403, { message: '403 Forbidden - You cannot delete yourself' }]);
    const other = await app.current.build.user({ admin: true });
    const both = await Promise.all([remove(other.id), app.current.as(other).delete(`/users/${admin.id}`)]);
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
    const [left] = await rows(`SELECT id::int FROM users WHERE is_admin AND NOT pending_delete`);
    admin = left.id === admin.id ? admin : other;
  });

  it('heeds If-Unmodified-Since', async () => {
    const early = app.current.as(admin).with({ 'if-unmodified-since': 'Mon, 01 Jan 2018 00:00:00 GMT' });
    const { status, body } = await early.delete(`/users/${user.id}`);
    expect([status, body]).toEqual([412, { message: '412 Precondition Failed' }]);
    const late = app.current
      .as(admin)
      .with({ 'if-unmodified-since': new Date(Date.now() + 5000).toUTCString() });
    expect((await late.delete(`/users/${user.id}`)).status).toBe(204);
  });

  it('is for administrators: 401, 400, 403, 404', async () => {
    expect((await app.current.api.delete(`/users/${user.id}`)).status).toBe(401);
    expect((await app.current.as(user).delete(`/users/${user.id}`)).status).toBe(403);
    expect((await remove(user.id, '?hard_delete=maybe')).status).toBe(400);
    for (const id of ['0', 'nobody']) expect((await remove(id)).status).toBe(404);
  });

  it('takes the flag in a body, as clients send it', async () => {
    await app.current.build.group({ members: { owner: user } });
    await app.current.as(admin).delete(`/users/${user.id}`, { hard_delete: true }).expect(204);
  });
});
