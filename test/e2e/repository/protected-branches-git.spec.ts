import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GitFixture, until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { git, remoteOf } from '../../support/git-client';

const app = useApplication();

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'protected-branches-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

let developer: BuiltUser;
let maintainer: BuiltUser;
let admin: BuiltUser;
let project: BuiltProject;
let work: string;
let turn = 0;
beforeEach(async () => {
  const { build } = app.current;
  [developer, maintainer, admin] = [
    await build.user(),
    await build.user(),
    await build.user({ admin: true }),
  ];
  project = await build.project({ members: { developer, maintainer }, files: { a: 'first' } });
  work = await fs.mkdtemp(path.join(folder, 'work-'));
  await git(folder, 'clone', '-q', remoteOf(app.current.url, project.fullPath, maintainer.token), work);
  await git(work, 'commit', '-q', '--allow-empty', '-m', 'New');
});
afterEach(() => jest.restoreAllMocks());

const push = (user: BuiltUser, ...what: string[]) =>
  git(work, 'push', remoteOf(app.current.url, project.fullPath, user.token), ...what);

async function protect(fields: object): Promise<void> {
  const answer = await app.current.as(maintainer).post(`/projects/${project.id}/protected_branches`, fields);
  expect(answer.status).toBe(201);
}

const NOT_ALLOWED = 'remote: You are not allowed to push code to protected branches on this project.';
const refs = () =>
  GitFixture.on(project.repositoryPath).git('for-each-ref', '--format=%(refname) %(objectname)');

async function refuses(user: BuiltUser, sentence: string, ...what: string[]): Promise<void> {
  const before = await refs();
  await expect(push(user, ...what)).rejects.toThrow(sentence);
  expect(await refs()).toBe(before);
}

/** Goes on from `start`: on a branch that is there, from that branch, as nothing may be lost of a protected one. */
const commitOn = (user: BuiltUser, branch: string, start = 'master') =>
  app.current.as(user).post(`/projects/${project.id}/repository/commits`, {
    branch,
    commit_message: 'Through the API',
    start_branch: start,
    force: true,
    actions: [{ action: 'create', file_path: `file ${(turn += 1)}`, content: 'x' }],
  });
const branchOf = (user: BuiltUser, branch: string) =>
  app.current.as(user).post(`/projects/${project.id}/repository/branches`, { branch, ref: 'master' });

