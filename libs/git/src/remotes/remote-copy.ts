import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GitLimitError, GitProcessError, type RepositoryLocation } from '../git';
import { isBranchName } from '../names';
import type { Finished, GitCommand, SpawnBroker } from '../processes/spawn-broker';
import { diskSize } from '../reading/disk-size';
import { siblingOf } from '../writing/abandoned-siblings';
import { writeEmptyRepository } from '../writing/storage';
import {
  RemoteError,
  remoteFailure,
  type RemoteCopy,
  type RemoteLimits,
  type RemoteRepository,
} from './remote';
import { remoteCommand, type RemoteCommand } from './remote-command';

const HEAD_LINE = /^ref: refs\/heads\/(.+)\tHEAD$/m;
const MEASURED_EVERY_MS = 1_000;
const LIST_MS = 60_000;
/** Of a list of refs; a name has 255 bytes per folder, hardly any has 100. */
const BYTES_PER_REF = 400;

/**
 * Fetches a remote's branches and tags into a repository beside ours, which borrows the objects we have. Our own
 * repository is not touched; the objects have not passed the test of a push yet. The caller removes the copy.
 * Throws RemoteError, GitCancelledError, GitProcessError.
 */
export async function copyRemote(
  broker: SpawnBroker,
  location: RepositoryLocation,
  remote: RemoteRepository,
  limits: RemoteLimits,
): Promise<RemoteCopy> {
  const command = remoteCommand(remote);
  const directory = siblingOf(location.path, 'new');
  await mkdir(directory);
  try {
    await writeEmptyRepository(directory, 'master');
    await writeFile(path.join(directory, 'objects/info/alternates'), `${location.path}/objects\n`);
    const run = new Download(broker, directory, command, limits);
    const headBranch = await run.headBranch();
    await run.fetch();
    return { location: { path: directory }, headBranch, refs: await refsOf(broker, directory, limits) };
  } catch (error) {
    await removeCopy({ path: directory });
    throw error;
  }
}

export const removeCopy = (copy: RepositoryLocation): Promise<void> =>
  rm(copy.path, { recursive: true, force: true, maxRetries: 5 });

/** Commands that share one span of time and one measure of bytes. */
class Download {
  private readonly until: number;

  constructor(
    private readonly broker: SpawnBroker,
    private readonly directory: string,
    private readonly command: RemoteCommand,
    private readonly limits: RemoteLimits,
  ) {
    this.until = Date.now() + limits.timeoutMs;
  }

  async headBranch(): Promise<string | null> {
    const { stdout } = await this.run([
      'ls-remote',
      '--symref',
      '--end-of-options',
      this.command.url,
      'HEAD',
    ]);
    const name = HEAD_LINE.exec(stdout.toString('utf8'))?.[1];
    return name !== undefined && isBranchName(name) ? name : null;
  }

  async fetch(): Promise<void> {
    const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
    const options = [...quiet, '--no-show-forced-updates', '--no-recurse-submodules', '--stdin'];
    const refspecs = '+refs/heads/*:refs/heads/*\n+refs/tags/*:refs/tags/*\n';
    await this.run(['fetch', ...options, '--end-of-options', this.command.url], Buffer.from(refspecs));
  }

  private async run(args: readonly string[], input?: Buffer): Promise<Finished> {
    const tooLarge = new AbortController();
    const { signal } = this.limits;
    const order: GitCommand = {
      repository: this.directory,
      args: [...this.command.options, ...args],
      env: this.command.env,
      input,
      timeoutMs: Math.max(1, this.until - Date.now()),
      signal: signal ? AbortSignal.any([signal, tooLarge.signal]) : tooLarge.signal,
      lane: 'long',
      mostMemory: this.limits.mostMemory,
    };
    const watch = setInterval(() => void this.measure(tooLarge), MEASURED_EVERY_MS);
    try {
      const finished = await this.broker.run(order);
      if (finished.code !== 0) throw remoteFailure(finished.stderr);
      return finished;
    } catch (error) {
      if (tooLarge.signal.aborted) throw new RemoteError('too_large', '', { cause: error });
      if (error instanceof GitLimitError) throw new RemoteError('too_slow', '', { cause: error });
      throw error;
    } finally {
      clearInterval(watch);
    }
  }

  /** git has no limit of its own for what it fetches. */
  private async measure(tooLarge: AbortController): Promise<void> {
    try {
      if ((await diskSize(this.directory, undefined)) > this.limits.mostBytes) tooLarge.abort();
    } catch {
      // More files than can be counted are too many as well.
      tooLarge.abort();
    }
  }
}

async function refsOf(
  broker: SpawnBroker,
  directory: string,
  { mostRefs, signal }: RemoteLimits,
): Promise<RemoteCopy['refs']> {
  const { code, stdout, stderr } = await broker.run({
    repository: directory,
    args: ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'],
    timeoutMs: LIST_MS,
    maxOutput: mostRefs * BYTES_PER_REF,
    signal,
  });
  if (code !== 0) throw new GitProcessError('for-each-ref failed', code, stderr);
  const lines = stdout.toString('utf8').split('\n').slice(0, -1);
  if (lines.length > mostRefs) throw new RemoteError('too_large', '');
  return lines.map((line) => ({ sha: line.slice(0, 40), ref: line.slice(41) }));
}
