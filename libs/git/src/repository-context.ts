import type { EngineCaches } from './caches/engine-caches';
import type { GitReader, RepositoryLocation } from './git';
import type { ProcessPool } from './processes/process-pool';
import type { SpawnBroker } from './processes/spawn-broker';
import { ObjectReader } from './reading/object-reader';
import type { DiskThreads } from './writing/disk-threads';

/** Environment of a push's quarantine: GIT_OBJECT_DIRECTORY, GIT_ALTERNATE_OBJECT_DIRECTORIES, GIT_QUARANTINE_PATH. */
export type ObjectDirectories = Readonly<Record<string, string>>;

/** A reader with processes of its own. */
export interface ClosableReader extends GitReader {
  /** Ends its processes; reading fails from then on. */
  close(): void;
}

/** What the reading, writing and transporting parts of one opened repository share. */
export interface RepositoryContext {
  readonly location: RepositoryLocation;
  readonly broker: SpawnBroker;
  readonly pool: ProcessPool;
  readonly disk: DiskThreads;
  readonly caches: EngineCaches;
  /** Raw objects through the pool. */
  readonly objects: ObjectReader;
  /** Aborts what this opening of the repository has started. */
  readonly signal: AbortSignal | undefined;
  /** Goes with every command of this context. */
  readonly env: ObjectDirectories | undefined;
  /** A reader that also sees other object directories (a push in quarantine). Shares no process and no cache. */
  reader(env: ObjectDirectories): ClosableReader;
}

/** The same repository for work that several openings share: it follows `signal` instead of the opening's own. */
export function withSignal(context: RepositoryContext, signal: AbortSignal): RepositoryContext {
  return { ...context, signal, objects: new ObjectReader({ ...context, signal }) };
}
