import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { EngineCaches } from './caches/engine-caches';
import {
  Git,
  type GitRepository,
  type RepositoryLocation,
  type Sha,
  type Verification,
  type VerificationOptions,
} from './git';
import { OpenedRepository } from './opened-repository';
import { ProcessPool, type ProcessPoolOptions } from './processes/process-pool';
import { SpawnBroker, type SpawnBrokerOptions } from './processes/spawn-broker';
import { ObjectReader } from './reading/object-reader';
import { RepositoryReader } from './reading/reader';
import { verifyRepository } from './reading/verification';
import type { RemoteCopy, RemoteLimits, RemoteRepository } from './remotes/remote';
import { copyRemote, removeCopy } from './remotes/remote-copy';
import { EMPTY, snapshotOf, tarOf, type SnapshotOptions } from './snapshots/snapshot';
import type { ClosableReader, ObjectDirectories, RepositoryContext } from './repository-context';
import { DiskThreads } from './writing/disk-threads';
import { closeHookDesk } from './transport/hook-desk';
import { sweepAbandonedQuarantines } from './transport/abandoned-quarantines';
import { RepositoryTransport } from './transport/transport';
import { sweepAbandonedSiblings } from './writing/abandoned-siblings';
import { RepositoryStorage } from './writing/storage';
import { RepositoryWriter } from './writing/writer';

export interface GitEngineOptions {
  /** Memory for everything known about immutable objects, in bytes; default 256 MiB. */
  readonly cacheBytes?: number;
  readonly processes?: Omit<ProcessPoolOptions, 'env'>;
  readonly commands?: SpawnBrokerOptions;
  readonly transport?: ConstructorParameters<typeof RepositoryTransport>[1];
}

/** A push is looked at once: its reader needs few processes and hardly a cache. */
const INCOMING_PROCESSES = 4;
const INCOMING_CACHE_BYTES = 16 * 1024 * 1024;

/** The engine over the git command line. One instance per process; nothing is started before it is needed. */
export class GitEngine extends Git {
  private readonly broker: SpawnBroker;
  private readonly pool: ProcessPool;
  private readonly disk = new DiskThreads();
  private readonly caches: EngineCaches;
  private readonly storage: RepositoryStorage;

  constructor(private readonly options: GitEngineOptions = {}) {
    super();
    this.broker = new SpawnBroker(options.commands);
    this.pool = new ProcessPool(this.broker, options.processes);
    this.caches = new EngineCaches(options.cacheBytes);
    this.storage = new RepositoryStorage(this.broker);
  }

  open(location: RepositoryLocation, { signal }: { signal?: AbortSignal } = {}): GitRepository {
    // Every command under way listens, and one page may need many.
    if (signal) setMaxListeners(0, signal);
    const context = this.context(location, signal);
    return new OpenedRepository(
      new RepositoryReader(context),
      new RepositoryWriter(context),
      new RepositoryTransport(context, this.options.transport),
    );
  }

  create(location: RepositoryLocation, defaultBranch: string): Promise<void> {
    return this.storage.create(location, defaultBranch);
  }

  exists(location: RepositoryLocation): Promise<boolean> {
    return this.storage.exists(location);
  }

  async remove(location: RepositoryLocation): Promise<void> {
    await this.storage.remove(location);
    this.forget(location);
  }

  async importFrom(sourcePath: string, location: RepositoryLocation): Promise<void> {
    await this.storage.importFrom(sourcePath, location);
    this.forget(location);
  }

  refreshCommitGraph(location: RepositoryLocation, tips: readonly Sha[]): Promise<void> {
    return this.storage.refreshCommitGraph(location, tips);
  }

  async maintain(location: RepositoryLocation): Promise<void> {
    await this.storage.maintain(location);
    await sweepAbandonedQuarantines(location);
    // Processes started before would keep the replaced packs on disk.
    this.pool.forget(location.path);
  }

  verify(location: RepositoryLocation, options?: VerificationOptions): Promise<Verification> {
    return verifyRepository(this.broker, location, options);
  }

  sweep(directory: string, signal: AbortSignal): Promise<number> {
    return sweepAbandonedSiblings(directory, signal);
  }

  async withRemote<T>(
    location: RepositoryLocation,
    remote: RemoteRepository,
    limits: RemoteLimits,
    work: (copy: RemoteCopy) => Promise<T>,
  ): Promise<T> {
    const copy = await copyRemote(this.broker, location, remote, limits);
    try {
      return await work(copy);
    } finally {
      this.forget(copy.location);
      await removeCopy(copy.location);
    }
  }

  snapshot(location: RepositoryLocation, options: SnapshotOptions): Promise<Readable> {
    return snapshotOf(this.broker, location, options);
  }

  emptySnapshot(): Readable {
    return tarOf(EMPTY, null);
  }

  async close(): Promise<void> {
    this.pool.close();
    await closeHookDesk(this.broker);
    await this.disk.close();
    await this.broker.close();
  }

  private forget(location: RepositoryLocation): void {
    this.pool.forget(location.path);
    this.caches.forget(location.path);
  }

  /** What the parts of an opened repository share. */
  protected context(location: RepositoryLocation, signal?: AbortSignal): RepositoryContext {
    return this.contextWith(location, { pool: this.pool, caches: this.caches, signal, env: undefined });
  }

  private contextWith(
    location: RepositoryLocation,
    own: Pick<RepositoryContext, 'pool' | 'caches' | 'signal' | 'env'>,
  ): RepositoryContext {
    return {
      location,
      broker: this.broker,
      disk: this.disk,
      ...own,
      objects: new ObjectReader({ location, ...own }),
      reader: (env) => this.incomingReader(location, env, own.signal),
    };
  }

  private incomingReader(
    location: RepositoryLocation,
    env: ObjectDirectories,
    signal: AbortSignal | undefined,
  ): ClosableReader {
    const pool = new ProcessPool(this.broker, { env, mostProcesses: INCOMING_PROCESSES });
    const caches = new EngineCaches(INCOMING_CACHE_BYTES);
    const reader = new RepositoryReader(this.contextWith(location, { pool, caches, signal, env }));
    return Object.assign(reader, { close: () => pool.close() });
  }
}
