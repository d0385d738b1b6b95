import supertest from 'supertest';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let owner: BuiltUser;
let maintainer: BuiltUser;
let project: BuiltProject;

beforeEach(async () => {
  owner = await app.current.build.user();
  maintainer = await app.current.build.user();
  project = await app.current.build.project({ owner, members: { maintainer }, files: { a: 'a' } });
});

const put = (content: Buffer, filename = 'logo.png', user = maintainer) =>
  app.current.as(user).put(`/projects/${project.id}`).attach('avatar', content, { filename });
const show = (url: string, user: BuiltUser | null) => {
  const request = supertest(app.current.nest.getHttpServer()).get(new URL(url).pathname);
  return user ? request.set('private-token', user.token) : request;
};
const avatarOf = async () =>
  (await app.current.as(maintainer).get(`/projects/${project.id}`)).body.avatar_url;

describe('PUT /projects/:id with an avatar', () => {
  it('keeps the picture and shows it in the record', async () => {
    const { status, body } = await put(PNG);
    expect([status, body.avatar_url]).toEqual([
      200,
      `http://service.test/uploads/-/system/project/avatar/${project.id}/logo.png`,
    ]);
    expect(await avatarOf()).toBe(body.avatar_url);
  });

  it('changes all or nothing', async () => {
    const asked = app.current.as(owner).put(`/projects/${project.id}`).field('description', 'new');
    const { status, body } = await asked.attach('avatar', Buffer.from('text'), { filename: 'logo.png' });
    expect([status, Object.keys(body.message)]).toEqual([400, ['avatar']]);
    expect((await app.current.as(owner).get(`/projects/${project.id}`)).body.description).toBeNull();
    const taken = await app.current.build.project({ owner });
    const clash = app.current.as(owner).put(`/projects/${project.id}`).field('path', taken.path);
    expect((await clash.attach('avatar', PNG, { filename: 'logo.png' })).status).toBe(400);
    expect(await avatarOf()).toBeNull();
  });

  it('goes along with another default branch', async () => {
    await app.current
      .as(owner)
      .post(`/projects/${project.id}/repository/branches`, { branch: 'next', ref: 'master' })
      .expect(201);
    const { status, body } = await put(PNG).field('default_branch', 'next');
    expect([status, body.default_branch]).toEqual([200, 'next']);
    expect(body.avatar_url).toContain('logo.png');
  });

  it('leaves the picture where the field is empty', async () => {
    await put(PNG).expect(200);
    const { body } = await app.current
      .as(maintainer)
      .put(`/projects/${project.id}`)
      .field('avatar', '')
      .field('description', 'd');
    expect([body.description, body.avatar_url]).toEqual(['d', expect.stringContaining('logo.png')]);
  });

  it('is for maintainers', async () => {
    const developer = await app.current.build.user();
    await app.current.build.member('project', project.id, developer, 'developer');
    expect((await put(PNG, 'logo.png', developer)).status).toBe(403);
  });

  it('shows the picture to those who see the project', async () => {
    const { avatar_url: url } = (await put(PNG)).body;
    const stranger = await app.current.build.user();
    const seenBy = async () => [
      (await show(url, null)).status,
      (await show(url, stranger)).status,
      (await show(url, maintainer)).status,
    ];
    const become = (visibility: string) =>
      app.current.as(owner).put(`/projects/${project.id}`, { visibility }).expect(200);
    expect(await seenBy()).toEqual([404, 404, 200]);
    const { headers } = await show(url, maintainer);
    expect(headers['cache-control']).toBe('private, max-age=0, must-revalidate');
    await become('internal');
    expect(await seenBy()).toEqual([404, 200, 200]);
    await become('public');
    expect(await seenBy()).toEqual([200, 200, 200]);
  });
});

describe('POST /projects with an avatar', () => {
  it('makes the project with its picture', async () => {
    const asked = app.current.as(owner).post('/projects').field('name', 'Pictured');
    const { status, body } = await asked.attach('avatar', PNG, { filename: 'logo.png' });
    expect([status, body.avatar_url]).toEqual([201, expect.stringContaining('/logo.png')]);
    expect((await show(body.avatar_url, owner)).body).toEqual(PNG);
  });

  it('makes no project where the picture is refused', async () => {
    const asked = app.current.as(owner).post('/projects').field('name', 'Pictured');
    expect((await asked.attach('avatar', Buffer.from('text'), { filename: 'logo.png' })).status).toBe(400);
    expect((await app.current.as(owner).get(`/projects/${owner.username}%2Fpictured`)).status).toBe(404);
  });
});
