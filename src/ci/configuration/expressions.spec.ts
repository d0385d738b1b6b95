import { ConfigurationError } from './configuration-error';
import { ExpressionPattern } from './expression-pattern';
import { parseExpression } from './expressions';

const variables = new Map([
  ['BRANCH', 'feature/one'],
  ['EMPTY', ''],
  ['PATTERN', '/^feature/'],
  ['TEXT', 'no pattern'],
]);

it.each([
  ['$BRANCH', true],
  ['$EMPTY', false],
  ['$MISSING', false],
  ['$BRANCH == "feature/one"', true],
  ["$BRANCH == 'feature/one'", true],
  ['"feature/one" == $BRANCH', true],
  ['$BRANCH != "feature/one"', false],
  ['$MISSING == null', true],
  ['$EMPTY == null', false],
  ['$EMPTY == ""', true],
  ['null == $MISSING', true],
  ['$BRANCH =~ /^feature\\/.*$/', true],
  ['$BRANCH =~ /ONE$/i', true],
  ['$BRANCH =~ /ONE$/', false],
  ['$BRANCH !~ /two/', true],
  ['$MISSING =~ /x/', false],
  ['$MISSING !~ /x/', true],
  ['$BRANCH =~ $PATTERN', true],
  ['$BRANCH && $MISSING', false],
  ['$BRANCH || $MISSING', true],
  ['$MISSING && $MISSING || $BRANCH', true],
  ['$BRANCH || $MISSING && $MISSING', true],
  ['($BRANCH || $MISSING) && $MISSING', false],
  ['$BRANCH == "a" || $BRANCH == "feature/one" && $EMPTY == ""', true],
])('%s is %s', (text, expected) => {
  expect(parseExpression(text)?.holds(variables)).toBe(expected);
});

it.each([
  '',
  ' ',
  'BRANCH',
  '$',
  '$A ==',
  '== $A',
  '$A = "x"',
  '$A == "x',
  '$A =~ "x"',
  '$A =~ /(/',
  '$A $B',
  '$A &&',
  '($A',
  '$A)',
  `${'('.repeat(500)}$A${')'.repeat(500)}`,
  Array(2000).fill('$A').join(' && '),
])('%j is no expression', (text) => {
  expect(parseExpression(text)).toBeNull();
});

it('cannot be judged where a variable that should be a pattern is none', () => {
  expect(() => parseExpression('$BRANCH =~ $TEXT')?.holds(variables)).toThrow(ConfigurationError);
});

it('refuses texts that would take too long, and never backtracks', () => {
  const evil = parseExpression('$A =~ /^(a+)+$/');
  expect(evil?.holds(new Map([['A', `${'a'.repeat(5_000)}b`]]))).toBe(false);
  expect(() => evil?.holds(new Map([['A', 'a'.repeat(4_000_000)]]))).toThrow(ConfigurationError);
});

it('has a pattern that many jobs share compiled once, whatever flags others of its text have', () => {
  const pattern = ExpressionPattern.read('/^one$/');
  expect(ExpressionPattern.read('/^one$/')).toBe(pattern);
  expect(ExpressionPattern.read('/^one$/i')).not.toBe(pattern);
  expect([pattern?.isIn('ONE'), ExpressionPattern.read('/^one$/i')?.isIn('ONE')]).toEqual([false, true]);
});
