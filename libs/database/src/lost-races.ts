import { DomainError, notFound } from '#libs/errors';
import { QueryFailedError } from 'typeorm';

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const IN_CIRCLE = 'Others are changing the same things, please try again';

/** The SQLSTATE of an error of a statement, by TypeORM or by `Database.prepared`. */
function codeOf(error: unknown): unknown {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

/** Whether a statement gave up waiting for what somebody else has locked. */
export const gaveUpWaiting = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Whether the server has ended a transaction since several waited for each other. */
export const waitedInCircle = (error: unknown): boolean => codeOf(error) === DEADLOCK_DETECTED;

/**
 * What a caller is told where a transaction failed only because of what others did meanwhile; the error itself for all
 * else. Every reference of the schema says what becomes of it when what it refers to is deleted, so what breaks one is a
 * row about something that is gone.
 */
export function asLostRace(error: unknown): unknown {
  if (codeOf(error) === FOREIGN_KEY_VIOLATION) return new DomainError(notFound().detail, { cause: error });
  if (waitedInCircle(error))
    return new DomainError({ kind: 'unavailable', message: IN_CIRCLE }, { cause: error });
  return error;
}
