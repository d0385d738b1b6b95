import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { GitFixture, processesWith, until } from '#libs/testing';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { GitClone } from './support/git-client';
import { complaintsAbout, refsOf } from './support/verdicts';

const LARGE = 24 * 1024 * 1024;
const LINES = 200;
const VERSIONS = 400;

describe('clients that leave before the answer', () => {
  const application = useApplication();
  let user: BuiltUser;
  let project: BuiltProject;
  let remote: string;

  /** git's processes for the project whose arguments match; those kept for later requests do not count. */
  const running = async (what: RegExp): Promise<number[]> => {
    const found = await processesWith(project.repositoryPath);
    return found
      .filter(({ command }) => what.test(command) && command.startsWith('git '))
      .map(({ pid }) => pid);
  };
  const isRunning = (what: RegExp): Promise<boolean> => running(what).then((pids) => pids.length > 0);
  const hasEnded = (what: RegExp): Promise<boolean> => running(what).then((pids) => pids.length === 0);

  const request = (to: string): http.ClientRequest => {
    const url = `${application.current.url}/api/v4/projects/${project.id}/repository${to}`;
    const made = http.get(url, { headers: { 'private-token': user.token }, agent: false });
    made.on('error', () => undefined);
    return made;
  };
  const cloneAs = (name: string): Promise<GitClone> =>
    GitClone.of(remote, path.join(application.current.settings.dataDir, `${name}-${project.id}`));

  beforeAll(async () => {
    const { build, url } = application.current;
    user = await build.user();
    project = await build.project({
      owner: user,
      members: { maintainer: user },
      files: { 'README.md': '# Left\n' },
    });
    remote = `${url.replace('://', `://${user.username}:${user.token}@`)}/${project.fullPath}.git`;
    const fixture = GitFixture.on(project.repositoryPath);
    await fixture.commit({ branch: 'master', files: { 'large.bin': randomBytes(LARGE) } });
    await fixture.gitBytes(['fast-import', '--quiet', '--force'], muchChanged());
  }, 60_000);

  /** A file that each of many commits changes at one line: blame has to look at all of them. */
  function muchChanged(): string {
    const lines = Array.from({ length: LINES }, (_, line) => `line ${line}`);
    const commits = Array.from({ length: VERSIONS }, (_, version) => {
      lines[version % LINES] = `line ${version % LINES} of version ${version} ${'and more '.repeat(500)}`;
      const text = lines.join('\n');
      return [
        'commit refs/heads/blamed',
        `committer C <c@example.com> ${1_600_000_000 + version} +0000`,
        'data 6',
        'change',
        'M 100644 inline blamed.txt',
        `data ${Buffer.byteLength(text)}`,
        text,
        '',
      ].join('\n');
    });
    return commits.join('');
  }

  it.each([
    ['a blame', '/files/blamed.txt/blame?ref=blamed', / blame /],
    ['an archive', '/archive.tar.gz?sha=master', / archive /],
  ])('%s is stopped', async (_, to, what) => {
    const left = request(to);
    left.on('response', (response) => response.pause());
    await until(() => isRunning(what));
    left.destroy();
    await until(() => hasEnded(what));
  });

  it('a clone is stopped', async () => {
    const child = spawn(
      'git',
      ['clone', '--quiet', remote, path.join(application.current.settings.dataDir, 'killed')],
      {
        env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
        stdio: 'ignore',
        detached: true,
      },
    );
    await until(() => isRunning(/ upload-pack /));
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await until(() => hasEnded(/ upload-pack /));
  });

  it('a push that is killed half way leaves nothing behind and nobody waiting', async () => {
    const clone = await cloneAs('pusher');
    await clone.git('config', 'core.compression', '0');
    await clone.commit('huge.bin', randomBytes(LARGE));
    const before = await contents();
    const child = spawn('git', ['-C', clone.folder, 'push', '--quiet', remote, 'HEAD:refs/heads/half'], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
      stdio: 'ignore',
      detached: true,
    });
    await until(async () => (await contents()).some((name) => /incoming-/.test(name)));
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await until(() => hasEnded(/ receive-pack /));
    expect((await refsOf(project.repositoryPath)).has('refs/heads/half')).toBe(false);
    expect(await contents()).toEqual(before);
    const answer = await application.current.as(user).post(`/projects/${project.id}/repository/commits`, {
      branch: 'master',
      commit_message: 'Go on',
      actions: [{ action: 'create', file_path: 'new.txt', content: 'new' }],
    });
    expect(answer.status).toBe(201);
    expect(await clone.push(remote, 'HEAD:refs/heads/half')).toBe(true);
    expect(await complaintsAbout(project.repositoryPath)).toEqual([]);
    const { rows } = await application.current.database.query('SELECT id FROM ref_intents');
    expect(rows).toEqual([]);
  }, 60_000);

  /** All object files and folders of the repository. */
  const contents = async (): Promise<string[]> =>
    (await readdir(path.join(project.repositoryPath, 'objects'), { recursive: true })).sort();
});
