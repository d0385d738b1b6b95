import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '#libs/testing';
import { BuiltService, freePort, type RunningProcess } from '../../support/running-server';

const ROOT_TOKEN = 'token-of-the-first-administrator';

interface Said {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

/** Whole processes start in here, beside other test files. */
jest.setTimeout(120_000);

describe('the command line, beside a running server', () => {
  let built: BuiltService;
  let folder: string;
  let database: { url: string; drop(): Promise<void> };
  let environment: Record<string, string>;
  let server: RunningProcess;

  const admin = async (...args: string[]): Promise<Said> => {
    const command = built.run(environment, 'src/cli/main.js', args);
    const code = await command.ended();
    return { code, output: command.output.trim(), errors: command.errors };
  };
  const get = async (to: string, token: string): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`http://127.0.0.1:${environment['PORT']}/api/v4${to}`, {
      headers: { 'private-token': token },
    });
    return { status: answer.status, body: await answer.json() };
  };

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-admin-'));
    built = await BuiltService.build();
    database = await createTestDatabase();
    environment = {
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.url,
      PORT: await freePort(),
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
    };
    server = await built.run(environment).ready();
  });
  afterAll(async () => {
    await server.kill();
    await database.drop();
    await fs.rm(folder, { recursive: true, force: true });
  });

  it('opens an account and issues a token for it', async () => {
    expect(await admin('create-user', '--username', 'grace', '--email', 'grace@example.com')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^User grace has id \d+\.$/),
    });
    const { output: token } = await admin('create-token', '--user', 'grace', '--scopes', 'api,read_user');
    expect(await get('/user', token)).toMatchObject({
      status: 200,
      body: { username: 'grace', name: 'grace' },
    });
  });

  it('refuses what the API refuses', async () => {
    const taken = await admin('create-user', '--username', 'root', '--email', 'other@example.com');
    expect(taken).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Username has already been taken'),
    });
    const unknown = await admin('create-token', '--user', 'root', '--scopes', 'everything');
    expect(unknown).toMatchObject({
      code: 1,
      errors: expect.stringContaining('can only contain available scopes'),
    });
  });

  it('makes a project of a bare repository, with all branches and tags', async () => {
    const source = path.join(folder, 'old-work.git');
    const work = path.join(folder, 'work');
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', cwd: folder }).trim();
    git('init', '--quiet', '--initial-branch', 'trunk', work);
    const person = ['-C', work, '-c', 'user.name=Old', '-c', 'user.email=old@example.com'];
    git(...person, 'commit', '--quiet', '--allow-empty', '--message', 'Long ago');
    git(...person, 'tag', '--annotate', '--message', 'First release', 'v1');
    git(...person, 'branch', 'side');
    git('clone', '--quiet', '--bare', work, source);
    const imported = await admin(
      'import-project',
      '--repository',
      source,
      '--namespace',
      'root',
      '--visibility',
      'public',
    );
    expect(imported).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Project root\/old-work has id \d+\.$/),
    });
    const project = await get('/projects/root%2Fold-work', ROOT_TOKEN);
    expect(project.body).toMatchObject({ default_branch: 'trunk', visibility: 'public' });
    const branches = await get('/projects/root%2Fold-work/repository/branches', ROOT_TOKEN);
    expect(branches.body).toMatchObject([
      { name: 'side' },
      { name: 'trunk', commit: { id: git('-C', work, 'rev-parse', 'trunk') } },
    ]);
    expect((await get('/projects/root%2Fold-work/repository/tags/v1', ROOT_TOKEN)).body).toMatchObject({
      message: 'First release',
    });
  });

  it('says what is wrong with a repository that is none', async () => {
    const refused = await admin('import-project', '--repository', folder, '--namespace', 'root');
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('is no repository') });
    expect((await get(`/projects/root%2F${path.basename(folder)}`, ROOT_TOKEN)).status).toBe(404);
  });

  it('seeds demonstration data, once', async () => {
    expect(await admin('seed')).toMatchObject({
      code: 0,
      output: expect.stringContaining('demo/weather-station'),
    });
    const commits = await get('/projects/demo%2Fweather-station/repository/commits?all=true', ROOT_TOKEN);
    expect(commits.body).toHaveLength(3);
    expect((await admin('seed')).output).toContain('nothing was done');
  });

  it('lists the endpoints', async () => {
    const { output } = await admin('routes');
    expect(output).toContain(
      'GET /projects/:id/repository/files/:file_path\tproject:download_code\t-\tFilesController.get',
    );
  });

  it('migrates', async () => {
    expect(await admin('migrate')).toMatchObject({ code: 0, output: 'The schema is up to date.' });
  });

  it('explains itself', async () => {
    expect((await admin('help')).output).toContain('create-token');
    expect(await admin('dance')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('there is no command dance'),
    });
    expect((await admin('create-user', '--username', 'x')).errors).toContain('create-user needs --email');
    expect((await admin('create-user', '--nickname', 'x')).errors).toContain('--nickname');
  });
});
