import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';

/**
 * The name of the unique index that a statement, by TypeORM or by `Database.prepared`, would have broken;
 * null for any other error.
 */
export function uniqueViolation(error: unknown): string | null {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== UNIQUE_VIOLATION) return null;
  return 'constraint' in cause && typeof cause.constraint === 'string' ? cause.constraint : '';
}
