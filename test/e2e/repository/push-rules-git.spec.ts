import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GitFixture, until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { git, remoteOf } from '../../support/git-client';
import { newSigningKey, signedCommit } from '../../support/signed-commits';

const app = useApplication();

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'push-rules-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

let user: BuiltUser;
let project: BuiltProject;
let work: string;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    members: { maintainer: user },
    files: { a: 'first', 'old name': 'moved\n'.repeat(20) },
  });
  work = await fs.mkdtemp(path.join(folder, 'work-'));
  await git(folder, 'clone', '-q', remoteOf(app.current.url, project.fullPath, user.token), work);
});
afterEach(() => jest.restoreAllMocks());

async function rule(fields: object): Promise<void> {
  const api = app.current.as(user);
  const answer = await api.post(`/projects/${project.id}/push_rule`, fields);
  expect(answer.status).toBe(201);
}

async function commit(message: string, files: Readonly<Record<string, string>> = { a: `${Math.random()}` }) {
  for (const [name, content] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(work, name)), { recursive: true });
    await fs.writeFile(path.join(work, name), content);
  }
  await git(work, 'add', '-A');
  await git(work, 'commit', '-q', '--allow-empty', '-m', message);
}

const push = (...what: string[]) => git(work, 'push', 'origin', ...what);
const server = () => GitFixture.on(project.repositoryPath);
const stateOf = async () => [
  await server().git('for-each-ref', '--format=%(refname) %(objectname)'),
  await server().git('count-objects', '-v'),
  (await fs.readdir(path.join(project.repositoryPath, 'objects'))).filter((name) => name.includes('tmp')),
];

/** git's user reads the sentence; no ref has moved and no object is kept. */
async function refuses(sentence: string, ...what: string[]): Promise<void> {
  const before = await stateOf();
  await expect(push(...what)).rejects.toThrow(`remote: ${sentence}`);
  expect(await stateOf()).toEqual(before);
}

describe('a push under a rule on commit messages', () => {
  it('is refused for any of its commits, however it comes in', async () => {
    await rule({ commit_message_regex: '^Fixes #\\d+$' });
    const refusal = "Commit message does not follow the pattern '^Fixes #\\d+$'";
    await commit('Fixes #1');
    await push('master');
    await commit('No reference');
    await commit('Fixes #2');
    await refuses(refusal, 'master');
    await refuses(refusal, 'HEAD:topic');
    await git(work, 'tag', '-a', '-m', 'Anything', 'v1');
    await refuses(refusal, 'v1');
    await refuses(refusal, 'HEAD~2:refs/heads/fine', 'HEAD:topic');
    await git(work, 'reset', '-q', '--hard', 'HEAD~2');
    await commit('Title\n\nFixes #3');
    await push('master', 'master:other');
    await git(work, 'tag', '-a', '-m', 'Anything', 'v2');
    await push('v2');
  });

  it('may not contain what is forbidden', async () => {
    await rule({ commit_message_negative_regex: 'JIRA\\-' });
    await commit('See JIRA-17');
    await refuses("Commit message contains the forbidden pattern 'JIRA\\-'", 'master');
    await git(work, 'commit', '-q', '--amend', '-m', 'See #17');
    await push('master');
  });
});

describe('a push under a rule on refs', () => {
  it('brings branches of good names alone', async () => {
    await rule({ branch_name_regex: '^feature/' });
    await refuses("Branch name does not follow the pattern '^feature/'", 'HEAD:topic');
    await refuses("Branch name does not follow the pattern '^feature/'", 'HEAD:feature/x', 'HEAD:topic');
    await commit('To the default branch');
    await push('master', 'master:feature/x');
    await server().git('branch', 'older', 'master');
    await push(':older');
  });

  it('deletes no tags', async () => {
    await rule({ deny_delete_tag: true });
    await push('HEAD:refs/tags/v1');
    await refuses('You cannot delete a tag', ':refs/tags/v1');
    await push('HEAD:refs/heads/topic');
    await push(':topic');
  });
});

