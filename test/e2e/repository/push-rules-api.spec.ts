import { GitFixture, until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { PushRules } from '../../../src/repository/push-rules/push-rules.service';
import { PushRulesRepository } from '../../../src/repository/push-rules/push-rules.repository';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { newSigningKey, signedCommit } from '../../support/signed-commits';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    members: { maintainer: user },
    files: { a: 'first', 'old name': 'moved\n'.repeat(20) },
  });
  git = GitFixture.on(project.repositoryPath);
});
afterEach(() => jest.restoreAllMocks());

const api = () => app.current.as(user);
const inRepository = (rest: string) => `/projects/${project.id}/repository/${rest}`;

async function rule(fields: object): Promise<void> {
  const { status } = await api().post(`/projects/${project.id}/push_rule`, fields);
  expect(status).toBe(201);
}

const refs = () => git.git('for-each-ref', '--format=%(refname) %(objectname)');

/** The request is refused with the sentence, and nothing has moved. */
async function refuses(send: () => PromiseLike<{ status: number; body: unknown }>, message: unknown) {
  const before = await refs();
  const { status, body } = await send();
  expect([status, body]).toEqual([400, { message }]);
  expect(await refs()).toBe(before);
}

const commit = (fields: object = {}) =>
  api().post(inRepository('commits'), {
    branch: 'master',
    commit_message: 'Fixes #1',
    actions: [{ action: 'update', file_path: 'a', content: `${Math.random()}` }],
    ...fields,
  });
const file = (path: string, fields: object = {}) =>
  api().post(inRepository(`files/${encodeURIComponent(path)}`), {
    branch: 'master',
    content: 'x',
    commit_message: 'Fixes #1',
    ...fields,
  });

describe('a rule on commit messages', () => {
  const refusal = "Commit message does not follow the pattern '^Fixes #\\d+$'";

  it('judges every way in which the API makes a commit', async () => {
    await commit({ commit_message: 'No reference' });
    const { body: picked } = await commit({ branch: 'side', start_branch: 'master', commit_message: 'Side' });
    await rule({ commit_message_regex: '^Fixes #\\d+$' });
    const bad = { commit_message: 'No reference', branch: 'master' };
    await refuses(() => commit(bad), refusal);
    await refuses(() => commit({ ...bad, branch: 'new', start_branch: 'master' }), refusal);
    await refuses(() => file('new', bad), refusal);
    await refuses(() => api().put(inRepository('files/a'), { ...bad, content: 'y' }), refusal);
    await refuses(() => api().delete(inRepository('files/a'), bad), refusal);
    await refuses(
      () => api().post(inRepository(`commits/${picked.id}/cherry_pick`), { branch: 'master' }),
      refusal,
    );
    await refuses(() => api().post(inRepository(`commits/${picked.id}/revert`), { branch: 'side' }), refusal);

    expect((await commit()).status).toBe(201);
    expect((await file('new')).status).toBe(201);
    expect((await commit({ commit_message: 'Title\n\nFixes #2\n' })).status).toBe(201);
  });

  it('may forbid what others say', async () => {
    await rule({ commit_message_negative_regex: 'ssh\\:\\/\\/' });
    await refuses(
      () => commit({ commit_message: 'See\nssh://host' }),
      "Commit message contains the forbidden pattern 'ssh\\:\\/\\/'",
    );
    expect((await commit()).status).toBe(201);
  });

  it('does not look at commits that are there already', async () => {
    await commit({ commit_message: 'Before the rule' });
    await rule({ commit_message_regex: '^Fixes' });
    const branch = await api().post(inRepository('branches'), { branch: 'from', ref: 'master' });
    expect(branch.status).toBe(201);
    expect((await api().post(inRepository('tags'), { tag_name: 'v1', ref: 'master' })).status).toBe(201);
  });

  it('refuses a message that would take too long, and is quick about hostile ones', async () => {
    await rule({ commit_message_regex: '(?:a.{900}|b.{90})[^ab]' });
    await refuses(
      () => commit({ commit_message: 'ab'.repeat(20_000) }),
      expect.stringMatching(/^A text of 40000 characters is too long to be compared with the pattern /),
    );
    await refuses(
      () => commit({ commit_message: 'ab'.repeat(1000) }),
      expect.stringContaining('does not follow'),
    );
  });
});

