import { until } from '#libs/testing';
import type { TestApplication } from './application';

const IS_WAITED_FOR =
  'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';

/**
 * Runs `work` beside a transaction that holds what `statement` locks. That commits once `work` waits for it and
 * `meanwhile` is done.
 */
export async function whileHeld<T>(
  { database }: Pick<TestApplication, 'database'>,
  statement: string,
  work: () => PromiseLike<T>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  await database.query('BEGIN');
  await database.query(statement);
  const running = Promise.resolve(work());
  try {
    await until(async () => (await database.query(IS_WAITED_FOR)).rows.length > 0);
    await meanwhile();
    await database.query('COMMIT');
  } catch (error) {
    await database.query('ROLLBACK');
    throw error;
  }
  return running;
}
