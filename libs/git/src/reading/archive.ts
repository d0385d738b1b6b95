import { DomainError } from '#libs/errors';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { GitProcessError, type ArchiveFormat, type Sha } from '../git';
import { RepositoryCommands } from '../processes/repository-commands';
import type { RepositoryContext } from '../repository-context';
import type { Files } from './files';
import { assertSha } from './sha-arguments';

export interface ArchiveOptions {
  readonly format: ArchiveFormat;
  readonly prefix: string;
  readonly path?: string;
}

/**
 * A commit's files (or those below `path`) as a streamed archive. git compresses in its own process: nothing of it
 * runs here. Throws GitProcessError for a path that is not there, and the unavailable error for tar.bz2 on a machine without bzip2.
 */
export async function archiveOf(
  context: RepositoryContext,
  files: Files,
  commit: Sha,
  { format, prefix, path }: ArchiveOptions,
): Promise<Readable> {
  assertSha(commit);
  if (/[\0\n]/.test(prefix)) throw new TypeError('an archive prefix with a line break');
  if (path !== undefined && (await files.find(commit, path)) === null) {
    throw new GitProcessError('nothing at this path to archive', null, '');
  }
  const args = ['archive', `--format=${format}`, `--prefix=${prefix}`, commit];
  return new RepositoryCommands(context).stream([
    ...(format === 'tar.bz2' ? await bzip2Filter() : []),
    ...args,
    ...(path === undefined ? [] : ['--', path]),
  ]);
}

/** git knows tar.gz by itself; other compressions are a filter named in its configuration. */
async function bzip2Filter(): Promise<string[]> {
  if (!(await isOnPath('bzip2'))) {
    throw new DomainError({
      kind: 'unavailable',
      message: 'bzip2 is not installed here: ask for another format',
    });
  }
  return ['-c', 'tar.tar.bz2.command=bzip2 -c'];
}

async function isOnPath(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
