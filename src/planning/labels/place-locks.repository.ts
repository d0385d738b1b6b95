import { Database, lockId } from '#libs/database';
import { DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Place } from './place';

const LOCK_WAIT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement gave up waiting for what somebody else has locked. */
export function gaveUpWaiting(error: unknown): boolean {
  const cause: unknown = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}

const keyOf = (projectId: number): string => lockId(`groups of project ${projectId}`);

/**
 * Keeps a project in its groups while something there is given one of their labels or milestones. No lock of a row does
 * that without being in the way of everybody else who changes the project.
 */
@Injectable()
export class PlaceLocks {
  constructor(private readonly database: Database) {}

  /** Until the transaction ends the project stays where it is; others may keep it there too. */
  async keep({ projectId }: Place): Promise<void> {
    if (projectId === null) return;
    await this.database.prepared('keep_place', 'SELECT pg_advisory_xact_lock_shared($1::bigint)', [
      keyOf(projectId),
    ]);
  }

  /**
   * Runs the work, in the transaction of a move, while nobody keeps the project where it was. Who is about to has an
   * issue locked and waits for us: so we wait for nothing for long. Throws `unavailable` instead.
   */
  async whileMoving<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    try {
      await this.database.manager.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
      await this.database.manager.query('SELECT pg_advisory_xact_lock($1::bigint)', [keyOf(projectId)]);
      return await work();
    } catch (error) {
      if (!gaveUpWaiting(error)) throw error;
      const message = 'The project is being worked on, please try again';
      throw new DomainError({ kind: 'unavailable', message }, { cause: error });
    }
  }
}
