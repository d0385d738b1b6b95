import { Pipeline } from './pipeline.entity';
import type { CiStatus } from './status';

const [SOON, LATER, LAST] = [new Date(1_000), new Date(2_000), new Date(3_000)];

const waiting = (): Pipeline =>
  Object.assign(new Pipeline(), {
    status: 'pending',
    startedAt: null,
    finishedAt: null,
    duration: null,
    coverage: null,
  });
const recount = (pipeline: Pipeline, now: Date, ...statuses: CiStatus[]): void =>
  pipeline.recount(
    { statuses: statuses.map((status) => ({ status, allowFailure: false })), coverage: 50, seconds: 7 },
    now,
  );

describe('a pipeline', () => {
  it('starts when something runs, and ends when nothing does', () => {
    const pipeline = waiting();
    recount(pipeline, SOON, 'pending', 'created');
    expect(pipeline).toMatchObject({ status: 'pending', startedAt: null, finishedAt: null });
    recount(pipeline, SOON, 'running', 'created');
    expect(pipeline).toMatchObject({ status: 'running', startedAt: SOON, finishedAt: null, duration: null });
    recount(pipeline, LATER, 'success');
    expect(pipeline).toMatchObject({ startedAt: SOON, finishedAt: LATER, duration: 7, coverage: 50 });
  });

  it('has ended when it last took another end', () => {
    const pipeline = waiting();
    recount(pipeline, SOON, 'success');
    recount(pipeline, LATER, 'success', 'success');
    expect(pipeline).toMatchObject({ startedAt: null, finishedAt: SOON, duration: null });
    recount(pipeline, LAST, 'success', 'failed');
    expect(pipeline).toMatchObject({ status: 'failed', finishedAt: LAST });
  });

  it('is canceled when it is stopped, and pending when it is retried', () => {
    const pipeline = waiting();
    recount(pipeline, SOON, 'failed', 'canceled');
    pipeline.cancel(LATER);
    expect(pipeline).toMatchObject({ status: 'canceled', startedAt: null, finishedAt: LATER });
    pipeline.awaitRetry();
    expect(pipeline).toMatchObject({ status: 'pending', finishedAt: null, duration: null });
  });

  it('keeps its status as long as there is nothing to count', () => {
    const pipeline = waiting();
    recount(pipeline, SOON);
    expect(pipeline.status).toBe('pending');
  });
});
