import { coverageIn } from './coverage';

describe('the coverage that a log tells', () => {
  it.each([
    ['TOTAL 98.29', 'TOTAL (\\d+\\.\\d+)', 98.29],
    ['Code coverage: 12%\nCode coverage: 90%\nbye\n', '\\d+%', 90],
    ['(98.29%) covered', '\\(\\d+.\\d+\\%\\) covered', 98.29],
    ['a 1 b 2', '[a-z] (\\d)', 2],
    ['nothing here', '\\d+%', null],
    ['', '\\d+%', null],
    ['50%', '(', null],
    ['covered: all', 'covered: (\\w+)', null],
    ['covered: 7', 'covered: (\\d)|(x)', null],
  ])('%j by %j is %j', (log, expression, coverage) => {
    expect(coverageIn(log, expression)).toBe(coverage);
  });

  it.each(['a*b|a', '(?:a?){300}(?:a{2,9}b)|(a)', 'a*'])(
    'is none for %j, which begins anew after each of many matches',
    (expression) => {
      expect(coverageIn('a'.repeat(65_536), expression)).toBeNull();
      expect(coverageIn(`${'a'.repeat(60)}\n`.repeat(1_000), expression)).toBeNull();
    },
  );

  it('is found in a long log of long lines', () => {
    expect(coverageIn(`${'9.9% '.repeat(200)}\n`.repeat(60), 'no|(\\d+\\.\\d+)%')).toBe(9.9);
    expect(coverageIn(`all 77%\n${'nothing '.repeat(7_000)}`, 'all (\\d+)%')).toBe(77);
  });

  it('comes in time for an expression that others take for ever over', () => {
    expect(coverageIn(`${'a'.repeat(50_000)}!`, '(a+)+$')).toBeNull();
  });
});
