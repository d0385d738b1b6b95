import { Level } from '#libs/access';
import { GitFixture, until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

describe('a ref that is to move and waits for the repository', () => {
  let user: BuiltUser;
  let project: BuiltProject;
  let git: GitFixture;
  beforeEach(async () => {
    user = await app.current.build.user();
    project = await app.current.build.project({ members: { developer: user }, files: { a: 'x' } });
    git = GitFixture.on(project.repositoryPath);
    await git.git('branch', 'old', 'master');
    await git.git('tag', 'v0', 'master');
  });
  afterEach(() => jest.restoreAllMocks());

  const path = (rest: string) => `/projects/${project.id}/repository/${rest}`;
  const ways = {
    'a new branch': () => app.current.as(user).post(path('branches'), { branch: 'new', ref: 'master' }),
    'a branch that goes': () => app.current.as(user).delete(path('branches/old')),
    'a new tag': () => app.current.as(user).post(path('tags'), { tag_name: 'v1', ref: 'master' }),
    'a tag that goes': () => app.current.as(user).delete(path('tags/v0')),
  };
  const refs = () => git.git('for-each-ref', '--format=%(refname:short)');

  /** Sends the request while the repository is locked, and lets `happen` happen once it waits for the lock. */
  async function meanwhile(
    way: keyof typeof ways,
    happen: () => Promise<unknown>,
  ): Promise<[number, unknown]> {
    const moves = app.current.nest.get(RefMoves);
    const { sent } = await moves.locked(project, async () => {
      const waiting = jest.spyOn(moves, 'lockedAnew');
      const request = Promise.resolve(ways[way]());
      await until(() => waiting.mock.calls[0]);
      await happen();
      return { sent: request };
    });
    const { status, body } = await sent;
    return [status, body];
  }

  const archive = () =>
    app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);

  it.each([
    ['a new branch', 403],
    ['a branch that goes', 403],
    ['a new tag', 403],
    ['a tag that goes', 403],
  ] as const)('stays where the project has been archived meanwhile: %s', async (way, status) => {
    const before = await refs();
    expect(await meanwhile(way, archive)).toEqual([status, { message: '403 Forbidden' }]);
    expect(await refs()).toBe(before);
  });

  it.each([
    ['a new branch', 'new', 'You are not allowed to push code to protected branches on this project.'],
    [
      'a branch that goes',
      'old',
      'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
    ],
  ] as const)('stays where the branch has been protected meanwhile: %s', async (way, branch, message) => {
    const protect = () => app.current.build.protectedBranch(project, branch, Level.maintainer);
    const before = await refs();
    expect(await meanwhile(way, protect)).toEqual([400, { message }]);
    expect(await refs()).toBe(before);
  });

  it('moves where nothing has changed', async () => {
    const [status] = await meanwhile('a new tag', () => Promise.resolve());
    expect(status).toBe(201);
    expect(await refs()).toContain('v1');
  });
});
