import { execFileSync } from 'node:child_process';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const as = (user: { token: string }) => app.current.as(user);

const git = ({ repositoryPath }: BuiltProject, ...args: string[]): string =>
  execFileSync(
    'git',
    ['-C', repositoryPath, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args],
    {
      encoding: 'utf8',
    },
  ).trim();

/** A commit on top of another that no branch has yet. */
const commitOn = (project: BuiltProject, parent: string, message: string): string =>
  git(project, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message);

const branchesOf = (project: BuiltProject): string[] =>
  git(project, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads').split('\n');

/** With `feature/x` ahead of master, `old` merged into it, and `v*` protected. */
async function projectWithBranches(members: Record<string, BuiltUser> = {}): Promise<BuiltProject> {
  const { build } = app.current;
  const project = await build.project({ members, files: { 'a.md': 'a' } });
  const next = commitOn(project, 'master', 'second');
  git(project, 'branch', 'old', 'master');
  git(project, 'update-ref', 'refs/heads/master', next);
  git(project, 'branch', 'feature/x', commitOn(project, 'master', 'third'));
  git(project, 'branch', 'v1', 'master~1');
  await build.protectedBranch(project, 'v*', 30);
  return project;
}

describe('GET /projects/:id/repository/branches', () => {
  it('tells all about each branch, by name', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    const { status, body, headers } = await as(developer).get(`/projects/${project.id}/repository/branches`);
    expect(status).toBe(200);
    const flags = { developers_can_push: false, developers_can_merge: false };
    const commit = (title: string) => expect.objectContaining({ title });
    expect(body).toEqual([
      {
        name: 'feature/x',
        commit: commit('third'),
        merged: false,
        protected: false,
        ...flags,
        can_push: true,
        default: false,
      },
      {
        name: 'master',
        commit: commit('second'),
        merged: false,
        protected: true,
        ...flags,
        can_push: false,
        default: true,
      },
      {
        name: 'old',
        commit: commit('First commit'),
        merged: true,
        protected: false,
        ...flags,
        can_push: true,
        default: false,
      },
      {
        ...{ name: 'v1', commit: commit('First commit'), merged: true, protected: true },
        ...{ developers_can_push: true, developers_can_merge: true, can_push: true, default: false },
      },
    ]);
    expect(Object.keys(body[0])).toEqual([
      ...[
        'name',
        'commit',
        'merged',
        'protected',
        'developers_can_push',
        'developers_can_merge',
        'can_push',
        'default',
      ],
    ]);
    expect(Object.keys(body[0].commit)).toHaveLength(12);
    expect(headers['x-total']).toBe('4');
  });

  it.each([
    ['EATURE', ['feature/x']],
    ['^o', ['old']],
    ['r$', ['master']],
    ['--all', []],
    ['', ['feature/x', 'master', 'old', 'v1']],
  ])('finds names by %j', async (search, names) => {
    const reporter = await app.current.build.user();
    const project = await projectWithBranches({ reporter });
    const path = `/projects/${project.id}/repository/branches?search=${encodeURIComponent(search)}`;
    const { body } = await as(reporter).get(path);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('comes in pages, and is empty for an empty repository', async () => {
    const reporter = await app.current.build.user();
    const project = await projectWithBranches({ reporter });
    const page = await as(reporter).get(`/projects/${project.id}/repository/branches?per_page=1&page=2`);
    expect(page.body).toMatchObject([{ name: 'master' }]);
    expect(page.headers).toMatchObject({ 'x-total': '4', 'x-next-page': '3' });
    const empty = await app.current.build.project({ visibility: 'public' });
    const none = await app.current.api.get(`/projects/${empty.id}/repository/branches`);
    expect({ status: none.status, body: none.body }).toEqual({ status: 200, body: [] });
  });
});

describe('GET /projects/:id/repository/branches/:branch', () => {
  it('tells all about one branch, whose name may have slashes', async () => {
    const project = await projectWithBranches({ reporter: await app.current.build.user() });
    const reader = await app.current.build.user({ admin: true });
    const path = `/projects/${encodeURIComponent(project.fullPath)}/repository/branches/feature%2Fx`;
    const { status, body } = await as(reader).get(path);
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'feature/x', merged: false } });
    expect((await as(reader).get(`/projects/${project.id}/repository/branches/old`)).body.merged).toBe(true);
    const head = await as(reader).head(path);
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: undefined });
  });

  it.each(['nope', '--help', '..', 'master~1', 'HEAD', 'refs%2Fheads%2Fmaster', 'mas*', '%0A'])(
    'knows no branch %s',
    async (name) => {
      const project = await app.current.build.project({ visibility: 'public', files: { 'a.md': 'a' } });
      const { status, body } = await app.current.api.get(
        `/projects/${project.id}/repository/branches/${name}`,
      );
      expect({ status, body }).toEqual({ status: 404, body: { message: '404 Branch Not Found' } });
    },
  );
});

