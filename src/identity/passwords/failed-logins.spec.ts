import { FailedLogins, MOST_FAILURES } from './failed-logins';

const MINUTE = 60_000;

describe('failed logins', () => {
  let time: number;
  let failed: FailedLogins;
  beforeEach(() => {
    time = 1;
    failed = new FailedLogins(() => time);
  });
  const fail = (times: number, ...keys: string[]): void => {
    for (let i = 0; i < times; i += 1) failed.count(keys);
  };

  it('are borne up to a limit, for each key by itself', () => {
    fail(MOST_FAILURES - 1, 'ada', 'here');
    expect(failed.isExhausted(['ada', 'here'])).toBe(false);
    fail(1, 'here');
    expect(failed.isExhausted(['ada'])).toBe(false);
    expect(failed.isExhausted(['ada', 'here'])).toBe(true);
  });

  it('are forgotten ten minutes after the first of them', () => {
    fail(1, 'ada');
    time += 9 * MINUTE;
    fail(MOST_FAILURES, 'ada');
    expect(failed.isExhausted(['ada'])).toBe(true);
    time += MINUTE + 1;
    expect(failed.isExhausted(['ada'])).toBe(false);
  });

  it('are forgotten on demand', () => {
    fail(MOST_FAILURES, 'ada');
    failed.forget('ada');
    expect(failed.isExhausted(['ada'])).toBe(false);
  });
});
