import fc from 'fast-check';
import { CI_STATUSES, isFinished, rollUp, type CiStatus, type CountedStatus } from './status';

const STATUSES = fc.array(
  fc.record({ status: fc.constantFrom(...CI_STATUSES), allowFailure: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

/**
 * The reference's rule, which counts, with the two things that the contract says otherwise: what may fail counts as
 * success once it has, and what was only created as pending.
 */
function byCounting(statuses: readonly CountedStatus[]): CiStatus {
  const counted = statuses
    .filter(({ status, allowFailure }) => !(allowFailure && status === 'manual'))
    .map(({ status, allowFailure }) =>
      allowFailure && (status === 'failed' || status === 'canceled') ? 'success' : status,
    );
  const all = counted.length;
  const number = (...wanted: CiStatus[]): number =>
    counted.filter((status) => wanted.includes(status)).length;
  const rules: [boolean, CiStatus][] = [
    [all === number('skipped'), 'skipped'],
    [all === number('success', 'skipped'), 'success'],
    [all === number('preparing'), 'preparing'],
    [all === number('success', 'skipped', 'canceled'), 'canceled'],
    [all === number('created', 'skipped', 'pending'), 'pending'],
    [number('running', 'pending') > 0, 'running'],
    [number('manual') > 0, 'manual'],
    [number('scheduled') > 0, 'scheduled'],
    [number('preparing') > 0, 'preparing'],
    [number('created') > 0, 'running'],
  ];
  return rules.find(([holds]) => holds)?.[1] ?? 'failed';
}

describe('what any statuses add up to', () => {
  it('is what the reference counts', () => {
    fc.assert(fc.property(STATUSES, (statuses) => rollUp(statuses) === byCounting(statuses)));
  });

  it('depends neither on their order nor on how many of them are alike', () => {
    fc.assert(
      fc.property(STATUSES, (statuses) => {
        expect(rollUp(statuses.toReversed())).toBe(rollUp(statuses));
        expect(rollUp([...statuses, ...statuses])).toBe(rollUp(statuses));
      }),
    );
  });

  it('has ended when, and only when, none goes on or waits', () => {
    fc.assert(
      fc.property(STATUSES, (statuses) => {
        const goesOn = statuses.some(
          ({ status, allowFailure }) => !isFinished(status) && !(status === 'manual' && allowFailure),
        );
        expect(isFinished(rollUp(statuses))).toBe(!goesOn);
      }),
    );
  });
});
