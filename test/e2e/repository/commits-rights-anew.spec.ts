import { Level } from '#libs/access';
import { GitFixture, until } from '#libs/testing';
import { PushRights } from '../../../src/repository/changes/push-rights';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

describe('a commit that waits for the repository', () => {
  let user: BuiltUser;
  let project: BuiltProject;
  let git: GitFixture;
  beforeEach(async () => {
    user = await app.current.build.user();
    project = await app.current.build.project({ members: { developer: user }, files: { a: 'x', b: 'y' } });
    git = GitFixture.on(project.repositoryPath);
    await git.git('branch', 'topic', 'master');
  });
  afterEach(() => jest.restoreAllMocks());

  const inRepository = (path: string, body: object) =>
    app.current.as(user).post(`/projects/${project.id}/repository/${path}`, { branch: 'topic', ...body });
  const ways = {
    file: () => inRepository('files/new', { commit_message: 'Add', content: 'x' }),
    commit: () =>
      inRepository('commits', {
        commit_message: 'Add',
        actions: [{ action: 'create', file_path: 'new', content: 'x' }],
      }),
    'cherry-pick': () => inRepository(`commits/${project.tip}/cherry_pick`, {}),
    revert: () => inRepository(`commits/${project.tip}/revert`, {}),
  };
  const protect = () => app.current.build.protectedBranch(project, 'topic', Level.maintainer);
  const archive = () =>
    app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);

  /** Sends the request while the repository is locked, and lets `happen` happen once the caller was let in. */
  async function meanwhile(
    send: () => PromiseLike<{ status: number; body: unknown }>,
    happen: () => Promise<unknown>,
  ): Promise<[number, unknown]> {
    const { nest } = app.current;
    const asked = jest.spyOn(nest.get(PushRights), 'mayPushSomewhere');
    const answer = await nest.get(RefMoves).locked(project, async () => {
      const sent = Promise.resolve(send());
      const first = await until(() => asked.mock.results[0]);
      expect(first.value).toBe(true);
      await happen();
      return { sent };
    });
    const { status, body } = await answer.sent;
    return [status, body];
  }

  const REFUSED = 'You are not allowed to push into this branch';
  const CASES = [
    ['file', [400, { message: REFUSED }]],
    ['commit', [403, { message: `403 Forbidden - ${REFUSED}` }]],
    ['cherry-pick', [403, { message: `403 Forbidden - ${REFUSED}` }]],
    ['revert', [403, { message: `403 Forbidden - ${REFUSED}` }]],
  ] as const;

  it.each(CASES)('is refused where the branch has been protected meanwhile: %s', async (way, refusal) => {
    expect(await meanwhile(ways[way], protect)).toEqual(refusal);
    expect(await git.git('rev-parse', 'topic')).toBe(project.tip);
  });

  it.each(CASES)('is refused where the project has been archived meanwhile: %s', async (way, refusal) => {
    expect(await meanwhile(ways[way], archive)).toEqual(refusal);
    expect(await git.git('rev-parse', 'topic')).toBe(project.tip);
  });

  it('is made where nothing has changed', async () => {
    const [status] = await meanwhile(ways.commit, () => Promise.resolve());
    expect(status).toBe(201);
    expect(await git.git('rev-parse', 'topic^')).toBe(project.tip);
  });
});
