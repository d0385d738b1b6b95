import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT_TOKEN } from './site';

const PATIENCE_MS = 60_000;

/** Nobody's configuration takes part, and git never asks. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Pusher',
  GIT_AUTHOR_EMAIL: 'pusher@example.com',
  GIT_COMMITTER_NAME: 'Pusher',
  GIT_COMMITTER_EMAIL: 'pusher@example.com',
};

/** Where git finds a project on a node, with root's token in it. */
export const remoteUrl = (nodeUrl: string, fullPath: string): string =>
  `${nodeUrl.replace('://', `://root:${ROOT_TOKEN}@`)}/${fullPath}.git`;

/** A clone that the real git client works on. */
export class GitClone {
  private constructor(readonly folder: string) {}

  static async of(remote: string, folder: string): Promise<GitClone> {
    await run(['clone', '--quiet', remote, folder]);
    return new GitClone(folder);
  }

  /** stdout of a git command in the clone; throws what git says when it fails. */
  git(...args: string[]): Promise<string> {
    return run(['-C', this.folder, ...args]);
  }

  /** Commits one file and answers the commit's sha. */
  async commit(file: string, content: string | Buffer): Promise<string> {
    const target = path.join(this.folder, file);
    await fs.mkdir(path.dirname(target), { recursive: true });
    await fs.writeFile(target, content);
    await this.git('add', '--', file);
    await this.git('commit', '--quiet', '-m', `Add ${file}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** Whether the server took the push. */
  async push(remote: string, ...refspecs: string[]): Promise<boolean> {
    return this.git('push', '--quiet', remote, ...refspecs).then(
      () => true,
      () => false,
    );
  }
}

async function run(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...args], { env: ENVIRONMENT, timeout: PATIENCE_MS });
  return stdout.trim();
}