describe('a rule on branch names', () => {
  it('judges branches that are made or moved, but for the default one', async () => {
    await api().post(inRepository('branches'), { branch: 'old', ref: 'master' });
    await rule({ branch_name_regex: '^(feature|hotfix)/' });
    const refusal = "Branch name does not follow the pattern '^(feature|hotfix)/'";
    await refuses(() => api().post(inRepository('branches'), { branch: 'new', ref: 'master' }), refusal);
    await refuses(() => commit({ branch: 'new', start_branch: 'master' }), refusal);
    await refuses(() => file('b', { branch: 'old' }), refusal);

    const made = await api().post(inRepository('branches'), { branch: 'feature/x', ref: 'master' });
    expect(made.status).toBe(201);
    expect((await commit({ branch: 'hotfix/y', start_branch: 'master' })).status).toBe(201);
    expect((await commit()).status).toBe(201);
    expect((await api().delete(inRepository('branches/old'))).status).toBe(204);
  });

  it('lets an empty repository begin', async () => {
    project = await app.current.build.project({ members: { maintainer: user } });
    await rule({ branch_name_regex: '^feature/' });
    expect((await file('a', { branch: 'master' })).status).toBe(201);
    expect((await file('a', { branch: 'other', start_branch: 'master' })).status).toBe(400);
  });
});

describe('a rule on tags', () => {
  it('keeps them from being deleted', async () => {
    await api().post(inRepository('tags'), { tag_name: 'v1', ref: 'master', release_description: 'One' });
    await rule({ deny_delete_tag: true });
    await refuses(() => api().delete(inRepository('tags/v1')), 'You cannot delete a tag');
    expect((await api().get(inRepository('tags/v1'))).body.release.description).toBe('One');
    expect((await api().post(inRepository('tags'), { tag_name: 'v2', ref: 'master' })).status).toBe(201);
    await api().put(`/projects/${project.id}/push_rule`, { deny_delete_tag: false });
    expect((await api().delete(inRepository('tags/v1'))).status).toBe(204);
  });
});

describe('a rule on people', () => {
  it('asks for addresses of a form', async () => {
    await rule({ author_email_regex: '@example\\.com$' });
    await refuses(
      () => commit({ author_email: 'ann@elsewhere.test' }),
      "Author's email 'ann@elsewhere.test' does not follow the pattern '@example\\.com$'",
    );
    expect((await commit({ author_email: 'ann@example.com' })).status).toBe(201);
    await app.current.database.query(`UPDATE users SET email = 'me@elsewhere.test' WHERE id = $1`, [user.id]);
    await refuses(
      () => commit({ author_email: 'ann@example.com' }),
      "Committer's email 'me@elsewhere.test' does not follow the pattern '@example\\.com$'",
    );
  });

  it('asks for users of the service, by any address that they have confirmed', async () => {
    const other = await app.current.build.user();
    await app.current.database.query(
      `INSERT INTO emails (user_id, email, confirmed_at) VALUES ($1, 'Second@Example.com', now()), ($1, 'unconfirmed@example.com', NULL)`,
      [other.id],
    );
    await rule({ member_check: true });
    for (const author_email of ['nobody@example.com', 'unconfirmed@example.com'])
      await refuses(() => commit({ author_email }), `Author '${author_email}' is not a member of team`);
    for (const author_email of [other.email.toUpperCase(), 'second@example.com'])
      expect((await commit({ author_email })).status).toBe(201);
    expect((await commit()).status).toBe(201);
  });

  it('asks for a confirmed address of the committer', async () => {
    await rule({ commit_committer_check: true });
    expect((await commit({ author_email: 'any@example.com' })).status).toBe(201);
    await app.current.database.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [user.id]);
    await refuses(
      () => commit(),
      `You cannot push commits for '${user.email}'. You can only push commits that were committed with one of your own verified emails.`,
    );
  });

  it('does not ask the service to sign what it commits itself, but what comes along', async () => {
    const key = await newSigningKey({ emails: [user.email] });
    const signed = await signedCommit(project, { email: user.email, key });
    const unsigned = await git.commit({ branch: 'aside', parents: [project.tip], files: { b: 'x' } });
    await git.git('branch', '-D', 'aside');
    await rule({ reject_unsigned_commits: true });
    expect((await commit()).status).toBe(201);
    // No ref reaches these two: a branch on them brings them in.
    expect((await commit({ branch: 'signed', start_sha: signed })).status).toBe(201);
    const refusal = 'Commit must be signed with a GPG key';
    await refuses(() => commit({ branch: 'unsigned', start_sha: unsigned }), refusal);
    await refuses(() => api().post(inRepository('branches'), { branch: 'unsigned', ref: unsigned }), refusal);
    await refuses(() => api().post(inRepository('tags'), { tag_name: 'v1', ref: unsigned }), refusal);
  });
});

