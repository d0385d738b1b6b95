import { CommitStatus } from '../commit-statuses/commit-status.entity';
import type { JobDefinition } from '../configuration/job-definition';
import { CI_STATUSES, type CiStatus } from '../pipelines/status';
import { Job } from './job.entity';

const NOW = new Date('2026-01-01T00:00:10Z');
const DIGEST = Buffer.from('digest');

const DEFINITION: JobDefinition = {
  beforeScript: [],
  script: ['true'],
  afterScript: [],
  image: null,
  services: [],
  variables: [],
  artifacts: null,
  cache: null,
  dependencies: null,
  environment: null,
  interruptible: false,
  retryMax: 0,
  retryWhen: ['always'],
  parallel: null,
  startInSeconds: null,
};

function jobThatIs(status: CiStatus, columns: Partial<Job> = {}): Job {
  const record = Object.assign(new CommitStatus(), {
    status,
    retried: false,
    authorId: 1,
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
  });
  const plain = { definition: DEFINITION, attempts: 0, when: 'on_success', erasedAt: null, traceBytes: 5 };
  return Object.assign(new Job(), plain, columns, { record });
}

interface Move {
  readonly act: (job: Job) => void;
  readonly from: readonly CiStatus[];
  readonly to: CiStatus;
}

const MOVES: Readonly<Record<string, Move>> = {
  enqueue: {
    act: (job) => job.enqueue(NOW),
    from: ['created', 'preparing', 'manual', 'scheduled'],
    to: 'pending',
  },
  offer: { act: (job) => job.offer(), from: ['created'], to: 'manual' },
  schedule: { act: (job) => job.schedule(NOW), from: ['created'], to: 'scheduled' },
  skip: { act: (job) => job.skip(NOW), from: ['created', 'preparing'], to: 'skipped' },
  reopen: { act: (job) => job.reopen(), from: ['skipped'], to: 'created' },
  run: { act: (job) => job.run(7, DIGEST, NOW), from: ['pending'], to: 'running' },
  release: { act: (job) => job.release(NOW), from: ['running'], to: 'pending' },
  succeed: { act: (job) => job.succeed(NOW), from: ['running'], to: 'success' },
  fail: {
    act: (job) => job.fail('script_failure', NOW),
    from: ['created', 'preparing', 'pending', 'running', 'scheduled'],
    to: 'failed',
  },
  cancel: {
    act: (job) => job.cancel(NOW),
    from: ['created', 'preparing', 'pending', 'running', 'manual', 'scheduled'],
    to: 'canceled',
  },
};

const CASES = Object.entries(MOVES).flatMap(([name, move]) =>
  CI_STATUSES.map((status) => ({ name, status, move, isAllowed: move.from.includes(status) })),
);

describe('a job', () => {
  it.each(CASES.filter(({ isAllowed }) => isAllowed))('that is $status may $name', ({ status, move }) => {
    const job = jobThatIs(status);
    move.act(job);
    expect(job.status).toBe(move.to);
  });

  it.each(CASES.filter(({ isAllowed }) => !isAllowed))(
    'that is $status may not $name',
    ({ status, move }) => {
      const job = jobThatIs(status);
      expect(() => move.act(job)).toThrow(`a job that is ${status} cannot`);
      expect(job.status).toBe(status);
    },
  );

  it('notes when it is queued, begins and ends, and who runs it', () => {
    const job = jobThatIs('created');
    job.enqueue(NOW);
    expect([job.record.queuedAt, job.record.authorId]).toEqual([NOW, 1]);
    job.run(7, DIGEST, NOW);
    expect([job.record.startedAt, job.runnerId, job.jobTokenDigest, job.lastContactAt]).toEqual([
      NOW,
      7,
      DIGEST,
      NOW,
    ]);
    expect(job.duration(new Date('2026-01-01T00:00:12.500Z'))).toBe(2.5);
    job.fail('script_failure', new Date('2026-01-01T00:00:13Z'));
    expect([job.failureReason, job.duration(new Date())]).toEqual(['script_failure', 3]);
  });

  it('that is given back is as if no runner had ever taken it', () => {
    const job = jobThatIs('pending');
    job.run(7, DIGEST, NOW);
    job.release(NOW);
    const { record, runnerId, jobTokenDigest, lastContactAt } = job;
    expect([record.startedAt, runnerId, jobTokenDigest, lastContactAt]).toEqual([null, null, null, null]);
    expect(record.queuedAt).toEqual(NOW);
  });

  it('acts for whoever has started it by hand', () => {
    const job = jobThatIs('manual');
    job.enqueue(NOW, 9);
    expect(job.record.authorId).toBe(9);
  });

  it('is no longer delayed once it is queued or canceled', () => {
    for (const act of [(job: Job) => job.enqueue(NOW), (job: Job) => job.cancel(NOW)]) {
      const job = jobThatIs('scheduled', { startAfter: NOW });
      act(job);
      expect(job.startAfter).toBeNull();
    }
  });

  it.each([
    ['success', true],
    ['failed', true],
    ['canceled', true],
    ['skipped', false],
    ['running', false],
    ['manual', false],
  ] as const)('that is %s is retryable: %s', (status, isRetryable) => {
    expect(jobThatIs(status).isRetryable).toBe(isRetryable);
  });

  it('that was retried is not again', () => {
    const job = jobThatIs('failed');
    job.record.retried = true;
    expect(job.isRetryable).toBe(false);
  });

  it('is started by hand where it waits for that, and again once it has ended', () => {
    const playable = (status: CiStatus, when: Job['when']) => jobThatIs(status, { when }).isPlayable;
    expect(
      ['manual', 'success', 'failed', 'canceled'].map((status) => playable(statusOf(status), 'manual')),
    ).toEqual([true, true, true, true]);
    expect(playable('scheduled', 'delayed')).toBe(true);
    expect([
      playable('created', 'manual'),
      playable('pending', 'manual'),
      playable('failed', 'always'),
    ]).toEqual([false, false, false]);
  });

  it('is erased once it has ended, and not before', () => {
    const job = jobThatIs('failed');
    job.erase(3, NOW);
    expect([job.isErased, job.erasedById, job.traceBytes]).toEqual([true, 3, 0]);
    expect(() => jobThatIs('running').erase(3, NOW)).toThrow('cannot be erased');
  });

  it.each([
    [{ retryMax: 0 }, 0, false],
    [{ retryMax: 2 }, 0, true],
    [{ retryMax: 2 }, 1, true],
    [{ retryMax: 2 }, 2, false],
    [{ retryMax: 1, retryWhen: ['script_failure'] }, 0, true],
    [{ retryMax: 1, retryWhen: ['runner_system_failure'] }, 0, false],
  ])('with %j after %i attempts wants another one: %s', (retry, attempts, wants) => {
    const job = jobThatIs('running', { attempts, definition: { ...DEFINITION, ...retry } });
    job.fail('script_failure', NOW);
    expect(job.wantsRetry()).toBe(wants);
  });

  it('that was canceled wants no other attempt', () => {
    const job = jobThatIs('running', { definition: { ...DEFINITION, retryMax: 2 } });
    job.cancel(NOW);
    expect(job.wantsRetry()).toBe(false);
  });
});

function statusOf(text: string): CiStatus {
  const status = CI_STATUSES.find((known) => known === text);
  if (!status) throw new Error(`no status: ${text}`);
  return status;
}
