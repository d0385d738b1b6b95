import { nextUpdate } from './update-times';

const minutes = (failures: number, chance: number): number | undefined => {
  const next = nextUpdate(failures, 0, chance);
  return next === null ? undefined : next.getTime() / 60_000;
};

describe('the next update of a mirror', () => {
  it.each([
    [0, 30, 60],
    [1, 30, 60],
    [2, 60, 90],
    [9, 270, 300],
    [14, 300, 330],
  ])('after %i failures comes within %i to %i minutes', (failures, earliest, latest) => {
    expect(minutes(failures, 0)).toBe(earliest);
    expect(minutes(failures, 0.999)).toBeLessThan(latest);
  });

  it('never comes after fifteen failures', () => {
    expect(minutes(15, 0)).toBeUndefined();
  });
});