describe('POST /projects/:id/repository/branches', () => {
  it('makes a branch at a branch, tag or commit', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    git(project, 'tag', 'first', 'old');
    for (const [branch, ref] of [
      ['one', 'feature/x'],
      ['deep/er', 'first'],
      ['three', project.tip.slice(0, 10)],
    ] as const) {
      const { status, body } = await as(developer).post(`/projects/${project.id}/repository/branches`, {
        branch,
        ref,
      });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { name: branch, protected: false, can_push: true },
      });
      expect(git(project, 'rev-parse', `refs/heads/${branch}`)).toBe(
        git(project, 'rev-parse', `${ref}^{commit}`),
      );
    }
  });

  it.each([
    [{ branch: 'old', ref: 'master' }, { message: 'Branch already exists' }],
    [{ branch: 'new', ref: 'nope' }, { message: 'Invalid reference name' }],
    [{ branch: 'new', ref: '--all' }, { message: 'Invalid reference name' }],
    [{ branch: 'new', ref: 'master^{tree}' }, { message: 'Invalid reference name' }],
    [{ branch: 'a..b', ref: 'master' }, { message: 'Branch name is invalid' }],
    [{ branch: '-x', ref: 'master' }, { message: 'Branch name is invalid' }],
    [{ branch: 'HEAD', ref: 'master' }, { message: 'Branch name is invalid' }],
    [{ branch: '0'.repeat(40), ref: 'master' }, { message: 'Branch name is invalid' }],
    [{ branch: 'x.lock', ref: 'master' }, { message: 'Branch name is invalid' }],
    [{ ref: 'master' }, { message: '400 (Bad request) "branch" not given' }],
    [{ branch: 'new' }, { message: '400 (Bad request) "ref" not given' }],
    [{ branch: ' ', ref: 'master' }, { error: 'branch is empty' }],
    [{ branch: ['new'], ref: 'master' }, { error: 'branch is invalid' }],
    [{ branch: 'old/below', ref: 'master' }, { message: expect.any(String) }],
  ])('refuses %j and makes nothing', async (parameters, body) => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    const answer = await as(developer).post(`/projects/${project.id}/repository/branches`, parameters);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body });
    expect(branchesOf(project)).toEqual(['feature/x', 'master', 'old', 'v1']);
  });

  it('refuses a name that is protected from the caller', async () => {
    const { build } = app.current;
    const developer = await build.user();
    const project = await projectWithBranches({ developer });
    await build.protectedBranch(project, 'stable-*', 40);
    const create = (branch: string) =>
      as(developer).post(`/projects/${project.id}/repository/branches`, { branch, ref: 'master' });
    expect((await create('stable-1')).status).toBe(400);
    expect((await create('v2')).status).toBe(201);
  });

  it('makes one of several that are asked for at once', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    const create = () =>
      as(developer).post(`/projects/${project.id}/repository/branches`, { branch: 'race', ref: 'master' });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });
});

describe('DELETE /projects/:id/repository/branches/:branch', () => {
  it('deletes a branch once', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    const remove = () => as(developer).delete(`/projects/${project.id}/repository/branches/feature%2Fx`);
    const { status, text } = await remove();
    expect({ status, text }).toEqual({ status: 204, text: '' });
    const again = await remove();
    expect({ status: again.status, body: again.body }).toEqual({
      status: 404,
      body: { message: '404 Branch Not Found' },
    });
    expect(branchesOf(project)).toEqual(['master', 'old', 'v1']);
  });

  it('refuses the default branch to all, and protected ones to developers', async () => {
    const [developer, maintainer] = [await app.current.build.user(), await app.current.build.user()];
    const project = await projectWithBranches({ developer, maintainer });
    const remove = async (user: BuiltUser, branch: string) => {
      const { status, body } = await as(user).delete(`/projects/${project.id}/repository/branches/${branch}`);
      return { status, message: body.message };
    };
    const refusal = { status: 400, message: expect.any(String) };
    expect(await remove(maintainer, 'master')).toEqual(refusal);
    expect(await remove(developer, 'v1')).toEqual(refusal);
    expect((await remove(maintainer, 'v1')).status).toBe(204);
  });

  it('deletes nothing that is newer than the caller knows', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    const path = `/projects/${project.id}/repository/branches/feature%2Fx`;
    const at = (date: string) => as(developer).with({ 'if-unmodified-since': date }).delete(path);
    expect((await at('Mon, 06 Jan 2020 00:00:00 GMT')).status).toBe(412);
    expect((await at(new Date(Date.now() + 60_000).toUTCString())).status).toBe(204);
  });
});

