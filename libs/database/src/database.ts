import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#libs/errors';
import { TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { AdvisoryLocks, type LockOptions } from './advisory-locks';
import { collect, runAll, type AfterCommitAction } from './after-commit';
import { collectLast } from './before-commit';
import { connectionOf, poolOf } from './driver-access';
import type { LockKey } from './lock-id';
import { asLostRace, gaveUpWaiting, waitedInCircle } from './lost-races';

const ATTEMPTS = 5;
const PAUSE_MS = 50;

/**
 * The database as repositories and services see it. Whether a transaction runs is known from the asynchronous
 * context, so nobody hands connections around; outside of a transaction no context is made.
 */
@Injectable()
export class Database {
  /** Of the prepared statements, by name: as many as the code has. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly host: TransactionHost<TransactionalAdapterTypeOrm>,
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocks,
  ) {}

  /** Queries of the current transaction, else on any connection. Do not keep it beyond one call. */
  get manager(): EntityManager {
    return this.host.tx;
  }

  get inTransaction(): boolean {
    return this.host.isTransactionActive();
  }

  /**
   * One unit of work: all or nothing. Inside another transaction it joins that one.
   * Everything in it shares one connection, so queries run one after another: do not start several at once.
   * Throws "404 Not found" where it writes about what somebody else has deleted since it was looked for, and `unavailable`
   * where it waited for another that waited for it: all take their locks in one order (ADR 22), so that this should not be;
   * if it is, nothing has happened and it can be tried again.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.host.withTransaction(work);
    } catch (error) {
      throw asLostRace(error);
    }
  }

  /**
   * As `transaction`, of its own, for work that limits how long it waits for locks (`SET LOCAL lock_timeout`, less than
   * the second after which the server ends one of those who wait in a circle): where it gave up it is begun anew, a few
   * times, and those who were in the way go first. Throws `unavailable` with the sentence when that does not end.
   */
  async patientTransaction<T>(refusal: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.host.withTransaction(work);
      } catch (error) {
        if (!gaveUpWaiting(error) && !waitedInCircle(error)) throw asLostRace(error);
        if (attempt === ATTEMPTS)
          throw new DomainError({ kind: 'unavailable', message: refusal }, { cause: error });
        await sleep(PAUSE_MS * attempt);
      }
    }
  }

  /**
   * A statement that PostgreSQL parses and plans once per connection, for hot queries. The same name must always
   * come with the same text. Rows have the driver's types: bigint as number, timestamptz as Date.
   * Errors are the driver's own (`code` is the SQLSTATE).
   */
  async prepared<T extends QueryResultRow = QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> {
    this.requireOneText(name, text);
    const query = { name, text, values: [...values] };
    const runner = this.inTransaction ? this.manager.queryRunner : undefined;
    const target = runner ? await connectionOf(runner) : poolOf(this.dataSource);
    const { rows } = await target.query<T>(query);
    return rows;
  }

  /** The driver finds out only where both statements come to one connection: once in a while. */
  private requireOneText(name: string, text: string): void {
    const known = this.texts.get(name);
    if (known === undefined) this.texts.set(name, text);
    else if (known !== text) throw new Error(`two statements are called ${name}`);
  }

  /**
   * Runs as the last thing that the current transaction does; at once outside of one. Several run in the order of their
   * places. For counters in rows that many transactions write: whoever takes their locks last, and all in one order, never
   * waits in a circle, and holds them briefly. A failure undoes the transaction.
   */
  async beforeCommit(place: number, run: () => Promise<void>): Promise<void> {
    const runner = this.inTransaction ? this.manager.queryRunner : undefined;
    if (!runner || !collectLast(runner, { place, run })) await run();
  }

  /**
   * Runs when the current transaction has been committed, never when it is rolled back; at once outside of one.
   * A failure is logged. Work that must not be lost by a crash belongs into a job instead.
   */
  async afterCommit(action: AfterCommitAction): Promise<void> {
    const runner = this.inTransaction ? this.manager.queryRunner : undefined;
    if (!runner || !collect(runner, action)) await runAll([action]);
  }

  /** Runs `work` while no other holder of the key does, on any node; see AdvisoryLocks. */
  holdLock<T>(key: LockKey, work: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T> {
    return this.locks.hold(key, work, options);
  }
}
