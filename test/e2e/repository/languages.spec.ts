import { until } from '#libs/testing';
import { DetectLanguages } from '../../../src/repository/languages/detect-languages.job';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let owner: BuiltUser;

beforeAll(async () => {
  owner = await app.current.build.user();
});

const signal = () => new AbortController().signal;

const projectOf = (
  files: Readonly<Record<string, string | Buffer>>,
  visibility: 'public' | 'private' = 'public',
) => app.current.build.project({ owner, files, visibility });

const detect = ({ id }: { id: number }) =>
  app.current.nest.get(DetectLanguages).run({ projectId: id }, { signal: signal() });

const languagesOf = async ({ id }: { id: number }): Promise<unknown> =>
  (await app.current.as(owner).get(`/projects/${id}/languages`)).body;

async function found(files: Readonly<Record<string, string | Buffer>>): Promise<unknown> {
  const project = await projectOf(files);
  await detect(project);
  return languagesOf(project);
}

describe('GET /projects/:id/languages', () => {
  it('tells per cents of the bytes, the most used language first', async () => {
    const languages = await found({
      'src/a.ts': 'x'.repeat(500),
      'src/deep/er/b.ts': 'x'.repeat(166),
      'lib/c.rb': 'x'.repeat(222),
      run: `#!/bin/sh\n${'x'.repeat(101)}`,
      'README.md': 'x'.repeat(5_000),
      'data.json': 'x'.repeat(5_000),
      'node_modules/big/index.js': 'x'.repeat(5_000),
      'docs/conf.py': 'x'.repeat(5_000),
    });
    expect(languages).toEqual({ TypeScript: 66.67, Ruby: 22.22, Shell: 11.11 });
    expect(JSON.stringify(languages)).toBe('{"TypeScript":66.67,"Ruby":22.22,"Shell":11.11}');
  });

  it('counts as the repository itself says in .gitattributes', async () => {
    expect(
      await found({
        '.gitattributes':
          'vendor/** -linguist-vendored\n*.inc linguist-language=PHP\nold/* linguist-vendored\n*.md linguist-detectable\n',
        'vendor/a.c': 'x'.repeat(100),
        'a.inc': 'x'.repeat(100),
        'old/a.py': 'x'.repeat(100),
        'guide.md': 'x'.repeat(200),
      }),
    ).toEqual({ Markdown: 50, C: 25, PHP: 25 });
  });

  it('is empty for an empty repository and one without programs, and until languages were looked for', async () => {
    const empty = await app.current.build.project({ owner });
    await detect(empty);
    expect(await languagesOf(empty)).toEqual({});
    expect(
      await found({ 'README.md': 'hello', 'empty.rb': '', 'picture.png': Buffer.from([0, 1, 2]) }),
    ).toEqual({});
    expect(await languagesOf(await projectOf({ 'a.rb': 'puts 1' }))).toEqual({});
  });

  it('follows the default branch, folder by folder', async () => {
    const project = await projectOf({ 'a/x.rb': 'puts 1', 'b/y.py': 'pass12' });
    await detect(project);
    const commit = (actions: object[]) =>
      app.current.as(owner).post(`/projects/${project.id}/repository/commits`, {
        branch: 'master',
        commit_message: 'change',
        actions,
      });
    expect((await commit([{ action: 'delete', file_path: 'b/y.py' }])).status).toBe(201);
    expect((await commit([{ action: 'create', file_path: 'c/z.go', content: 'abcdef' }])).status).toBe(201);
    await detect(project);
    expect(await languagesOf(project)).toEqual({ Go: 50, Ruby: 50 });
    await detect(project);
    expect(await languagesOf(project)).toEqual({ Go: 50, Ruby: 50 });
  });

  it('is found out by itself after a push', async () => {
    const project = await app.current.build.project({ owner });
    const { status } = await app.current.as(owner).post(`/projects/${project.id}/repository/files/a.rb`, {
      branch: 'master',
      content: 'puts 1',
      commit_message: 'first',
    });
    expect(status).toBe(201);
    await until(async () => JSON.stringify(await languagesOf(project)) === '{"Ruby":100}');
  });

  it('is for those who may read the code', async () => {
    const guest = await app.current.build.user();
    const hidden = await app.current.build.project({
      owner,
      files: { 'a.rb': 'puts 1' },
      members: { guest },
    });
    await detect(hidden);
    const path = `/projects/${hidden.id}/languages`;
    expect((await app.current.api.get(path)).body).toEqual({ message: '404 Project Not Found' });
    expect((await app.current.as(guest).get(path)).status).toBe(403);
    expect((await app.current.as(owner).get(path)).body).toEqual({ Ruby: 100 });
    const open = await projectOf({ 'a.rb': 'puts 1' });
    await detect(open);
    expect((await app.current.api.get(`/projects/${open.id}/languages`)).body).toEqual({ Ruby: 100 });
    expect((await app.current.api.get('/projects/0/languages')).status).toBe(404);
  });
});

describe('GET /projects', () => {
  let ruby: BuiltProject, both: BuiltProject, none: BuiltProject, viewer: BuiltUser;

  beforeAll(async () => {
    viewer = await app.current.build.user();
    const make = (files: Readonly<Record<string, string>>) =>
      app.current.build.project({ owner: viewer, files, visibility: 'private' });
    ruby = await make({ 'a.rb': 'puts 1' });
    both = await make({ 'a.rb': 'puts 1', 'b.cs': 'class A {}' });
    none = await make({ 'README.md': 'hello' });
    for (const project of [ruby, both, none]) await detect(project);
  });

  const idsOf = async (path: string): Promise<number[]> => {
    const rows: { id: number }[] = (await app.current.as(viewer).get(path)).body;
    return rows.map(({ id }) => id);
  };

  it('shows those with a programming language, in whatever case it is written', async () => {
    expect(await idsOf('/projects?owned=true&with_programming_language=Ruby')).toEqual([both.id, ruby.id]);
    expect(await idsOf('/projects?owned=true&with_programming_language=rUBY')).toEqual([both.id, ruby.id]);
    expect(await idsOf('/projects?owned=true&with_programming_language=C%23')).toEqual([both.id]);
    expect(await idsOf('/projects?owned=true&with_programming_language=Rub')).toEqual([]);
    expect(await idsOf("/projects?owned=true&with_programming_language='%20OR%201=1--")).toEqual([]);
    expect(await idsOf('/projects?owned=true')).toEqual([none.id, both.id, ruby.id]);
  });
});
