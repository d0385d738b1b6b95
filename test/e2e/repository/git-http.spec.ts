import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { useApplication } from '../../support/application';

const app = useApplication();
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'git-client-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: os.tmpdir(),
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Pusher',
  GIT_AUTHOR_EMAIL: 'pusher@example.com',
  GIT_COMMITTER_NAME: 'Pusher',
  GIT_COMMITTER_EMAIL: 'pusher@example.com',
};

/** The real client; answers both of its outputs, throws what it says when it fails. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run('git', args, { cwd, env: ENVIRONMENT });
  return stdout + stderr;
}

const remote = (fullPath: string, token?: string): string => {
  const url = new URL(`${app.current.url}/${fullPath}.git`);
  if (token !== undefined) Object.assign(url, { username: 'anybody', password: token });
  return url.href;
};

describe('git over HTTP', () => {
  it('clones a public project without a word', async () => {
    const project = await app.current.build.project({ visibility: 'public', files: { README: 'hello' } });
    await git(folder, 'clone', '-q', remote(project.fullPath), 'public-clone');
    expect(await fs.readFile(path.join(folder, 'public-clone', 'README'), 'utf8')).toBe('hello');
  });

  it('takes the first push and tells of it through the API', async () => {
    const maintainer = await app.current.build.user();
    const project = await app.current.build.project({ owner: maintainer });
    const work = path.join(folder, 'first');
    await git(folder, 'init', '-q', '-b', 'main', work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'First');
    await git(work, 'push', '-q', remote(project.fullPath, maintainer.token), 'main');
    const answer = await app.current.as(maintainer).get(`/projects/${project.id}/repository/commits`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject([{ title: 'First', author_name: 'Pusher' }]);
  });

  it('refuses a developer on the protected branch and says why', async () => {
    const developer = await app.current.build.user();
    const project = await app.current.build.project({ files: { a: '1' }, members: { developer } });
    const work = path.join(folder, 'refused');
    await git(folder, 'clone', '-q', remote(project.fullPath, developer.token), work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Not allowed');
    await expect(git(work, 'push', 'origin', 'master')).rejects.toThrow(
      'remote: You are not allowed to push code to protected branches on this project.',
    );
    await git(work, 'push', '-q', 'origin', 'master:topic');
    const branches = await run('git', ['-C', project.repositoryPath, 'for-each-ref', '--format=%(refname)']);
    expect(branches.stdout).toBe('refs/heads/master\nrefs/heads/topic\n');
  });
});
