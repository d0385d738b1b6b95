import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#libs/errors';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type PoolClient } from 'pg';
import { LocalQueue } from './local-queue';
import { lockId, type LockKey } from './lock-id';

export interface LockOptions {
  /** How long to wait for the lock, in milliseconds; 10 seconds when not given. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS = 50;
/** Each saves two round trips; a commit takes some milliseconds, so other nodes wait for this many at most. */
const MOST_HAND_ONS = 8;
const LOCK_NOT_AVAILABLE = '55P03';
const UNAVAILABLE = 'Another operation is still running, please try again';

/**
 * Locks that exclude holders on all nodes, by PostgreSQL's advisory locks.
 *
 * They have a pool of their own. A holder keeps one connection of it for as long as it works, and works with the
 * main pool meanwhile; were both the same pool, waiters could take every connection, and the holder they wait for
 * would never get the one it needs to finish. Within this process waiters for one key queue in memory, so that a
 * key in demand takes one connection and not all of them; who leaves hands the lock on to the next in line as it is,
 * a few times in a row, then the other nodes get their chance.
 * Do not take a second lock while holding one: two holders that want each other's lock only end by timeout.
 *
 * A process that dies loses its connection, and with it the lock. When only the connection breaks, the signal
 * given to `work` is aborted: somebody else may hold the lock from then on.
 */
@Injectable()
export class AdvisoryLocks implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly queue = new LocalQueue<HeldLock>();

  constructor(url: string, poolSize: number, applicationName: string) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: `${applicationName} locks`,
      keepAlive: true,
      // A node that vanished from the network loses its locks within half a minute.
      options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    });
    // An idle connection that breaks is replaced by the pool; one in use reports to its holder.
    this.pool.on('error', () => undefined);
  }

  /** Throws DomainError `unavailable` when the lock is not had within the time. */
  async hold<T>(
    key: LockKey,
    work: (signal: AbortSignal) => Promise<T>,
    options: LockOptions = {},
  ): Promise<T> {
    const id = lockId(key);
    const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const turn = await this.queue.enter(id, deadline - Date.now());
    if (!turn) throw unavailable();
    let held: HeldLock | undefined;
    try {
      held = turn.inherited?.isUsable ? turn.inherited : await this.take(id, deadline);
      return await work(held.lost);
    } finally {
      const passedOn = turn.isAwaited && held?.isHandedOn() ? held : undefined;
      if (!passedOn) await held?.release();
      turn.leave(passedOn);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async connect(deadline: number): Promise<PoolClient> {
    for (;;) {
      try {
        return await this.pool.connect();
      } catch (error) {
        // Every connection may be taken for longer than the pool waits.
        if (Date.now() >= deadline) throw unavailable(error);
        await sleep(RECONNECT_MS);
      }
    }
  }

  private async take(id: string, deadline: number): Promise<HeldLock> {
    const held = new HeldLock(await this.connect(deadline), id);
    try {
      await held.lock(deadline);
      return held;
    } catch (error) {
      await held.release();
      throw error;
    }
  }
}

/** A lock and the connection that has it. */
class HeldLock {
  private readonly loss = new AbortController();
  private readonly onLoss = (error: Error): void => this.loss.abort(error);
  private handOns = 0;

  constructor(
    private readonly connection: PoolClient,
    private readonly id: string,
  ) {
    connection.on('error', this.onLoss);
  }

  /** Aborted when the connection breaks. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  get isUsable(): boolean {
    return !this.loss.signal.aborted;
  }

  /** Whether the next in line may have it without asking the database; counts that it does. */
  isHandedOn(): boolean {
    if (!this.isUsable || this.handOns >= MOST_HAND_ONS) return false;
    this.handOns += 1;
    return true;
  }

  lock(deadline: number): Promise<void> {
    return lock(this.connection, this.id, deadline);
  }

  async release(): Promise<void> {
    const isReusable = await unlock(this.connection, this.id, this.lost);
    this.connection.removeListener('error', this.onLoss);
    // A connection in doubt is closed, which frees whatever it held.
    this.connection.release(!isReusable);
  }
}

/** Uncontended it is one round trip with a prepared statement. */
async function lock(connection: PoolClient, id: string, deadline: number): Promise<void> {
  const text = 'SELECT pg_try_advisory_lock($1::bigint) AS locked';
  const { rows } = await connection.query<{ locked: boolean }>({ name: 'try_lock', text, values: [id] });
  if (rows[0]?.locked) return;
  const wait = Math.max(1, deadline - Date.now());
  try {
    // The simple protocol takes both at once; id and wait are integers made here.
    await connection.query(`SET lock_timeout = ${wait}; SELECT pg_advisory_lock(${id})`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) throw unavailable(error);
    throw error;
  }
}

/** False when the connection must not be used again. */
async function unlock(connection: PoolClient, id: string, lost: AbortSignal): Promise<boolean> {
  if (lost.aborted) return false;
  try {
    const text = 'SELECT pg_advisory_unlock($1::bigint) AS unlocked';
    const { rows } = await connection.query<{ unlocked: boolean }>({ name: 'unlock', text, values: [id] });
    return rows[0]?.unlocked === true;
  } catch {
    // The caller closes the connection, and the server frees the lock with it.
    return false;
  }
}

const unavailable = (cause?: unknown): DomainError =>
  new DomainError({ kind: 'unavailable', message: UNAVAILABLE }, { cause });
