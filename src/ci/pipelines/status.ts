export const CI_STATUSES = [
  'created',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;
export type CiStatus = (typeof CI_STATUSES)[number];

export interface CountedStatus {
  readonly status: CiStatus;
  readonly allowFailure: boolean;
}

const FINISHED: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped'];

export const isFinished = (status: CiStatus): boolean => FINISHED.includes(status);

/**
 * What several statuses add up to, as the reference does (behaviour of commit statuses): all successful, canceled,
 * waiting, some running, else failed. A failure that is allowed counts as success.
 */
export function rollUp(statuses: readonly CountedStatus[]): CiStatus {
  const found = new Set(
    statuses.map(({ status, allowFailure }) => (status === 'failed' && allowFailure ? 'success' : status)),
  );
  const only = (...allowed: CiStatus[]): boolean => [...found].every((status) => allowed.includes(status));
  if (found.size === 0) return 'pending';
  if (only('skipped')) return 'skipped';
  if (only('success', 'skipped')) return 'success';
  if (only('success', 'skipped', 'canceled')) return 'canceled';
  if (only('created', 'pending', 'skipped')) return 'pending';
  if (found.has('running') || found.has('pending') || found.has('created')) return 'running';
  return 'failed';
}
