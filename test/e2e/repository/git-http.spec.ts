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

describe('who may fetch', () => {
  const lsRemote = (fullPath: string, token?: string): Promise<string> =>
    git(folder, 'ls-remote', remote(fullPath, token));

  it('asks anonymous callers of a private or internal project, and of none at all, who they are', async () => {
    const hidden = await app.current.build.project({ files: { a: 'x' } });
    const internal = await app.current.build.project({ visibility: 'internal', files: { a: 'x' } });
    for (const path of [hidden.fullPath, internal.fullPath, 'no/such']) {
      await expect(lsRemote(path)).rejects.toThrow('could not read Username');
    }
  });

  it('lets the token say who it is, as password of any name and as bearer', async () => {
    const reporter = await app.current.build.user();
    const project = await app.current.build.project({ files: { a: 'x' }, members: { reporter } });
    expect(await lsRemote(project.fullPath, reporter.token)).toContain('refs/heads/master');
    const bearer = `http.extraHeader=Authorization: Bearer ${reporter.token}`;
    expect(await git(folder, '-c', bearer, 'ls-remote', remote(project.fullPath))).toContain(
      'refs/heads/master',
    );
  });

  it('takes the password of the account too, but not a wrong one', async () => {
    const admin = await app.current.build.user({ admin: true });
    const made = await app.current.as(admin).post('/users', {
      email: 'git-user@example.com',
      username: 'git-user',
      name: 'Git User',
      password: 'a long pass phrase',
      skip_confirmation: true,
    });
    expect(made.status).toBe(201);
    const project = await app.current.build.project({ visibility: 'internal', files: { a: 'x' } });
    const withPassword = (password: string): string => {
      const url = new URL(remote(project.fullPath));
      url.username = 'git-user';
      url.password = password;
      return url.href;
    };
    expect(await git(folder, 'ls-remote', withPassword('a long pass phrase'))).toContain('refs/heads/master');
    await expect(git(folder, 'ls-remote', withPassword('a wrong one'))).rejects.toThrow(
      'Authentication failed',
    );
  });

  it('hides a private project from strangers, and forbids its code to guests', async () => {
    const [stranger, guest] = [await app.current.build.user(), await app.current.build.user()];
    const project = await app.current.build.project({ files: { a: 'x' }, members: { guest } });
    await expect(lsRemote(project.fullPath, stranger.token)).rejects.toThrow('not found');
    await expect(lsRemote(project.fullPath, guest.token)).rejects.toThrow('error: 403');
  });

  it.each([
    ['read_repository', true, false],
    ['write_repository', true, true],
    ['api', true, true],
    ['read_api', true, false],
    ['read_user', false, false],
  ] as const)('%s fetches: %s, pushes: %s', async (scope, fetches, pushes) => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const token = await app.current.build.token(owner, [scope]);
    const fetched = lsRemote(project.fullPath, token);
    if (fetches) expect(await fetched).toContain('refs/heads/master');
    else await expect(fetched).rejects.toThrow('error: 403');
    const work = path.join(folder, `scope-${scope}`);
    await git(folder, 'clone', '-q', remote(project.fullPath, owner.token), work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'More');
    const pushed = git(work, 'push', remote(project.fullPath, token), 'HEAD:refs/heads/pushed');
    if (pushes) await pushed;
    else await expect(pushed).rejects.toThrow('error: 403');
  });

  it('refuses expired and revoked tokens and blocked users', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const expired = await app.current.build.token(owner, ['api'], { expiresAt: new Date(0) });
    const revoked = await app.current.build.token(owner, ['api'], { revokedAt: new Date() });
    for (const token of [expired, revoked, 'unknown']) {
      await expect(lsRemote(project.fullPath, token)).rejects.toThrow('Authentication failed');
    }
    await app.current.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [owner.id]);
    await expect(lsRemote(project.fullPath, owner.token)).rejects.toThrow('Authentication failed');
  });

  it('lets a CI job fetch by its token, and not push', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const token = await app.current.build.token(owner, [], { kind: 'job' });
    const asJob = new URL(remote(project.fullPath, token));
    asJob.username = 'gitlab-ci-token';
    const work = path.join(folder, 'job');
    await git(folder, 'clone', '-q', asJob.href, work);
    await expect(git(work, 'push', 'origin', 'HEAD:refs/heads/by-job')).rejects.toThrow('error: 403');
    await expect(lsRemote(project.fullPath, token)).rejects.toThrow('Authentication failed');
  });

  it('does not serve a project whose repository is switched off', async () => {
    const project = await app.current.build.project({
      visibility: 'public',
      files: { a: 'x' },
      columns: { repository_access: 'disabled' },
    });
    const user = await app.current.build.user();
    await expect(lsRemote(project.fullPath, user.token)).rejects.toThrow('error: 403');
  });

  it('finds the project in any letter case, and without the .git suffix', async () => {
    const project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    expect(await lsRemote(project.fullPath.toUpperCase())).toContain('refs/heads/master');
    expect(await git(folder, 'ls-remote', `${app.current.url}/${project.fullPath}`)).toContain(
      'refs/heads/master',
    );
  });
});

