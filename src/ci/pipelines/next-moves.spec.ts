import type { JobWhen } from '../configuration/job-definition';
import { nextMoves, type OrderedJob } from './next-moves';
import { isFinished, rollUp, type CiStatus } from './status';

let nextId = 0;
const job = (values: Partial<OrderedJob> = {}): OrderedJob => {
  nextId += 1;
  return {
    id: nextId,
    name: `job ${nextId}`,
    stageIndex: 0,
    status: 'created',
    allowFailure: false,
    when: 'on_success',
    needs: null,
    startInSeconds: null,
    ...values,
  };
};
const NOTHING = { enqueue: [], offer: [], schedule: [], skip: [] };

describe('the jobs whose turn has come', () => {
  it('are those of the first stage when nothing has run yet', () => {
    const [one, two] = [job(), job()];
    expect(nextMoves([one, two, job({ stageIndex: 1 })])).toEqual({ ...NOTHING, enqueue: [one.id, two.id] });
  });

  it('are none while an earlier stage goes on', () => {
    for (const status of ['pending', 'running', 'manual', 'scheduled'] as const)
      expect(nextMoves([job({ status }), job({ stageIndex: 1 })])).toEqual(NOTHING);
  });

  it.each<[JobWhen, CiStatus, keyof typeof NOTHING]>([
    ['on_success', 'success', 'enqueue'],
    ['on_success', 'skipped', 'enqueue'],
    ['on_success', 'failed', 'skip'],
    ['on_success', 'canceled', 'skip'],
    ['on_failure', 'failed', 'enqueue'],
    ['on_failure', 'success', 'skip'],
    ['always', 'failed', 'enqueue'],
    ['always', 'success', 'enqueue'],
    ['always', 'canceled', 'skip'],
    ['manual', 'success', 'offer'],
    ['manual', 'failed', 'skip'],
    ['delayed', 'success', 'schedule'],
    ['delayed', 'failed', 'skip'],
  ])('%s after %s: %s', (when, status, move) => {
    const waiting = job({ when, stageIndex: 1, startInSeconds: when === 'delayed' ? 60 : null });
    const expected = move === 'schedule' ? [{ id: waiting.id, seconds: 60 }] : [waiting.id];
    expect(nextMoves([job({ status }), waiting])).toEqual({ ...NOTHING, [move]: expected });
  });

  it('do not wait for what may fail, nor for somebody who may start it', () => {
    for (const status of ['failed', 'canceled', 'manual'] as const) {
      const next = job({ stageIndex: 1 });
      const moves = nextMoves([job({ status, allowFailure: true }), next]);
      expect(moves.enqueue).toEqual([next.id]);
    }
    const [offered, next] = [job({ when: 'manual', allowFailure: true }), job({ stageIndex: 1 })];
    expect(nextMoves([offered, next])).toEqual({ ...NOTHING, offer: [offered.id], enqueue: [next.id] });
  });

  it('wait for the jobs they need, whatever else their stage waits for', () => {
    const done = job({ status: 'success', name: 'done' });
    const next = job({ stageIndex: 1, needs: ['done'] });
    expect(nextMoves([done, job({ status: 'running' }), next])).toEqual({ ...NOTHING, enqueue: [next.id] });
  });

  it('are skipped along the whole line of those that need them', () => {
    const failed = job({ status: 'failed', name: 'failed' });
    const one = job({ stageIndex: 1, name: 'one', needs: ['failed'] });
    const two = job({ stageIndex: 2, name: 'two', when: 'on_failure' });
    const three = job({ stageIndex: 3 });
    expect(nextMoves([failed, one, two, three])).toEqual({
      ...NOTHING,
      skip: [one.id],
      enqueue: [two.id],
    });
  });

  it('are found by a few looks at each job, however many stages there are', () => {
    const MANY = 500;
    let looks = 0;
    const watched = Array.from({ length: MANY }, (_, stageIndex) => ({
      ...job({ stageIndex, when: 'on_failure' }),
      get allowFailure() {
        looks += 1;
        return false;
      },
    }));
    expect(nextMoves(watched).skip).toHaveLength(MANY);
    expect(looks).toBeLessThan(10 * MANY);
  });
});

/** A generator of its own, so that a failure can be repeated from the seed that the message shows. */
function dice(seed: number): (sides: number) => number {
  let state = seed + 1;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
}

const WHEN: readonly JobWhen[] = ['on_success', 'on_success', 'on_failure', 'always', 'manual', 'delayed'];
const ENDS: readonly CiStatus[] = ['success', 'success', 'failed', 'canceled'];

function randomPipeline(roll: (sides: number) => number): OrderedJob[] {
  const jobs: OrderedJob[] = [];
  for (let count = 1 + roll(12); count > 0; count -= 1) {
    const stageIndex = roll(5);
    const earlier = jobs.filter((one) => one.stageIndex < stageIndex).map(({ name }) => name);
    const needs = earlier.length > 0 && roll(3) === 0 ? earlier.filter(() => roll(2) === 0) : [];
    jobs.push(
      job({
        stageIndex,
        when: WHEN[roll(WHEN.length)] ?? 'always',
        allowFailure: roll(4) === 0,
        needs: needs.length > 0 ? needs : null,
      }),
    );
  }
  return jobs;
}

it('every pipeline ends, however its jobs do, and leaves none behind', () => {
  for (let seed = 0; seed < 150; seed += 1) {
    const roll = dice(seed);
    let jobs = randomPipeline(roll);
    const become = (ids: readonly number[], status: () => CiStatus): void => {
      jobs = jobs.map((one) => (ids.includes(one.id) ? { ...one, status: status() } : one));
    };
    for (let step = 0; ; step += 1) {
      const { enqueue, offer, schedule, skip } = nextMoves(jobs);
      become(skip, () => 'skipped');
      become(offer, () => 'manual');
      become([...enqueue, ...schedule.map(({ id }) => id)], () => 'running');
      // One call goes as far as there is to go.
      expect([seed, nextMoves(jobs)]).toEqual([seed, NOTHING]);
      const [runs] = jobs.filter(({ status }) => status === 'running');
      const [waits] = jobs.filter(({ status }) => status === 'manual');
      const next = runs ?? waits;
      if (!next) break;
      become([next.id], () => ENDS[roll(ENDS.length)] ?? 'success');
      expect([seed, step <= jobs.length]).toEqual([seed, true]);
    }
    expect([seed, jobs.filter(({ status }) => !isFinished(status))]).toEqual([seed, []]);
    expect([seed, isFinished(rollUp(jobs))]).toEqual([seed, true]);
  }
});
