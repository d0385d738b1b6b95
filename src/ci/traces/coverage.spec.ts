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

  it('comes in time for an expression that others take for ever over', () => {
    expect(coverageIn(`${'a'.repeat(50_000)}!`, '(a+)+$')).toBeNull();
  });
});
