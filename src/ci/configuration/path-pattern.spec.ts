import { PathPatterns } from './path-pattern';

const fits = (pattern: string, path: string): boolean => new PathPatterns([pattern]).fitAny([path]);

it.each([
  ['Dockerfile', 'Dockerfile', true],
  ['Dockerfile', 'docker/Dockerfile', false],
  ['docker/*', 'docker/a', true],
  ['docker/*', 'docker/a/b', false],
  ['*.md', 'README.md', true],
  ['*.md', '.hidden.md', true],
  ['*.md', 'docs/README.md', false],
  ['**/*.md', 'README.md', true],
  ['**/*.md', 'a/b/README.md', true],
  ['docs/**/*', 'docs/a/b/c', true],
  ['docs/**/*', 'docs/a', true],
  ['docs/**/*', 'other/a', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a[bc]d', 'acd', true],
  ['a[!bc]d', 'acd', false],
  ['a[!bc]d', 'aed', true],
  ['a[a-c]', 'ab', true],
  ['*.{rb,py,sh}', 'x.py', true],
  ['*.{rb,py,sh}', 'x.js', false],
  ['src/{a,b/**/*}', 'src/b/x/y', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['a+(b)', 'a+(b)', true],
  ['{a', '{a', true],
  ['[z-a]', 'z', false],
])('%s against %s: %s', (pattern, path, expected) => {
  expect(fits(pattern, path)).toBe(expected);
});

it('takes linear time', () => {
  expect(fits(`${'*a'.repeat(100)}b`, 'a'.repeat(1_000))).toBe(false);
  expect(fits('x'.repeat(2_000) + '*', 'x')).toBe(false);
});
