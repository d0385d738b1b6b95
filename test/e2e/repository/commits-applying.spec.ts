import { GitFixture } from '#libs/testing';
import { Cast, writeRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
/** A commit of `feature` that adds a file and changes another. */
let picked: string;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    members: { developer: user },
    files: { a: '1\n2\n3\n4\n5\n', b: 'b\n' },
  });
  git = GitFixture.on(project.repositoryPath);
  await git.git('branch', 'topic', 'master');
  picked = await git.commit({
    branch: 'feature',
    parents: [project.tip],
    files: { a: '1\n2\n3\n4\nfive\n', new: 'n\n' },
    message: 'Add and change\n\nThe body.\n',
  });
});

type Verb = 'cherry_pick' | 'revert';

const apply = (verb: Verb, sha: string, body: object = { branch: 'topic' }) =>
  app.current
    .as(user)
    .post(`/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}/${verb}`, body);

async function refused(request: PromiseLike<{ status: number; body: unknown }>): Promise<[number, unknown]> {
  const before = await git.git('for-each-ref');
  const { status, body } = await request;
  expect(await git.git('for-each-ref')).toBe(before);
  return [status, body];
}

const cannot = (verb: string, past: string): [number, unknown] => [
  400,
  {
    message:
      `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${past}, ` +
      'or a more recent commit may have updated some of its content.',
  },
];

