import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GitFixture } from '#libs/testing';
import { useApplication, type TestApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();
const run = promisify(execFile);

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: os.tmpdir(),
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Pusher',
  GIT_AUTHOR_EMAIL: 'pusher@example.com',
  GIT_COMMITTER_NAME: 'Pusher',
  GIT_COMMITTER_EMAIL: 'pusher@example.com',
};

let other: TestApplication;
let folder: string;
let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
beforeAll(async () => {
  other = await app.current.startAnother();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'writers-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({ members: { maintainer: user }, files: { a: 'x' } });
  git = GitFixture.on(project.repositoryPath);
});

/** Commits one file after another through a node; answers the shas that were acknowledged. */
async function writeThrough(node: TestApplication, name: string, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await node.as(user).post(`/projects/${project.id}/repository/commits`, {
      branch: 'master',
      commit_message: `${name} ${index}`,
      actions: [{ action: 'create', file_path: `${name}/${index}`, content: name }],
    });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
    made.push(answer.body.id);
  }
  return made;
}

/** Pushes commits with the real client, pulling whenever somebody was faster; answers those that arrived. */
async function pushThrough(node: TestApplication, name: string, count: number): Promise<string[]> {
  const work = path.join(folder, `${project.id}-${name}`);
  const url = node.url.replace('//', `//${user.username}:${user.token}@`) + `/${project.fullPath}.git`;
  const client = async (...args: string[]) =>
    (await run('git', args, { cwd: folder, env: ENVIRONMENT })).stdout.trim();
  const inWork = (...args: string[]) => client('-C', work, ...args);
  await client('clone', '-q', url, work);
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await inWork('commit', '-q', '--allow-empty', '-m', `${name} ${index}`);
    const isPushed = () =>
      inWork('push', '-q', 'origin', 'HEAD:master').then(
        () => true,
        () => false,
      );
    for (let attempt = 0; !(await isPushed()); attempt += 1) {
      if (attempt === 50) throw new Error('others were always faster');
      await pause(20 * attempt);
      await inWork('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'master');
    }
    made.push(await inWork('rev-parse', 'HEAD'));
  }
  return made;
}

describe('two nodes of one service', () => {
  it('lose no commit of one branch, while clients push to it through both', async () => {
    const made = await Promise.all([
      writeThrough(app.current, 'one', 12),
      writeThrough(other, 'two', 12),
      writeThrough(app.current, 'three', 12),
      pushThrough(app.current, 'push-one', 4),
      pushThrough(other, 'push-two', 4),
    ]);
    const reachable = new Set((await git.git('rev-list', 'master')).split('\n'));
    expect(made.flat().filter((sha) => !reachable.has(sha))).toEqual([]);
    expect(made.flat()).toHaveLength(44);
    const paths = (await git.git('ls-tree', '-r', '--name-only', 'master')).split('\n');
    expect(paths).toHaveLength(1 + 36);
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
    const { body } = await other.as(user).get(`/projects/${project.id}/repository/commits?per_page=1`);
    expect(body[0].id).toBe(await git.git('rev-parse', 'master'));
  }, 120_000);

  it('see at once what the other wrote, and what was overwritten there', async () => {
    const url = `/projects/${project.id}/repository/files/a`;
    const body = (content: string) => ({ branch: 'master', commit_message: 'm', content });
    for (let index = 0; index < 5; index += 1) {
      const [writer, reader] = index % 2 === 0 ? [app.current, other] : [other, app.current];
      await writer
        .as(user)
        .put(url, body(`version ${index}`))
        .expect(200);
      expect((await reader.as(user).get(`${url}/raw?ref=master`)).text).toBe(`version ${index}`);
    }
  });

  it('let one of them make a new branch', async () => {
    const make = (node: TestApplication, name: string) =>
      node.as(user).post(`/projects/${project.id}/repository/files/${name}`, {
        branch: 'new',
        start_branch: 'master',
        commit_message: 'm',
        content: 'x',
      });
    const answers = await Promise.all([
      make(app.current, 'p'),
      make(other, 'q'),
      make(app.current, 'r'),
      make(other, 's'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  it('let one of them begin an empty repository, and protect its branch once', async () => {
    const empty = await app.current.build.project({ members: { maintainer: user } });
    const begin = (node: TestApplication, name: string) =>
      node.as(user).post(`/projects/${empty.id}/repository/files/${name}`, {
        branch: name,
        commit_message: 'm',
        content: 'x',
      });
    const answers = await Promise.all([
      begin(app.current, 'p'),
      begin(other, 'q'),
      begin(app.current, 'r'),
      begin(other, 's'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const { rows } = await app.current.database.query(
      `SELECT p.default_branch = b.name AS is_default FROM projects p JOIN protected_branches b ON b.project_id = p.id WHERE p.id = $1`,
      [empty.id],
    );
    expect(rows).toEqual([{ is_default: true }]);
  });

  it('make one pipeline of reports that come to both', async () => {
    const reports = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? app.current : other)
        .as(user)
        .post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success', name: `job ${index}` }),
    );
    const answers = await Promise.all(reports);
    expect(answers.map(({ status }) => status)).toEqual(reports.map(() => 201));
    const { rows } = await app.current.database.query('SELECT status FROM pipelines WHERE project_id = $1', [
      project.id,
    ]);
    expect(rows).toEqual([{ status: 'success' }]);
  });
});
