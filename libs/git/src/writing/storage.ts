import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { GitProcessError, type RepositoryLocation, type Sha } from '../git';
import { isBranchName, isSha } from '../names';
import type { SpawnBroker } from '../processes/spawn-broker';
import { siblingOf } from './abandoned-siblings';
import { errorCode, forEachParallel, syncDirectory } from './durable-files';
import { fetchInto, SERVE_ANY_OWNER } from './fetching';
import { maintainRepository, writeCommitGraph } from './maintenance';
import { REPOSITORY_CONFIG } from './repository-config';

const IMPORT_MS = 6 * 60 * 60_000;
const LIST_MS = 60_000;
const FOLDERS = ['objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'refs/tags', 'info'];
const MIRRORED = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
const HEAD_LINE = /^ref: refs\/heads\/(.+)\tHEAD$/m;
/** Used where the source names no branch we could take. */
const FALLBACK_BRANCH = 'master';

/** Repositories as directories: made, copied, kept in shape, removed. */
export class RepositoryStorage {
  constructor(private readonly broker: SpawnBroker) {}

  /** Makes an empty bare repository, whole or not at all. Does nothing when there is one. */
  async create(location: RepositoryLocation, defaultBranch: string): Promise<void> {
    if (!isBranchName(defaultBranch)) throw new RangeError('not a branch name');
    if (await this.exists(location)) return;
    await this.#appear(location, (directory) => writeEmptyRepository(directory, defaultBranch));
  }

  async exists(location: RepositoryLocation): Promise<boolean> {
    try {
      await access(path.join(location.path, 'HEAD'));
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
      throw error;
    }
  }

  /** Removes the repository's directory; does nothing when there is none. Nobody sees half of it. */
  async remove(location: RepositoryLocation): Promise<void> {
    const aside = siblingOf(location.path, 'removed');
    try {
      await rename(location.path, aside);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    await syncDirectory(path.dirname(location.path));
    await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Makes a repository of another's branches and tags and what they reach; its objects are checked as a push's are.
   * Throws Error when the location is taken, GitProcessError when the source is no repository or fails the check.
   */
  async importFrom(sourcePath: string, location: RepositoryLocation): Promise<void> {
    if (!path.isAbsolute(sourcePath)) throw new RangeError('the source must be an absolute path');
    if (await this.exists(location)) throw new Error('there is a repository at the location already');
    await this.#appear(location, async (directory) => {
      const headBranch = await this.#headBranch(sourcePath, directory);
      await writeEmptyRepository(directory, headBranch ?? FALLBACK_BRANCH);
      const target = { repository: directory, broker: this.broker };
      await fetchInto(target, sourcePath, MIRRORED, { check: true, timeoutMs: IMPORT_MS });
      await writeCommitGraph(this.broker, directory);
      await forEachParallel(['.', 'refs/heads', 'refs/tags'], (folder) =>
        syncDirectory(path.join(directory, folder)),
      );
    });
  }

  /** Adds the commits to the commit-graph. Does nothing when another process is at it: its run or the next has them. */
  async refreshCommitGraph(location: RepositoryLocation, tips: readonly Sha[]): Promise<void> {
    if (!tips.every(isSha)) throw new RangeError('not a full object name');
    if (tips.length > 0) await writeCommitGraph(this.broker, location.path, tips);
  }

  /**
   * Packs refs and objects and rewrites the commit-graph. What no ref reaches stays for two weeks more, so that work
   * under way never loses an object. The caller holds the repository's lock; reads go on meanwhile.
   */
  async maintain(location: RepositoryLocation): Promise<void> {
    await maintainRepository(this.broker, location.path);
  }

  /** Lets `make` fill a directory beside the location, which takes its place when it is done. */
  async #appear(location: RepositoryLocation, make: (directory: string) => Promise<void>): Promise<void> {
    const parent = path.dirname(location.path);
    const directory = siblingOf(location.path, 'new');
    await mkdir(directory, { recursive: true });
    try {
      await make(directory);
      await rename(directory, location.path);
      await syncAncestors(parent);
    } catch (error) {
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      const isTaken = errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST';
      // Another process made the same repository at the same time.
      if (!isTaken || !(await this.exists(location))) throw error;
    }
  }

  /** Asked from the new directory, so that no configuration of the source takes part. */
  async #headBranch(source: string, directory: string): Promise<string | null> {
    const { code, stdout, stderr } = await this.broker.run({
      repository: directory,
      args: ['ls-remote', '--symref', SERVE_ANY_OWNER, '--end-of-options', source, 'HEAD'],
      timeoutMs: LIST_MS,
    });
    if (code !== 0) throw new GitProcessError('the source of an import cannot be read', code, stderr);
    const name = HEAD_LINE.exec(stdout.toString('utf8'))?.[1];
    return name !== undefined && isBranchName(name) ? name : null;
  }
}

/** A bare repository is these folders and files; starting git for it would cost more than writing them. */
export async function writeEmptyRepository(directory: string, headBranch: string): Promise<void> {
  for (const folder of FOLDERS) await mkdir(path.join(directory, folder));
  await writeNew(path.join(directory, 'config'), REPOSITORY_CONFIG);
  await writeNew(path.join(directory, 'HEAD'), `ref: refs/heads/${headBranch}\n`);
  await forEachParallel([...FOLDERS, '.'], (folder) => syncDirectory(path.join(directory, folder)));
}

async function writeNew(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Folders of hashed names may have been made on the way; three levels cover every storage's layout. */
async function syncAncestors(parent: string): Promise<void> {
  const folders = [parent, path.dirname(parent), path.dirname(path.dirname(parent))];
  await forEachParallel(folders, syncDirectory);
}
