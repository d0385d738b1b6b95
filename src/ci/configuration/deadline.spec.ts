import { ConfigurationError } from './configuration-error';
import { requireTime, withinTime } from './deadline';
import { parseExpression } from './expressions';
import { PathPatterns } from './path-pattern';

/** Has a second and more pass between two looks at the clock. */
function withSlowClock(work: () => unknown): void {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_001));
  try {
    withinTime(work);
  } finally {
    clock.mockRestore();
  }
}

describe('looking at a configuration', () => {
  it('ends when it has taken too long, at each piece of work of which there may be many', () => {
    const works = [
      () => requireTime(),
      () => parseExpression('$A =~ /x/'),
      () => new PathPatterns(['*.ts']),
      () => new PathPatterns([]).fitAny(['a']),
    ];
    for (const work of works) expect(() => withSlowClock(work)).toThrow(ConfigurationError);
  });

  it('goes on in time, and anywhere else', () => {
    expect(withinTime(() => parseExpression('$A =~ /x/'))).not.toBeNull();
    expect(() => requireTime()).not.toThrow();
  });
});
