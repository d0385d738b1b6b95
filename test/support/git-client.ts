import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';

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

/** The real client; answers both of its outputs, throws what it says when it fails. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run('git', args, { cwd, env: ENVIRONMENT });
  return stdout + stderr;
}

/** Where the client finds a project, with its user's token. */
export function remoteOf(serviceUrl: string, fullPath: string, token: string): string {
  const url = new URL(`${serviceUrl}/${fullPath}.git`);
  return Object.assign(url, { username: 'anybody', password: token }).href;
}