describe('a protected branch', () => {
  it.each([
    [0, [], ['developer', 'maintainer', 'admin']],
    [30, ['developer', 'maintainer', 'admin'], []],
    [40, ['maintainer', 'admin'], ['developer']],
    [60, ['admin'], ['developer', 'maintainer']],
  ] as const)(
    'with push level %i lets in %j and keeps out %j',
    async (push_access_level, inside, outside) => {
      await protect({ name: 'release/*', push_access_level });
      const users = { developer, maintainer, admin };
      for (const role of outside) {
        const user = users[role];
        await refuses(user, NOT_ALLOWED, `HEAD:refs/heads/release/${role}`);
        const { status, body } = await commitOn(user, `release/${role}`);
        expect([status, body]).toEqual([
          403,
          { message: '403 Forbidden - You are not allowed to push into this branch' },
        ]);
        expect((await branchOf(user, `release/${role}`)).status).toBe(400);
      }
      for (const role of inside) {
        await push(users[role], `HEAD:refs/heads/release/${role}`);
        expect((await commitOn(users[role], `release/${role}-2`)).status).toBe(201);
        expect((await branchOf(users[role], `release/${role}-3`)).status).toBe(201);
      }
      await push(developer, 'HEAD:refs/heads/releases');
    },
  );

  it('is ruled by the most permissive rule that covers it', async () => {
    await protect({ name: '*', push_access_level: 0 });
    await protect({ name: 'topic/*', push_access_level: 30 });
    await protect({ name: 'topic/closed', push_access_level: 40 });
    await push(developer, 'HEAD:refs/heads/topic/closed');
    expect((await commitOn(developer, 'topic/closed', 'topic/closed')).status).toBe(201);
    expect((await commitOn(developer, 'topic/closed')).status).toBe(400);
    await push(developer, 'HEAD:refs/heads/topic/open');
    await refuses(maintainer, NOT_ALLOWED, 'HEAD:refs/heads/elsewhere');
    expect((await commitOn(maintainer, 'elsewhere')).status).toBe(403);
  });

  it('lets in users who are named, as long as they are developers', async () => {
    const reporter = await app.current.build.user();
    await app.current.build.member('project', project.id, reporter, 'reporter');
    await protect({ name: 'named', allowed_to_push: [{ user_id: developer.id }, { user_id: reporter.id }] });
    await refuses(maintainer, NOT_ALLOWED, 'HEAD:refs/heads/named');
    expect((await commitOn(maintainer, 'named')).status).toBe(403);
    await refuses(reporter, 'error: 403', 'HEAD:refs/heads/named');
    await push(developer, 'HEAD:refs/heads/named');
    expect((await commitOn(developer, 'named', 'named')).status).toBe(201);
  });

  it('lets in the members of groups, as long as the project is shared with them', async () => {
    const { build } = app.current;
    const parent = await build.group();
    const group = await build.group({ parent });
    const [inside, above] = [await build.user(), await build.user()];
    await build.member('namespace', group.id, inside, 'developer');
    await build.member('namespace', parent.id, above, 'developer');
    await build.member('project', project.id, inside, 'developer');
    await build.share(project, group, 'developer');
    await protect({ name: 'grouped', allowed_to_push: [{ group_id: group.id }] });
    await refuses(developer, NOT_ALLOWED, 'HEAD:refs/heads/grouped');
    await push(inside, 'HEAD:refs/heads/grouped');
    expect((await commitOn(above, 'grouped', 'grouped')).status).toBe(201);
    await app.current.as(maintainer).delete(`/projects/${project.id}/share/${group.id}`);
    expect((await commitOn(inside, 'grouped')).status).toBe(403);
  });

  it('is open again when its rule is taken back', async () => {
    await refuses(developer, NOT_ALLOWED, 'HEAD:master');
    await app.current.as(maintainer).delete(`/projects/${project.id}/protected_branches/master`);
    await push(developer, 'HEAD:master');
    const { body } = await app.current
      .as(developer)
      .get(`/projects/${project.id}/repository/branches/master`);
    expect(body).toMatchObject({ protected: false, can_push: true });
  });

  it('shows in the branch what its rules mean', async () => {
    await protect({ name: 'st*', push_access_level: 30, merge_access_level: 40 });
    await push(developer, 'HEAD:refs/heads/stable');
    const { body } = await app.current
      .as(developer)
      .get(`/projects/${project.id}/repository/branches/stable`);
    expect(body).toMatchObject({
      protected: true,
      developers_can_push: true,
      developers_can_merge: false,
      can_push: true,
    });
  });

  it('is neither forced nor deleted by a push, and deleted through the API by maintainers alone', async () => {
    await protect({ name: 'kept', push_access_level: 30 });
    await push(developer, 'HEAD:refs/heads/kept');
    await git(work, 'commit', '-q', '--amend', '--allow-empty', '-m', 'Rewritten');
    await refuses(maintainer, 'not allowed to force push code', '--force', 'HEAD:kept');
    await refuses(maintainer, 'not allowed to delete protected branches', ':kept');
    const remove = (user: BuiltUser) =>
      app.current.as(user).delete(`/projects/${project.id}/repository/branches/kept`);
    expect((await remove(developer)).status).toBe(400);
    expect((await remove(maintainer)).status).toBe(204);
  });

  it('keeps out a push of several branches of which it is one', async () => {
    await refuses(developer, NOT_ALLOWED, 'HEAD:refs/heads/fine', 'HEAD:master');
  });

  it('keeps out a push that was waiting when the rule was made', async () => {
    const moves = app.current.nest.get(RefMoves);
    const { pushed } = await moves.locked(project, async () => {
      const waiting = jest.spyOn(moves, 'locked');
      const outcome = push(developer, 'HEAD:refs/heads/late').then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      await until(() => waiting.mock.calls[0]);
      await protect({ name: 'la*', push_access_level: 40 });
      return { pushed: outcome };
    });
    expect(await pushed).toContain(NOT_ALLOWED);
  });
});
