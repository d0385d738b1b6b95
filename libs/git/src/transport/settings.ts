import type { GitService } from '../git';

/** Limits of the transport; every one has a default that suits a server of any size. */
export interface TransportLimits {
  /** Largest pack a push may send, in bytes. */
  readonly maxPushBytes: number;
  /** Most refs one push may move. */
  readonly maxPushRefs: number;
  /** How long the application may take to decide on a push, in milliseconds. */
  readonly decideMs: number;
  /** How long a transfer may go without a byte in either direction, in milliseconds. */
  readonly idleMs: number;
  /** How long one request may take as a whole, in milliseconds. */
  readonly wholeMs: number;
}

export const DEFAULT_LIMITS: TransportLimits = {
  maxPushBytes: 4 * 1024 ** 3,
  maxPushRefs: 50_000,
  decideMs: 60_000,
  idleMs: 5 * 60_000,
  wholeMs: 6 * 60 * 60_000,
};

/** A list of advertised refs takes seconds at most. */
export const ADVERTISE_MS = 60_000;

/** Refs of the application's own are neither shown nor taken. */
const HIDDEN = ['transfer.hideRefs=refs/keep-around', 'transfer.hideRefs=refs/internal'] as const;

/**
 * Partial clones fetch missing blobs by name later, hence "any sha"; protocol version 2 allows that in any case.
 * The sparse filter makes the server parse a pattern file of the client's choice: off, as at the large hosts.
 */
const FETCH_SETTINGS = [
  ...HIDDEN,
  'uploadpack.allowFilter=true',
  'uploadpack.allowAnySHA1InWant=true',
  'uploadpackfilter.sparse:oid.allow=false',
  'pack.windowMemory=100m',
] as const;

/**
 * Up to 100 objects are unpacked loose: small pushes would else leave one pack each, and every pack slows every
 * look-up until maintenance. Above that one pack costs fewer files and fewer syncs.
 * What the object check finds harmless stands in the repository's configuration.
 * An acknowledged push is durable: objects, indexes and refs are synced; "batch" syncs loose objects all at once.
 */
const PUSH_SETTINGS = [
  ...HIDDEN,
  'receive.fsckObjects=true',
  'receive.advertisePushOptions=true',
  'receive.unpackLimit=100',
  'receive.autogc=false',
  'receive.updateServerInfo=false',
  'core.fsync=loose-object,pack,pack-metadata,reference',
  'core.fsyncMethod=batch',
] as const;

/** Options of git, before the subcommand, for what serves fetches. */
export function fetchOptions(): string[] {
  return asOptions(FETCH_SETTINGS);
}

/** Options of git, before the subcommand, for a push. */
export function pushOptions(settings: { maxPushBytes: number; hooksPath: string }): string[] {
  return asOptions([
    ...PUSH_SETTINGS,
    `receive.maxInputSize=${settings.maxPushBytes}`,
    // Never the repository's own hooks: whatever lies there is not ours.
    `core.hooksPath=${settings.hooksPath}`,
  ]);
}

/** Options of git, before the subcommand, for a list of refs: the settings decide which capabilities it offers. */
export function advertiseOptions(service: GitService): string[] {
  return asOptions(service === 'git-upload-pack' ? FETCH_SETTINGS : PUSH_SETTINGS);
}

function asOptions(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}