describe('a push under a rule on people', () => {
  it('has addresses of the right form', async () => {
    await rule({ author_email_regex: '@example\\.com$' });
    await commit('As pusher@example.com');
    await push('master');
    await git(work, 'commit', '-q', '--amend', '--no-edit', '--author', 'Eve <eve@elsewhere.test>');
    await refuses(
      "Author's email 'eve@elsewhere.test' does not follow the pattern '@example\\.com$'",
      'HEAD:topic',
    );
  });

  it('has users of the service for authors and committers', async () => {
    await rule({ member_check: true });
    await commit('By nobody');
    await refuses("Author 'pusher@example.com' is not a member of team", 'master');
    await git(work, 'commit', '-q', '--amend', '--no-edit', '--author', `Me <${user.email}>`);
    await refuses("Committer 'pusher@example.com' is not a member of team", 'master');
    const pusher = await app.current.build.user();
    await app.current.database.query(
      `INSERT INTO emails (user_id, email, confirmed_at) VALUES ($1, 'Pusher@Example.com', now())`,
      [pusher.id],
    );
    await push('master');
    await app.current.database.query(`DELETE FROM emails WHERE user_id = $1`, [pusher.id]);
  });

  it('has whoever pushes for a committer', async () => {
    await rule({ commit_committer_check: true });
    await commit('Of another committer');
    await refuses("You cannot push commits for 'pusher@example.com'.", 'master');
    await app.current.database.query(
      `INSERT INTO emails (user_id, email, confirmed_at) VALUES ($1, 'pusher@example.com', NULL)`,
      [user.id],
    );
    await refuses("You cannot push commits for 'pusher@example.com'.", 'master');
    await app.current.database.query(`UPDATE emails SET confirmed_at = now() WHERE user_id = $1`, [user.id]);
    await push('master');
    await app.current.database.query(`DELETE FROM emails WHERE user_id = $1`, [user.id]);
  });

  it('has signatures', async () => {
    await rule({ reject_unsigned_commits: true });
    await commit('Unsigned');
    await refuses('Commit must be signed with a GPG key', 'master');
    const key = await newSigningKey({ emails: [user.email] });
    const signed = await signedCommit(project, { email: user.email, key });
    const nonsense = await signedCommit(project, { email: user.email, key, armor: 'not a signature' });
    // Unreached objects of the server, which the client fetches by name and pushes like any other.
    await git(work, 'fetch', '-q', project.repositoryPath, signed, nonsense);
    await expect(push(`${nonsense}:refs/heads/nonsense`)).rejects.toThrow('Commit must be signed');
    await push(`${signed}:refs/heads/signed`);

    const { status } = await app.current.as(user).post('/user/gpg_keys', { key: key.toPublic().armor() });
    expect(status).toBe(201);
    const forged = await signedCommit(project, {
      email: user.email,
      key,
      tamper: (text) => `${text}Tampered\n`,
    });
    await git(work, 'fetch', '-q', project.repositoryPath, forged);
    await expect(push(`${forged}:refs/heads/forged`)).rejects.toThrow('Commit must be signed');
    const good = await signedCommit(project, { email: user.email, key });
    await git(work, 'fetch', '-q', project.repositoryPath, good);
    await push(`${good}:refs/heads/good`);
  });
});

