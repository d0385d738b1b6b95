import path from 'node:path';
import { GitProcessError } from '../git';
import { syncDirectory } from './durable-files';
import type { CommandTarget } from './object-store';

/**
 * The serving side gets none of our settings, and would refuse a repository that belongs to another system user, as
 * one on a shared file system may. The value is a shell command of git's own making; nothing of a user's is in it.
 */
export const SERVE_ANY_OWNER = "--upload-pack=git -c safe.directory='*' upload-pack";

/**
 * Copies what the refspecs (or full shas) reach and the target lacks, from a repository of this machine, as one pack;
 * durable but for the refs' folders when it returns. With `check` every object passes the test a push has to pass.
 * Throws GitProcessError, GitLimitError.
 */
export async function fetchInto(
  target: CommandTarget,
  source: string,
  refspecs: readonly string[],
  options: { check: boolean; timeoutMs: number },
): Promise<void> {
  if (!path.isAbsolute(source)) throw new RangeError('not an absolute path');
  const settings = [
    `fetch.fsckObjects=${options.check}`,
    'fetch.unpackLimit=1',
    'core.fsync=objects,derived-metadata,reference',
  ].flatMap((setting) => ['-c', setting]);
  const quiet = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-show-forced-updates',
  ];
  const { code, stderr } = await target.broker.run({
    repository: target.repository,
    args: [
      ...settings,
      'fetch',
      ...quiet,
      '--no-recurse-submodules',
      '--stdin',
      SERVE_ANY_OWNER,
      '--end-of-options',
      source,
    ],
    input: Buffer.from(`${refspecs.join('\n')}\n`),
    timeoutMs: options.timeoutMs,
    signal: target.signal,
    lane: 'long',
  });
  if (code !== 0) throw new GitProcessError('fetch failed', code, stderr);
  await syncDirectory(path.join(target.repository, 'objects', 'pack'));
}