describe('a rule on files', () => {
  it('refuses new names that fit, moved and copied ones too', async () => {
    await file('kept.exe');
    await rule({ file_name_regex: '(jar|exe)$' });
    const refusal = (name: string) => `File name ${name} was blacklisted by the pattern (jar|exe)$.`;
    await refuses(() => file('dir/new.jar'), refusal('dir/new.jar'));
    const move = { action: 'move', previous_path: 'old name', file_path: 'x.exe' };
    await refuses(() => commit({ actions: [move] }), refusal('x.exe'));
    await refuses(() => file('copy.exe', { content: 'x' }), refusal('copy.exe'));

    const change = { branch: 'master', content: 'y', commit_message: 'Change what is there' };
    expect((await api().put(inRepository('files/kept.exe'), change)).status).toBe(200);
    expect((await file('jar/readme')).status).toBe(201);
    const gone = { branch: 'master', commit_message: 'Remove it' };
    expect((await api().delete(inRepository('files/kept.exe'), gone)).status).toBe(204);
  });

  it('refuses files that hold secrets', async () => {
    await rule({ prevent_secrets: true });
    const secrets = [
      'id_rsa',
      'keys/id_ed25519',
      'server.PEM',
      'tls/private.key',
      '.aws/credentials',
      '.bash_history',
    ];
    for (const name of secrets)
      await refuses(() => file(name), expect.stringMatching(/^File name .* was blacklisted by the pattern /));
    for (const name of ['id_rsa.pub', 'pem', 'keyboard.md', 'history.md', 'src/key.ts'])
      expect((await file(name)).status).toBe(201);
  });

  it('limits the size of what is new', async () => {
    const large = 'x'.repeat(1024 * 1024);
    await file('large before', { content: `${large}y` });
    await rule({ max_file_size: 1 });
    await refuses(
      () => file('dir/large', { content: `${large}z` }),
      'File "dir/large" is larger than the allowed size of 1 MB',
    );
    expect((await file('just', { content: large })).status).toBe(201);
    expect((await file('copy', { content: `${large}y` })).status).toBe(201);
  });
});

describe('a rule that changes while a commit waits for the repository', () => {
  it('counts as it is then', async () => {
    const moves = app.current.nest.get(RefMoves);
    const { sent } = await moves.locked(project, async () => {
      const waiting = jest.spyOn(moves, 'lockedAnew');
      const request = Promise.resolve(commit({ commit_message: 'No reference' }));
      await until(() => waiting.mock.calls[0]);
      await rule({ commit_message_regex: '^Fixes' });
      return { sent: request };
    });
    const { status, body } = await sent;
    expect([status, body]).toEqual([400, { message: "Commit message does not follow the pattern '^Fixes'" }]);
  });
});

describe('a change that is too large to be checked', () => {
  const sha = 'a'.repeat(40);
  const anyChange = async (shas: readonly string[]) => ({
    rule: await app.current.nest.get(PushRulesRepository).find(project.id),
    project: { defaultBranch: 'master' },
    user,
    updates: [{ ref: 'refs/heads/master', oldSha: project.tip, newSha: sha }],
    made: null,
    reader: {
      newCommits: async (_tips: readonly string[], most: number) => shas.slice(0, most),
      commits: async () => [],
      signature: async () => null,
      newBlobAbove: async () => null,
      newPaths: async function* () {
        yield { commit: sha, path: 'a' };
      },
    },
  });

  it('is refused, and not taken for a good one', async () => {
    await rule({ commit_message_regex: 'x', file_name_regex: 'x$' });
    const rules = app.current.nest.get(PushRules);
    const many = Array.from({ length: 60_000 }, () => sha);
    expect(await rules.refusalOf(await anyChange(many))).toBe(
      'A push of more than 50000 commits cannot be checked. Push them in parts',
    );
    expect(await rules.refusalOf(await anyChange(many.slice(0, 50_000)))).toBeNull();
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(0);
    clock.mockReturnValueOnce(20_001);
    expect(await rules.refusalOf(await anyChange([sha]))).toBe(
      'The push could not be checked in time. Push its commits in several parts',
    );
  });
});

describe('a project without a push rule', () => {
  it('has commits that cost no statement for it', async () => {
    await commit();
    const statements = await statementsDuring(() => Promise.resolve(commit()));
    const asked = statements.filter(({ text }) => text.includes('push_rules'));
    expect(asked.map(({ text }) => text.includes('protected_branches'))).toEqual([true]);
  });
});