describe('fetching', () => {
  it('gives shallow and partial clones', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({
      owner,
      visibility: 'public',
      files: { a: '1', b: '2' },
    });
    for (const content of ['2', '3']) {
      await app.current.as(owner).put(`/projects/${project.id}/repository/files/a`, {
        branch: 'master',
        content,
        commit_message: `a is ${content}`,
      });
    }
    await git(folder, 'clone', '-q', '--depth', '1', remote(project.fullPath), 'shallow');
    const shallow = path.join(folder, 'shallow');
    expect((await git(shallow, 'rev-list', '--count', 'HEAD')).trim()).toBe('1');
    await git(shallow, 'fetch', '-q', '--unshallow');
    expect((await git(shallow, 'rev-list', '--count', 'HEAD')).trim()).toBe('3');

    await git(
      folder,
      'clone',
      '-q',
      '--filter=blob:none',
      '--no-checkout',
      remote(project.fullPath),
      'partial',
    );
    const partial = path.join(folder, 'partial');
    expect(
      (await git(partial, 'rev-list', '--objects', '--missing=print', '--all')).match(/^\?/gm),
    ).not.toBeNull();
    await git(partial, 'checkout', '-q', 'master');
    expect(await fs.readFile(path.join(partial, 'a'), 'utf8')).toBe('3');
  });

  it.each(['0', '1', '2'])('speaks protocol version %s', async (version) => {
    const project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    const target = path.join(folder, `version-${version}`);
    await git(folder, '-c', `protocol.version=${version}`, 'clone', '-q', remote(project.fullPath), target);
    expect(await fs.readFile(path.join(target, 'a'), 'utf8')).toBe('x');
  });
});

