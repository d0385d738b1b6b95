import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

describe('a .json suffix of a path', () => {
  let user: BuiltUser;
  let project: BuiltProject;
  beforeEach(async () => {
    user = await app.current.build.user();
    project = await app.current.build.project({ owner: user, files: { 'a.json': '{}' } });
  });
  const get = (path: string) => app.current.as(user).get(path);

  it('changes nothing behind a word, a number, a commit or a full path', async () => {
    const of = `/projects/${project.id}`;
    const encoded = encodeURIComponent(project.fullPath);
    const paths = [
      '/user',
      `/users/${user.id}`,
      of,
      `/projects/${encoded}`,
      `${of}/repository/commits`,
      `${of}/repository/commits/${project.tip}`,
      `${of}/repository/commits/${project.tip}/diff`,
    ];
    // Noted beside the answer to the first request, and shown from some later one on.
    await until(async () => (await get('/user')).body.last_activity_on !== null);
    for (const path of paths) {
      const [plain, suffixed] = [await get(path), await get(`${path}.json`)];
      expect([path, suffixed.status, suffixed.body]).toEqual([path, 200, plain.body]);
    }
  });

  it('belongs to a name that ends so', async () => {
    const named = await app.current.build.project({ owner: user, path: `${project.path}.json`, files: {} });
    const encoded = encodeURIComponent(named.fullPath);
    expect((await get(`/projects/${encoded}`)).body).toMatchObject({ id: named.id });
    const file = await get(`/projects/${project.id}/repository/files/a.json?ref=master`);
    expect(file.body).toMatchObject({ file_path: 'a.json' });
    expect((await get(`/projects/${project.id}/repository/files/a?ref=master`)).status).toBe(404);
  });

  it('does not show what is hidden', async () => {
    const stranger = await app.current.build.user();
    const hidden = encodeURIComponent(project.fullPath);
    const answer = await app.current.as(stranger).get(`/projects/${hidden}.json`);
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Project Not Found' }]);
  });
});
