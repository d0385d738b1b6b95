import path from 'node:path';
import { GitProcessError, RefConflictError, ZERO_SHA, type RefUpdate, type Sha } from '../git';
import { isFullRef, isSha } from '../names';
import type { ProcessPool } from '../processes/process-pool';
import type { DiskThreads } from './disk-threads';
import { forEachParallel, syncDirectory } from './durable-files';
import { NotBegunError, REF_SESSIONS } from './ref-session';
import { ABANDONED_LOCK_MS, clearRefLocks, isLockTaken } from './stale-locks';

/** A transaction that finds its process ended by those before it tries again; this often only under attack. */
const MOST_FRESH_STARTS = 100;
const MOST_ATTEMPTS = 3;
/** After our own process was killed the lock it left is ours: git waited this long for it in vain. */
const OWN_LOCK_MS = 500;
/** Above this, all refs are listed instead: a command line has no room for more names. */
const MOST_NAMED_REFS = 200;

/** What git says (in the C locale) when another writer came first or has a ref in the way. */
const CONFLICTS = [
  /is at [0-9a-f]+ but expected/,
  /reference already exists/,
  /unable to resolve reference/,
  /reference is missing but expected/,
  /exists; cannot create/,
  /cannot process '.*' and '.*' at the same time/,
  /there is a non-empty directory/,
];
const NAMED_REF = /cannot lock ref '([^']+)'/;

/** The repository whose refs move, and what they are moved by. */
export interface RefTarget {
  /** Absolute path of the bare repository. */
  readonly repository: string;
  readonly pool: ProcessPool;
  readonly disk: DiskThreads;
  readonly isCommit: (sha: Sha) => Promise<boolean>;
}

/**
 * Moves all refs, or none, by compare-and-swap under the locks that `git push` takes, and returns when that is durable.
 * Throws RefConflictError when a ref is not at its old sha, another ref is in the way of its name, or its lock stays
 * taken; GitProcessError for anything else git refuses; RangeError for what is no ref or no sha.
 */
export async function updateRefs(target: RefTarget, updates: readonly RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  updates.forEach(checkUpdate);
  if (await isMovedDirectly(target, updates)) return;
  const { pool, repository } = target;
  try {
    await transactPersistently(pool, repository, updates);
  } catch (error) {
    throw asConflict(error, updates);
  }
  await forEachParallel(directoriesOf(repository, updates), syncDirectory);
}

function checkUpdate({ ref, oldSha, newSha }: RefUpdate): void {
  if (!isFullRef(ref)) throw new RangeError('not a full ref name');
  if (!isSha(oldSha) || !isSha(newSha)) throw new RangeError('a ref moves between full object names only');
  if (oldSha === ZERO_SHA && newSha === ZERO_SHA)
    throw new RangeError('a ref cannot move from nothing to nothing');
}

/**
 * The everyday case, a branch in a file of its own that moves on: done by git's protocol without git. What git would
 * refuse, as a branch that is to point to no commit, and whatever is not plain, is left to git.
 */
async function isMovedDirectly(
  { repository, disk, isCommit }: RefTarget,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  const [update] = updates;
  if (update === undefined || updates.length > 1 || !update.ref.startsWith('refs/heads/')) return false;
  const [oldSha, newSha] = [update.oldSha.toLowerCase(), update.newSha.toLowerCase()];
  if (oldSha === ZERO_SHA || newSha === ZERO_SHA || !(await isCommit(newSha))) return false;
  return disk.move(path.join(repository, update.ref), oldSha, newSha);
}

/** Asks again where that may help: after the death of the process, and after an abandoned lock was removed. */
async function transactPersistently(
  pool: ProcessPool,
  repository: string,
  updates: readonly RefUpdate[],
): Promise<void> {
  const names = updates.map(({ ref }) => ref);
  let hasDied = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(pool, repository, updates);
    } catch (error) {
      if (!(error instanceof GitProcessError)) throw error;
      const isDeath = isUnexplained(error);
      hasDied ||= isDeath;
      const isLocked = isLockTaken(error.stderr);
      if ((isDeath || isLocked) && attempt < MOST_ATTEMPTS) {
        if (isLocked) await clearRefLocks(repository, names, hasDied ? OWN_LOCK_MS : ABANDONED_LOCK_MS);
        continue;
      }
      // It was killed after it had moved the refs.
      if (hasDied && isConflict(error) && (await areAllDone(pool, repository, updates))) return;
      throw error;
    }
  }
}

async function transact(pool: ProcessPool, repository: string, updates: readonly RefUpdate[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.useOnce(REF_SESSIONS, repository, (session) => session.transact(updates));
    } catch (error) {
      if (!(error instanceof NotBegunError)) throw error;
      if (attempt === MOST_FRESH_STARTS) throw new RefConflictError(updates[0]?.ref ?? '');
    }
  }
}

async function areAllDone(
  pool: ProcessPool,
  repository: string,
  updates: readonly RefUpdate[],
): Promise<boolean> {
  const named = updates.length > MOST_NAMED_REFS ? [] : updates.map(({ ref }) => ref);
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...named];
  const { code, stdout, stderr } = await pool.broker.run({ repository, args });
  if (code !== 0) throw new GitProcessError('for-each-ref failed', code, stderr);
  const lines = stdout.toString('utf8').split('\n');
  const present = new Map(
    lines.map((line) => [line.slice(ZERO_SHA.length + 1), line.slice(0, ZERO_SHA.length)]),
  );
  return updates.every(({ ref, newSha }) => (present.get(ref) ?? ZERO_SHA) === newSha);
}

/** git always says why it refuses; silence means that something ended it. */
function isUnexplained(error: GitProcessError): boolean {
  return !error.stderr.includes('fatal:');
}

function isConflict(error: GitProcessError): boolean {
  return isLockTaken(error.stderr) || CONFLICTS.some((pattern) => pattern.test(error.stderr));
}

function asConflict(error: unknown, updates: readonly RefUpdate[]): unknown {
  if (!(error instanceof GitProcessError) || !isConflict(error)) return error;
  const named = NAMED_REF.exec(error.stderr)?.[1];
  return new RefConflictError(updates.find(({ ref }) => ref === named)?.ref ?? updates[0]?.ref ?? '');
}

/** Every folder whose names the updates may have changed; the repository's own holds the packed refs. */
function directoriesOf(repository: string, updates: readonly RefUpdate[]): string[] {
  const relative = new Set<string>();
  for (const { ref, newSha } of updates) {
    if (newSha === ZERO_SHA) relative.add('.');
    for (let folder = path.posix.dirname(ref); folder !== '.'; folder = path.posix.dirname(folder)) {
      relative.add(folder);
    }
  }
  return [...relative].map((folder) => path.join(repository, folder));
}