describe('pushing', () => {
  async function cloneAs(user: { token: string }, fullPath: string, name: string): Promise<string> {
    const work = path.join(folder, name);
    await git(folder, 'clone', '-q', remote(fullPath, user.token), work);
    return work;
  }

  it('is refused to reporters and on archived projects', async () => {
    const [reporter, owner] = [await app.current.build.user(), await app.current.build.user()];
    const project = await app.current.build.project({ owner, files: { a: 'x' }, members: { reporter } });
    const work = await cloneAs(reporter, project.fullPath, 'reporter');
    await expect(git(work, 'push', 'origin', 'HEAD:refs/heads/new')).rejects.toThrow('error: 403');
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    await expect(
      git(work, 'push', remote(project.fullPath, owner.token), 'HEAD:refs/heads/new'),
    ).rejects.toThrow('error: 403');
  });

  it('of the first branch into an empty repository is for maintainers, and protects it', async () => {
    const [developer, maintainer] = [await app.current.build.user(), await app.current.build.user()];
    const project = await app.current.build.project({ members: { developer, maintainer } });
    const work = path.join(folder, 'begin');
    await git(folder, 'init', '-q', '-b', 'trunk', work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'First');
    await expect(git(work, 'push', remote(project.fullPath, developer.token), 'trunk')).rejects.toThrow(
      'pre-receive hook declined',
    );
    await git(work, 'push', '-q', remote(project.fullPath, maintainer.token), 'trunk');
    const shown = await app.current.as(developer).get(`/projects/${project.id}`);
    expect(shown.body).toMatchObject({ default_branch: 'trunk', empty_repo: false });
    const branch = await app.current.as(developer).get(`/projects/${project.id}/repository/branches/trunk`);
    expect(branch.body).toMatchObject({ name: 'trunk', protected: true, default: true, can_push: false });
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Second');
    await expect(git(work, 'push', remote(project.fullPath, developer.token), 'trunk')).rejects.toThrow(
      'protected branches',
    );
  });

  it('keeps protected branches from being forced or deleted, and the default one from being deleted', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    await app.current.build.protectedBranch(project, 'release-*', 40);
    const work = await cloneAs(owner, project.fullPath, 'forced');
    await git(work, 'push', '-q', 'origin', 'master:release-1');
    await git(work, 'commit', '-q', '--amend', '--allow-empty', '-m', 'Rewritten');
    await expect(git(work, 'push', '--force', 'origin', 'HEAD:release-1')).rejects.toThrow(
      'not allowed to force push',
    );
    await expect(git(work, 'push', 'origin', ':release-1')).rejects.toThrow(
      'not allowed to delete protected branches',
    );
    await expect(git(work, 'push', 'origin', ':master')).rejects.toThrow(
      'default branch of a project cannot be deleted',
    );
    await git(work, 'push', '-q', '--force', 'origin', 'HEAD:topic');
    await git(work, 'push', '-q', 'origin', ':topic');
  });

  it('lets developers make tags and only maintainers move them', async () => {
    const [developer, maintainer] = [await app.current.build.user(), await app.current.build.user()];
    const project = await app.current.build.project({
      files: { a: 'x' },
      members: { developer, maintainer },
    });
    const work = await cloneAs(developer, project.fullPath, 'tags');
    await git(work, 'tag', 'v1');
    await git(work, 'push', '-q', 'origin', 'v1');
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Later');
    await git(work, 'tag', '-f', 'v1');
    await expect(git(work, 'push', '--force', 'origin', 'v1')).rejects.toThrow(
      'not allowed to change existing tags',
    );
    await git(work, 'push', '-q', '--force', remote(project.fullPath, maintainer.token), 'v1');
  });

  it('that deletes a tag takes its release along', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const client = app.current.as(owner);
    const tags = `/projects/${project.id}/repository/tags`;
    await client.post(tags, { tag_name: 'v1', ref: 'master', release_description: 'The first' });
    const work = await cloneAs(owner, project.fullPath, 'releases');
    await git(work, 'push', '-q', 'origin', ':v1');
    await git(work, 'push', '-q', 'origin', 'HEAD:refs/tags/v1');
    expect((await client.get(`${tags}/v1`)).body).toMatchObject({ name: 'v1', release: null });
  });

  it('that is refused leaves no object behind', async () => {
    const developer = await app.current.build.user();
    const project = await app.current.build.project({ files: { a: 'x' }, members: { developer } });
    const objects = async (): Promise<string> =>
      (await run('git', ['-C', project.repositoryPath, 'count-objects', '-v'])).stdout;
    const before = await objects();
    const work = await cloneAs(developer, project.fullPath, 'quarantine');
    await fs.writeFile(path.join(work, 'b'), 'y'.repeat(10_000));
    await git(work, 'add', 'b');
    await git(work, 'commit', '-q', '-m', 'Refused');
    await expect(git(work, 'push', 'origin', 'master')).rejects.toThrow('pre-receive hook declined');
    expect(await objects()).toBe(before);
    expect(
      (await fs.readdir(path.join(project.repositoryPath, 'objects'))).filter((name) => name.includes('tmp')),
    ).toEqual([]);
  });

  it('emits the same event as a commit through the API', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const work = await cloneAs(owner, project.fullPath, 'events');
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Pushed');
    await git(work, 'push', '-q', 'origin', 'master', 'master:second');
    const pushed = (await git(work, 'rev-parse', 'HEAD')).trim();
    const committed = await app.current.as(owner).post(`/projects/${project.id}/repository/files/b`, {
      branch: 'master',
      content: 'y',
      commit_message: 'Through the API',
    });
    expect(committed.status).toBe(201);
    const { rows } = await app.current.database.query<{ payload: unknown }>(
      `SELECT payload FROM outbox_events WHERE name = 'repository.refs_updated' AND (payload->>'projectId')::bigint = $1 ORDER BY id`,
      [project.id],
    );
    const tip = (await run('git', ['-C', project.repositoryPath, 'rev-parse', 'master'])).stdout.trim();
    expect(rows.map(({ payload }) => payload)).toEqual([
      {
        projectId: project.id,
        actorId: owner.id,
        source: 'push',
        updates: [
          { ref: 'refs/heads/master', oldSha: project.tip, newSha: pushed },
          { ref: 'refs/heads/second', oldSha: '0'.repeat(40), newSha: pushed },
        ],
      },
      {
        projectId: project.id,
        actorId: owner.id,
        source: 'api',
        updates: [{ ref: 'refs/heads/master', oldSha: pushed, newSha: tip }],
      },
    ]);
  });

  it('takes chunked and compressed requests', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { a: 'x' } });
    const work = await cloneAs(owner, project.fullPath, 'chunked');
    await fs.writeFile(path.join(work, 'large'), Buffer.alloc(3_000_000, 'abcdefghij'));
    await git(work, 'add', 'large');
    await git(work, 'commit', '-q', '-m', 'Large');
    await git(work, '-c', 'http.postBuffer=65536', 'push', '-q', 'origin', 'master');
    expect((await run('git', ['-C', project.repositoryPath, 'fsck', '--full', '--strict'])).stdout).toBe('');
  });
});