describe('DELETE /projects/:id/repository/merged_branches', () => {
  it('deletes the merged branches that are not protected, after the answer', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithBranches({ developer });
    for (let n = 0; n < 120; n += 1) git(project, 'branch', `merged-${n}`, 'old');
    const { status, body } = await as(developer).delete(`/projects/${project.id}/repository/merged_branches`);
    expect({ status, body }).toEqual({ status: 202, body: { message: '202 Accepted' } });
    await until(() => Promise.resolve(branchesOf(project).length === 3));
    expect(branchesOf(project)).toEqual(['feature/x', 'master', 'v1']);
  });
});

describe('PUT /projects/:id/repository/branches/:branch/protect', () => {
  it('protects a branch, and changes only what is given afterwards', async () => {
    const maintainer = await app.current.build.user();
    const project = await projectWithBranches({ maintainer });
    const protect = async (body: object) => {
      const answer = await as(maintainer).put(
        `/projects/${project.id}/repository/branches/feature%2Fx/protect`,
        body,
      );
      return { status: answer.status, ...answer.body };
    };
    expect(await protect({})).toMatchObject({
      ...{
        status: 200,
        name: 'feature/x',
        protected: true,
        developers_can_push: false,
        developers_can_merge: false,
      },
    });
    expect(await protect({ developers_can_push: true })).toMatchObject({
      developers_can_push: true,
      developers_can_merge: false,
    });
    expect(await protect({ developers_can_merge: true })).toMatchObject({
      developers_can_push: true,
      developers_can_merge: true,
    });
    expect(await protect({ developers_can_push: false })).toMatchObject({
      developers_can_push: false,
      developers_can_merge: true,
    });
    expect(await protect({ developers_can_push: 'maybe' })).toMatchObject({
      status: 400,
      error: 'developers_can_push is invalid',
    });
  });

  it('knows no branch that is not there', async () => {
    const maintainer = await app.current.build.user();
    const project = await projectWithBranches({ maintainer });
    const { status, body } = await as(maintainer).put(
      `/projects/${project.id}/repository/branches/nope/protect`,
    );
    expect({ status, body }).toEqual({ status: 404, body: { message: '404 Branch Not Found' } });
  });
});

describe('PUT /projects/:id/repository/branches/:branch/unprotect', () => {
  it('takes the protection back, twice if need be', async () => {
    const maintainer = await app.current.build.user();
    const project = await projectWithBranches({ maintainer });
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await as(maintainer).put(
        `/projects/${project.id}/repository/branches/master/unprotect`,
      );
      expect({ status, body }).toMatchObject({ status: 200, body: { name: 'master', protected: false } });
    }
  });
});

describe('rights on branches', () => {
  const statusesOf = async (user: BuiltUser | null, project: BuiltProject) => {
    const api = user ? as(user) : app.current.api;
    const path = `/projects/${project.id}/repository`;
    const answers = [
      await api.get(`${path}/branches`),
      await api.get(`${path}/branches/master`),
      await api.post(`${path}/branches`, { branch: 'by-me', ref: 'master' }),
      await api.delete(`${path}/branches/by-me`),
      await api.delete(`${path}/merged_branches`),
      await api.put(`${path}/branches/old/protect`),
      await api.put(`${path}/branches/old/unprotect`),
    ];
    return answers.map(({ status }) => status);
  };

  it('are those of the access matrix', async () => {
    const { build } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
      maintainer: await build.user(),
    };
    const [stranger, admin] = [await build.user(), await build.user({ admin: true })];
    const project = await build.project({ members, files: { 'a.md': 'a' } });
    git(project, 'branch', 'old', 'master');
    expect(await statusesOf(null, project)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect(await statusesOf(stranger, project)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect(await statusesOf(members.guest, project)).toEqual([403, 403, 403, 403, 403, 403, 403]);
    expect(await statusesOf(members.reporter, project)).toEqual([200, 200, 403, 403, 403, 403, 403]);
    expect(await statusesOf(members.developer, project)).toEqual([200, 200, 201, 204, 202, 403, 403]);
    expect(await statusesOf(members.maintainer, project)).toEqual([200, 200, 201, 204, 202, 200, 200]);
    expect(await statusesOf(admin, project)).toEqual([200, 200, 201, 204, 202, 200, 200]);
    const open = await build.project({ visibility: 'public', files: { 'a.md': 'a' } });
    expect(await statusesOf(null, open)).toEqual([200, 200, 401, 401, 401, 401, 401]);
    expect(await statusesOf(stranger, open)).toEqual([200, 200, 403, 403, 403, 403, 403]);
  });

  it('leave nobody to write in an archived project', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner, files: { 'a.md': 'a' }, columns: { archived: true } });
    const { status } = await as(owner).post(`/projects/${project.id}/repository/branches`, {
      branch: 'x',
      ref: 'master',
    });
    expect(status).toBe(403);
  });
});
