import { PushPattern } from './push-pattern';
import { UncheckablePush } from './uncheckable-push';

const fits = (source: string, text: string, mode?: 'text' | 'lines') =>
  PushPattern.of(source, mode)?.fits(text);

describe('a pattern of a push rule', () => {
  it('fits anywhere in the text', () => {
    expect(fits('b+', 'abbc')).toBe(true);
    expect(fits('^b', 'abbc')).toBe(false);
    expect(fits('\\.exe$', 'dir/a.exe')).toBe(true);
  });

  it('has ends of lines only where lines count', () => {
    expect(fits('^two$', 'one\ntwo\nthree')).toBe(false);
    expect(fits('^two$', 'one\ntwo\nthree', 'lines')).toBe(true);
  });

  it.each([null, ''])('asks for nothing when it is %j', (source) => {
    expect(PushPattern.of(source)).toBeNull();
  });

  it.each(['(', 'a**b(', '(?=ahead)', '(a)\\1', 'a{1001}', '((a{100}){100}){100}', '[z-a]', '\\'])(
    'is not %s',
    (source) => {
      expect(PushPattern.problemOf(source)).toMatch(/^not valid RE2 syntax: /);
    },
  );

  it('has a bounded length and size', () => {
    expect(PushPattern.problemOf('a'.repeat(511))).toBeNull();
    expect(PushPattern.problemOf('a'.repeat(512))).toBe('is too long (maximum is 511 characters)');
    expect(PushPattern.problemOf('(x|y){1000}')).toBe('is too complex');
  });

  // Rule G9 of git-safety: a backtracking matcher needs ten seconds for 28 characters of the first one.
  it.each(['^(a+)+$', '^(a|aa)+$', '(.*)(.*)(.*)(.*)x', '(a?){300}a{200}b'])(
    'takes no more than it may for %s',
    (source) => {
      expect(fits(source, `${'a'.repeat(1900)}!`)).toBe(false);
    },
  );

  it('refuses a text that would take too long', () => {
    expect(() => fits('(?:a.{900}|b.{90})[^ab]', 'ab'.repeat(5_000))).toThrow(UncheckablePush);
    expect(fits('^Fixes #\\d+', `Fixes #1 ${'x'.repeat(100_000)}`)).toBe(true);
  });
});
