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
 * waiting, some running, waiting for people or for a time, else failed. Where failure is allowed, a failed or canceled
 * one counts as success, and one that waits for people not at all.
 */
export function rollUp(statuses: readonly CountedStatus[]): CiStatus {
  const sum = new RollUp();
  statuses.forEach((status) => sum.add(status));
  return sum.status ?? 'pending';
}

/** The same for statuses that come one after another. */
export class RollUp {
  private readonly found = new Set<CiStatus>();
  private isEmpty = true;

  add(status: CountedStatus): void {
    this.isEmpty = false;
    for (const counted of countedOf(status)) this.found.add(counted);
  }

  /** Null where there are none so far. */
  get status(): CiStatus | null {
    return this.isEmpty ? null : totalOf(this.found);
  }
}

function totalOf(found: ReadonlySet<CiStatus>): CiStatus {
  const only = (...allowed: CiStatus[]): boolean => [...found].every((status) => allowed.includes(status));
  if (only('skipped')) return 'skipped';
  if (only('success', 'skipped')) return 'success';
  if (only('success', 'skipped', 'canceled')) return 'canceled';
  if (only('created', 'pending', 'skipped')) return 'pending';
  if (found.has('running') || found.has('pending')) return 'running';
  if (found.has('manual')) return 'manual';
  if (found.has('scheduled')) return 'scheduled';
  if (found.has('preparing')) return 'preparing';
  return found.has('created') ? 'running' : 'failed';
}

function countedOf({ status, allowFailure }: CountedStatus): readonly CiStatus[] {
  if (!allowFailure) return [status];
  if (status === 'manual') return [];
  return status === 'failed' || status === 'canceled' ? ['success'] : [status];
}
