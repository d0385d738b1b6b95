import { MOST_ATTEMPTS, RecentAttempts } from './recent-attempts';

const MINUTE = 60_000;
const HERE = '192.0.2.1';
const THERE = '2001:db8::1';

describe('recent attempts', () => {
  let time: number;
  let attempts: RecentAttempts;
  beforeEach(() => {
    time = 1;
    attempts = new RecentAttempts(() => time);
  });
  const attempt = (times: number, address: string): void => {
    for (let i = 0; i < times; i += 1) attempts.count(address);
  };

  it('are borne up to a limit, for each address by itself', () => {
    attempt(MOST_ATTEMPTS - 1, HERE);
    attempt(1, THERE);
    expect(attempts.isExhausted(HERE)).toBe(false);
    attempt(1, HERE);
    expect(attempts.isExhausted(HERE)).toBe(true);
    expect(attempts.isExhausted(THERE)).toBe(false);
  });

  it('are forgotten ten minutes after the first of them', () => {
    attempt(1, HERE);
    time += 9 * MINUTE;
    attempt(MOST_ATTEMPTS, HERE);
    expect(attempts.isExhausted(HERE)).toBe(true);
    time += MINUTE + 1;
    expect(attempts.isExhausted(HERE)).toBe(false);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '', 'unix'])('are not counted for %p', (address) => {
    attempt(MOST_ATTEMPTS, address);
    expect(attempts.isExhausted(address)).toBe(false);
  });
});
