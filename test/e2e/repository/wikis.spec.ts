import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { until } from '#libs/testing';
import { ProjectsRepository } from '../../../src/repository/projects/projects.repository';
import { WikiPageHookEvent } from '../../../src/repository/wikis/wiki-page-hook-event';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { HookReceiver } from '../../support/hook-receiver';

const application = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let maintainer: BuiltUser;
let developer: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let project: BuiltProject;
let wikis: string;

beforeAll(async () => {
  const { build } = application.current;
  [maintainer, developer, guest, stranger] = await Promise.all([
    build.user(),
    build.user(),
    build.user(),
    build.user(),
  ]);
});
beforeEach(async () => {
  const { build } = application.current;
  project = await build.project({ members: { maintainer, developer, guest } });
  wikis = `/projects/${project.id}/wikis`;
});

const api = (user: BuiltUser) => application.current.as(user);
const wikiPath = () => project.repositoryPath.replace(/\.git$/, '.wiki.git');
const git = (...args: string[]) => execFileSync('git', ['-C', wikiPath(), ...args], { encoding: 'utf8' });
const make = async (title: string, content = `# ${title}`) => {
  const { status } = await api(developer).post(wikis, { title, content });
  expect(status).toBe(201);
};

describe('POST /projects/:id/wikis', () => {
  it('makes a page, and the wiki with the first one', async () => {
    const { status, body } = await api(developer).post(wikis, { title: 'Home page', content: 'Hello ä' });
    expect([status, body]).toEqual([
      201,
      { content: 'Hello ä', format: 'markdown', slug: 'Home-page', title: 'Home page' },
    ]);
    expect(Object.keys(body)).toEqual(['content', 'format', 'slug', 'title']);
    expect(git('show', 'master:Home-page.md')).toBe('Hello ä');
    expect(git('log', '--format=%an %ae %s', 'master').trim()).toBe(
      `${developer.name} ${developer.email} ${developer.username} created page: Home page`,
    );
    git('fsck', '--strict');
  });

  it('refuses a page that is there, in whatever format, and what is no page', async () => {
    await make('Setup');
    const again = await api(developer).post(wikis, { title: 'Setup', content: 'x', format: 'rdoc' });
    expect([again.status, again.body]).toEqual([
      400,
      { message: { base: ['Duplicate page: A page with that title already exists'] } },
    ]);
    const wrong: [object, object][] = [
      [{ content: 'x' }, { message: '400 (Bad request) "title" not given' }],
      [{ title: 'x' }, { message: '400 (Bad request) "content" not given' }],
      [{ title: ' ', content: 'x' }, { error: 'title is empty' }],
      [{ title: '/', content: 'x' }, { message: { title: ["can't be blank"] } }],
      [{ title: 'x', content: ' \n' }, { message: { content: ["can't be blank"] } }],
      [{ title: 'x', content: 'x', format: 'word' }, { error: 'format does not have a valid value' }],
      [{ title: 'a/../../b', content: 'x' }, { message: 'Path cannot include directory traversal' }],
    ];
    for (const [sent, answer] of wrong) {
      const { status, body } = await api(developer).post(wikis, sent);
      expect([status, body]).toEqual([400, answer]);
    }
    for (const title of ['.git/hooks', 'a\0b']) {
      expect((await api(developer).post(wikis, { title, content: 'x' })).status).toBe(400);
    }
    expect(git('ls-tree', '-r', '--name-only', 'master').trim()).toBe('Setup.md');
  });

  it('loses no page of several that come at once', async () => {
    const titles = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(titles.map((title) => make(title)));
    const both = await Promise.all(
      [1, 2].map(() => api(developer).post(wikis, { title: 'f', content: 'x' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect((await api(guest).get(wikis)).body.map(({ slug }: { slug: string }) => slug)).toEqual([
      ...titles,
      'f',
    ]);
  });

  it('is for developers, in projects that are not archived and have a wiki', async () => {
    const sent = { title: 'x', content: 'x' };
    expect((await application.current.api.post(wikis, sent)).status).toBe(401);
    expect((await api(stranger).post(wikis, sent)).status).toBe(404);
    expect((await api(guest).post(wikis, sent)).status).toBe(403);
    const { database } = application.current;
    await database.query(`UPDATE projects SET archived = true WHERE id = $1`, [project.id]);
    expect((await api(developer).post(wikis, sent)).status).toBe(403);
    await database.query(`UPDATE projects SET archived = false, wiki_access = 'disabled' WHERE id = $1`, [
      project.id,
    ]);
    expect((await api(developer).post(wikis, sent)).status).toBe(403);
    expect((await api(maintainer).get(wikis)).status).toBe(403);
    expect(existsSync(wikiPath())).toBe(false);
  });
});

describe('GET /projects/:id/wikis', () => {
  it('is empty without pages', async () => {
    expect((await api(guest).get(wikis)).body).toEqual([]);
  });

  it('lists pages by path, in pages, with content where asked', async () => {
    await make('two');
    await make('one');
    await make('folder/three');
    const { body, headers } = await api(guest).get(`${wikis}?per_page=2`);
    expect(body).toEqual([
      { format: 'markdown', slug: 'folder/three', title: 'three' },
      { format: 'markdown', slug: 'one', title: 'one' },
    ]);
    expect(headers['x-total']).toBe('3');
    const { body: second } = await api(guest).get(`${wikis}?per_page=2&page=2&with_content=1`);
    expect(second).toEqual([{ content: '# two', format: 'markdown', slug: 'two', title: 'two' }]);
  });

  it('is hidden from whoever does not see the project', async () => {
    expect((await api(stranger).get(wikis)).status).toBe(404);
    expect((await application.current.api.get(wikis)).status).toBe(404);
  });
});

describe('GET /projects/:id/wikis/:slug', () => {
  it('answers a page, in folders too', async () => {
    await make('folder/The page');
    const { status, body } = await api(guest).get(`${wikis}/folder%2FThe-page`);
    expect([status, body]).toEqual([
      200,
      { content: '# folder/The page', format: 'markdown', slug: 'folder/The-page', title: 'The page' },
    ]);
  });

  it.each(['missing', '..%2F..%2Fetc%2Fpasswd', 'a%00b', '%2D%2Dhelp', 'HEAD'])(
    'finds no page %s',
    async (slug) => {
      await make('home');
      const { status, body } = await api(guest).get(`${wikis}/${slug}`);
      expect([404, 400]).toContain(status);
      if (status === 404) expect(body).toEqual({ message: '404 Wiki Page Not Found' });
    },
  );
});

describe('PUT /projects/:id/wikis/:slug', () => {
  it('changes content, title and format, each alone', async () => {
    await make('home', 'first');
    const put = (slug: string, sent: object) => api(developer).put(`${wikis}/${slug}`, sent);
    expect((await put('home', { content: 'second' })).body).toMatchObject({
      slug: 'home',
      content: 'second',
    });
    expect((await put('home', { title: 'home' })).body).toMatchObject({ slug: 'home', content: 'second' });
    expect((await put('home', { title: 'start here' })).body).toMatchObject({
      slug: 'start-here',
      content: 'second',
    });
    expect((await put('start-here', { format: 'asciidoc' })).body).toMatchObject({ format: 'asciidoc' });
    expect(git('ls-tree', '-r', '--name-only', 'master').trim()).toBe('start-here.asciidoc');
    expect(git('show', 'master:start-here.asciidoc')).toBe('second');
    expect((await put('home', { content: 'x' })).body).toEqual({ message: '404 Wiki Page Not Found' });
    expect((await put('start-here', {})).status).toBe(400);
    await make('other');
    expect((await put('other', { title: 'start here' })).status).toBe(400);
    expect((await api(guest).put(`${wikis}/other`, { content: 'x' })).status).toBe(403);
  });
});

describe('DELETE /projects/:id/wikis/:slug', () => {
  it('deletes a page for maintainers, once', async () => {
    await make('home');
    expect((await api(developer).delete(`${wikis}/home`)).status).toBe(403);
    expect((await api(maintainer).delete(`${wikis}/home`)).status).toBe(204);
    expect((await api(maintainer).delete(`${wikis}/home`)).status).toBe(404);
    expect((await api(guest).get(wikis)).body).toEqual([]);
  });
});

describe('what hangs on a wiki', () => {
  it('is told to hooks: creation, change and deletion, and on trial', async () => {
    const receiver = await HookReceiver.start();
    try {
      const hooks = `/projects/${project.id}/hooks`;
      const sent = { url: receiver.url, push_events: false, wiki_page_events: true };
      const { body: hook } = await api(maintainer).post(hooks, sent);
      const trial = `${hooks}/${hook.id}/test/wiki_page_events`;
      expect((await api(maintainer).post(trial)).status).toBe(422);
      await make('The page', 'first');
      await receiver.got(1);
      await api(developer).put(`${wikis}/The-page`, { content: 'second' });
      await receiver.got(2);
      await api(maintainer).delete(`${wikis}/The-page`);
      await receiver.got(3);
      expect(receiver.calls.map(({ headers }) => headers['x-service-event'])).toEqual(
        Array(3).fill('Wiki Page Hook'),
      );
      const web = `http://service.test/${project.fullPath}`;
      expect(receiver.calls[0]?.body).toMatchObject({
        object_kind: 'wiki_page',
        user: { name: developer.name, username: developer.username, avatar_url: null },
        project: { path_with_namespace: project.fullPath },
        wiki: {
          web_url: `${web}/wikis/home`,
          git_ssh_url: `git@service.test:${project.fullPath}.wiki.git`,
          git_http_url: `${web}.wiki.git`,
          path_with_namespace: `${project.fullPath}.wiki`,
          default_branch: 'master',
        },
        object_attributes: {
          title: 'The page',
          content: 'first',
          format: 'markdown',
          message: `${developer.username} created page: The page`,
          slug: 'The-page',
          url: `${web}/wikis/The-page`,
          action: 'create',
        },
      });
      expect(receiver.calls.map(({ body }) => body['object_attributes'])).toMatchObject([
        { action: 'create' },
        { action: 'update', content: 'second' },
        { action: 'delete', content: 'second' },
      ]);
      await make('sample');
      await receiver.got(4);
      expect((await api(maintainer).post(trial)).status).toBe(201);
      expect((await receiver.got(5)).at(-1)?.body).toMatchObject({ object_attributes: { slug: 'sample' } });
    } finally {
      await receiver.close();
    }
  });

  it('is not told to hooks when the process died before the page was there', async () => {
    await make('home');
    const { nest } = application.current;
    const event = nest.get(WikiPageHookEvent);
    const known = await nest.get(ProjectsRepository).find(project.id);
    if (!known) throw new Error('the project is there');
    const change = { projectId: project.id, actorId: developer.id, slug: 'home', path: 'home.md' } as const;
    const calls = (sha: string) =>
      event.calls({ ...change, action: 'create', format: 'markdown', sha }, known);
    expect(await calls(git('rev-parse', 'master').trim())).toHaveLength(1);
    const tree = git('rev-parse', 'master^{tree}').trim();
    const author = ['-c', 'user.name=n', '-c', 'user.email=e@example.com'];
    expect(await calls(git(...author, 'commit-tree', tree, '-m', 'never moved').trim())).toEqual([]);
    expect(await calls('f'.repeat(40))).toEqual([]);
  });

  it('is counted in the statistics, and goes with the project', async () => {
    await make('home', 'x'.repeat(10_000));
    const size = async () =>
      (await api(maintainer).get(`/projects/${project.id}?statistics=true`)).body.statistics.wiki_size;
    await until(async () => (await size()) > 0);
    const admin = await application.current.build.user({ admin: true });
    expect((await api(admin).delete(`/projects/${project.id}`)).status).toBe(202);
    await until(() => !existsSync(wikiPath()));
  });
});