describe('POST /projects/:id/repository/commits/:sha/cherry_pick', () => {
  it('puts the change on the branch: the author kept, the caller its committer', async () => {
    await git.commit({ branch: 'topic', files: { a: 'one\n2\n3\n4\n5\n' } });
    const tip = await git.git('rev-parse', 'topic');
    const answer = await apply('cherry_pick', picked);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: await git.git('rev-parse', 'topic'),
      short_id: answer.body.id.slice(0, 8),
      title: 'Add and change',
      message: `Add and change\n\nThe body.\n\n(cherry picked from commit ${picked})`,
      author_name: 'Ann Author',
      author_email: 'ann@example.com',
      authored_date: expect.stringMatching(/\+02:00$/),
      committer_name: user.name,
      committer_email: user.email,
      committed_date: expect.any(String),
      created_at: answer.body.committed_date,
      parent_ids: [tip],
    });
    expect(await git.git('show', 'topic:a')).toBe('one\n2\n3\n4\nfive');
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('takes a branch or tag for the commit, and an abbreviated hash', async () => {
    await git.tag('v1', picked);
    for (const name of ['feature', 'v1', picked.slice(0, 8)]) {
      await git.git('branch', '-f', 'topic', 'master');
      await apply('cherry_pick', name).expect(201);
    }
  });

  it('picks what a merge brought to its first parent', async () => {
    await git.git('branch', 'side', 'master');
    const merge = await git.merge([picked], {
      branch: 'side',
      files: { a: '1\n2\n3\n4\nfive\n', new: 'n\n' },
    });
    await apply('cherry_pick', merge).expect(201);
    expect(await git.git('diff', '--name-only', 'master', 'topic')).toBe('a\nnew');
    expect(await git.git('rev-list', '--parents', '-1', 'topic')).toMatch(/^\w+ \w+$/);
  });

  it('picks a root commit', async () => {
    const root = await git.commit({ branch: 'root', parents: [], files: { alone: 'x\n' } });
    await apply('cherry_pick', root).expect(201);
    expect(await git.git('ls-tree', '--name-only', 'topic')).toBe('a\nalone\nb');
  });

  it('follows a file that was renamed on the branch', async () => {
    await git.commit({ branch: 'topic', files: { renamed: { renamedFrom: 'a' } } });
    await apply('cherry_pick', picked).expect(201);
    expect(await git.git('show', 'topic:renamed')).toBe('1\n2\n3\n4\nfive');
  });

  it('refuses a conflict, and what is there already', async () => {
    await apply('cherry_pick', picked).expect(201);
    expect(await refused(apply('cherry_pick', picked))).toEqual(cannot('cherry-pick', 'cherry-picked'));
    await git.commit({ branch: 'other', parents: [project.tip], files: { a: '1\n2\n3\n4\nfünf\n' } });
    expect(await refused(apply('cherry_pick', picked, { branch: 'other' }))).toEqual(
      cannot('cherry-pick', 'cherry-picked'),
    );
    expect(await git.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });
});

describe('POST /projects/:id/repository/commits/:sha/revert', () => {
  it('takes the change back, the caller author and committer', async () => {
    const answer = await apply('revert', picked, { branch: 'feature' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      title: 'Revert "Add and change"',
      message: `Revert "Add and change"\n\nThis reverts commit ${picked}`,
      author_name: user.name,
      author_email: user.email,
      committer_name: user.name,
      parent_ids: [picked],
    });
    expect(answer.body).not.toHaveProperty('stats');
    expect(await git.git('diff', 'master', 'feature')).toBe('');
  });

  it('takes back a merge, against its first parent', async () => {
    const merge = await git.merge([picked], {
      branch: 'topic',
      files: { a: '1\n2\n3\n4\nfive\n', new: 'n\n' },
    });
    await apply('revert', merge).expect(201);
    expect(await git.git('diff', 'master', 'topic')).toBe('');
  });

  it('takes back a root commit, down to an empty tree', async () => {
    await apply('revert', project.tip).expect(201);
    expect(await git.git('ls-tree', 'topic')).toBe('');
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('takes back a revert', async () => {
    const { body } = await apply('revert', picked, { branch: 'feature' });
    await apply('revert', body.id, { branch: 'feature' }).expect(201);
    expect(await git.git('diff', picked, 'feature')).toBe('');
  });

  it('refuses a conflict, and what is not there any more', async () => {
    await apply('revert', picked, { branch: 'feature' }).expect(201);
    expect(await refused(apply('revert', picked, { branch: 'feature' }))).toEqual(
      cannot('revert', 'reverted'),
    );
    await git.commit({ branch: 'other', parents: [picked], files: { a: '1\n2\n3\n4\nfünf\n' } });
    expect(await refused(apply('revert', picked, { branch: 'other' }))).toEqual(cannot('revert', 'reverted'));
  });
});

describe.each(['cherry_pick', 'revert'] as const)('what %s refuses, in this order', (verb) => {
  it('a missing or empty branch', async () => {
    expect(await refused(apply(verb, picked, {}))).toEqual([
      400,
      { message: '400 (Bad request) "branch" not given' },
    ]);
    expect(await refused(apply(verb, picked, { branch: '' }))).toEqual([400, { error: 'branch is empty' }]);
    expect(await refused(apply(verb, picked, { branch: ['x'] }))).toEqual([
      400,
      { error: 'branch is invalid' },
    ]);
  });

  it('a branch that the caller may not push to', async () => {
    expect(await refused(apply(verb, 'nope', { branch: 'master' }))).toEqual([
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ]);
  });

  it('an unknown commit', async () => {
    for (const sha of [
      'nope',
      'f'.repeat(40),
      'master~0',
      '--abort',
      await git.git('rev-parse', 'master^{tree}'),
    ]) {
      expect(await refused(apply(verb, sha, { branch: 'a b' }))).toEqual([
        404,
        { message: '404 Commit Not Found' },
      ]);
    }
  });

  it('a name that no branch may have, and an unknown branch', async () => {
    for (const branch of ['a b', '--x', 'a..b', 'refs/heads/topic']) {
      expect(await refused(apply(verb, picked, { branch }))).toEqual([
        400,
        { message: 'The branch refname is invalid' },
      ]);
    }
    expect(await refused(apply(verb, picked, { branch: 'nope' }))).toEqual([
      404,
      { message: '404 Branch Not Found' },
    ]);
  });

  it('everybody but developers', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    for (const built of Object.values(cast.projects)) {
      const repository = GitFixture.on(built.repositoryPath);
      await repository.commit({ branch: 'change', parents: [built.tip], files: { a: 'y' } });
      for (let turn = 1; turn <= 24; turn += 1) {
        await repository.git('branch', `b${turn}`, verb === 'revert' ? 'change' : 'master');
      }
    }
    const path = (id: number): string => `/projects/${id}/repository/commits/change/${verb}`;
    const row = await cast.row((api, { id }, turn) => api.post(path(id), { branch: `b${turn}` }));
    expect(row).toEqual(writeRow(201));
  });
});

describe('many picks onto one branch at once', () => {
  it('all arrive', async () => {
    const commits: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      commits.push(
        await git.commit({ branch: `side${index}`, parents: [project.tip], files: { [`f${index}`]: 'x' } }),
      );
    }
    const answers = await Promise.all(commits.map((sha) => apply('cherry_pick', sha)));
    expect(answers.map(({ status }) => status)).toEqual(commits.map(() => 201));
    expect((await git.git('ls-tree', '--name-only', 'topic')).split('\n')).toHaveLength(10);
  });
});
