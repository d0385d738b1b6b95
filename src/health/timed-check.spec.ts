import { TimedCheck } from './timed-check';

describe('a check with a time limit', () => {
  it('passes when the check does', async () => {
    expect(await new TimedCheck('fine', 1000, () => Promise.resolve()).passes()).toBe(true);
  });

  it('fails when the check does', async () => {
    expect(await new TimedCheck('broken', 1000, () => Promise.reject(new Error('away'))).passes()).toBe(
      false,
    );
  });

  it('fails when the check hangs, and does not start a second one beside it', async () => {
    let started = 0;
    let release: () => void = () => undefined;
    const check = new TimedCheck('hanging', 10, () => {
      started += 1;
      return new Promise<void>((resolve) => (release = resolve));
    });
    expect(await check.passes()).toBe(false);
    expect(await check.passes()).toBe(false);
    expect(started).toBe(1);
    const third = check.passes();
    release();
    expect(await third).toBe(true);
  });
});
