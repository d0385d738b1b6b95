import type { JobWhen } from '../configuration/job-definition';
import { isFinished, RollUp, type CiStatus } from './status';

/** A job of a pipeline as far as its turn depends on it. */
export interface OrderedJob {
  readonly id: number;
  readonly name: string;
  readonly stageIndex: number;
  readonly status: CiStatus;
  readonly allowFailure: boolean;
  readonly when: JobWhen;
  /** Names of the jobs it waits for; null for all of the stages before its own. */
  readonly needs: readonly string[] | null;
  readonly startInSeconds: number | null;
}

/** What is to become of created jobs whose turn has come. */
export interface NextMoves {
  readonly enqueue: readonly number[];
  /** Wait for somebody to start them. */
  readonly offer: readonly number[];
  readonly schedule: readonly { readonly id: number; readonly seconds: number }[];
  readonly skip: readonly number[];
}

const MOVE = { enqueue: 'pending', offer: 'manual', schedule: 'scheduled', skip: 'skipped' } as const;
type MoveName = keyof typeof MOVE;

/** How what a job waits for may have ended, for the job to run. After what was canceled nothing runs. */
const RUNS_AFTER: Readonly<Record<JobWhen, readonly CiStatus[]>> = {
  on_success: ['success', 'skipped'],
  on_failure: ['failed'],
  always: ['success', 'failed', 'skipped'],
  manual: ['success', 'skipped'],
  delayed: ['success', 'skipped'],
};

/**
 * The reference's rule: a job's turn comes when the stages before its own, or the jobs it needs, have ended; how they
 * ended decides whether it runs. What is skipped has ended too, so one call goes as far as there is to go.
 */
export function nextMoves(jobs: readonly OrderedJob[]): NextMoves {
  const status = new Map(jobs.map((job) => [job.id, job.status]));
  const moves: Record<MoveName, OrderedJob[]> = { enqueue: [], offer: [], schedule: [], skip: [] };
  const inOrder = [...jobs].sort(byStage);
  const waiting = inOrder.filter((job) => job.status === 'created');
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const now = (job: OrderedJob): OrderedJob => ({ ...job, status: status.get(job.id) ?? job.status });
  // Every round but the last skips a job, so there are no more rounds than jobs.
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    const earlier = endOfEarlierStages(inOrder, now);
    for (const job of waiting) {
      if (status.get(job.id) !== 'created') continue;
      const before = job.needs
        ? endOf(job.needs.flatMap((name) => byName.get(name) ?? []).map(now))
        : earlier(job.stageIndex);
      if (!isFinished(before)) continue;
      const move = moveOf(job, before);
      moves[move].push(job);
      status.set(job.id, MOVE[move]);
      isMoving ||= move === 'skip' || move === 'offer';
    }
  }
  return {
    enqueue: moves.enqueue.map(({ id }) => id),
    offer: moves.offer.map(({ id }) => id),
    schedule: moves.schedule.map(({ id, startInSeconds }) => ({ id, seconds: startInSeconds ?? 0 })),
    skip: moves.skip.map(({ id }) => id),
  };
}

const byStage = (one: OrderedJob, other: OrderedJob): number =>
  one.stageIndex - other.stageIndex || one.id - other.id;

function moveOf(job: OrderedJob, before: CiStatus): MoveName {
  if (!RUNS_AFTER[job.when].includes(before)) return 'skip';
  if (job.when === 'manual') return 'offer';
  return job.when === 'delayed' ? 'schedule' : 'enqueue';
}

/** What nothing comes before may begin. */
function endOf(awaited: readonly OrderedJob[]): CiStatus {
  const sum = new RollUp();
  awaited.forEach((job) => sum.add(job));
  return sum.status ?? 'success';
}

/**
 * Looks at each job once a round, however many stages there are and jobs ask, who do so stage by stage; behind a stage
 * that has not ended at none at all.
 */
function endOfEarlierStages(
  inOrder: readonly OrderedJob[],
  now: (job: OrderedJob) => OrderedJob,
): (stageIndex: number) => CiStatus {
  const sum = new RollUp();
  let place = 0;
  let unfinished: CiStatus | null = null;
  return (stageIndex) => {
    if (unfinished) return unfinished;
    for (let job = inOrder[place]; job && job.stageIndex < stageIndex; job = inOrder[place]) {
      sum.add(now(job));
      place += 1;
    }
    const found = sum.status ?? 'success';
    if (!isFinished(found)) unfinished = found;
    return found;
  };
}