describe('a push under a rule on files', () => {
  it('brings no forbidden names, of new or of moved files', async () => {
    await commit('Before', { 'kept.exe': '1' });
    await push('master');
    await rule({ file_name_regex: '(jar|exe)$' });
    await commit('Adds', { 'dir/new.jar': '1' });
    await commit('Removes it again', {});
    await git(work, 'rm', '-q', 'dir/new.jar');
    await commit('Removes it again', {});
    await refuses('File name dir/new.jar was blacklisted by the pattern (jar|exe)$.', 'master');
    await git(work, 'reset', '-q', '--hard', 'origin/master');
    await git(work, 'mv', 'old name', 'x.exe');
    await commit('Moves', {});
    await refuses('File name x.exe was blacklisted by the pattern (jar|exe)$.', 'master');
    await git(work, 'reset', '-q', '--hard', 'origin/master');
    await commit('Changes', { 'kept.exe': '2' });
    await git(work, 'rm', '-q', 'kept.exe');
    await commit('Removes', { 'jar/file': '1' });
    await push('master');
  });

  it('brings no secrets', async () => {
    await rule({ prevent_secrets: true });
    await commit('Adds', { 'keys/id_rsa': 'secret', b: '1' });
    await refuses('File name keys/id_rsa was blacklisted by the pattern', 'master');
    await git(work, 'rm', '-q', '--cached', 'keys/id_rsa');
    await git(work, 'mv', 'b', 'c');
    await fs.rm(path.join(work, 'keys'), { recursive: true });
    await git(work, 'commit', '-q', '--amend', '-m', 'Without it');
    await push('master');
  });

  it('brings no large files, not even under a tag or removed again', async () => {
    await commit('Before', { large: 'x'.repeat(1024 * 1024 + 1) });
    await push('master');
    await rule({ max_file_size: 1 });
    await commit('Adds', { 'dir/larger': 'y'.repeat(1024 * 1024 + 1) });
    await fs.rm(path.join(work, 'dir/larger'));
    await commit('Removes it again', {});
    const refusal = 'File "dir/larger" is larger than the allowed size of 1 MB';
    await refuses(refusal, 'master');
    await refuses(refusal, 'HEAD:refs/tags/v1');
    await git(work, 'reset', '-q', '--hard', 'origin/master');
    await commit('Copies, and adds a smaller one', {
      copy: 'x'.repeat(1024 * 1024 + 1),
      just: 'z'.repeat(1024 * 1024),
    });
    await push('master');
  });

  it('is refused with a name that is safe for the terminal', async () => {
    await rule({ file_name_regex: 'x$' });
    await commit('Adds', { 'a\u001b[31m\nx': '1' });
    await refuses('File name a?[31m?x was blacklisted by the pattern x$.', 'master');
  });
});

describe('a push that waits for the repository', () => {
  it('meets the rule that is there when its turn comes', async () => {
    await commit('No reference');
    const moves = app.current.nest.get(RefMoves);
    const { pushed } = await moves.locked(project, async () => {
      const waiting = jest.spyOn(moves, 'locked');
      const outcome = push('master').then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      await until(() => waiting.mock.calls[0]);
      await rule({ commit_message_regex: '^Fixes' });
      return { pushed: outcome };
    });
    expect(await pushed).toContain("Commit message does not follow the pattern '^Fixes'");
  });
});

describe('a push of many commits', () => {
  it('is looked at whole', async () => {
    await rule({ commit_message_negative_regex: 'forbidden', prevent_secrets: true, max_file_size: 1 });
    const lines = ['feature done'];
    for (let index = 1; index <= 1500; index += 1) {
      const message = index === 700 ? 'forbidden' : `Change ${index}`;
      lines.push(
        `commit refs/heads/many\nmark :${index}\ncommitter Me <me@example.com> ${1_700_000_000 + index} +0000`,
        `data ${message.length}\n${message}${index === 1 ? `\nfrom ${project.tip}` : ''}`,
        `M 100644 inline file\ndata ${String(index).length}\n${index}\n`,
      );
    }
    const importing = promisify(execFile)('git', ['fast-import', '--quiet'], { cwd: work });
    importing.child.stdin?.end(`${lines.join('\n')}\ndone\n`);
    await importing;
    await refuses("Commit message contains the forbidden pattern 'forbidden'", 'many');
    await push('many~801:refs/heads/many');
  });
});
