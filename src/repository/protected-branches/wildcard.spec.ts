import fc from 'fast-check';
import { matchesWildcard } from './wildcard';

/** What a wildcard means, by a backtracking search that is fit for short texts alone. */
function means(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  if (pattern[0] !== '*') return pattern[0] === name[0] && means(pattern.slice(1), name.slice(1));
  return means(pattern.slice(1), name) || (name !== '' && means(pattern, name.slice(1)));
}

describe('a wildcard of protected branches', () => {
  it.each([
    ['master', 'master', true],
    ['master', 'Master', false],
    ['*-stable', '12-3-stable', true],
    ['*-stable', 'stable', false],
    ['feature/*', 'feature/a/b', true],
    ['feature/*', 'feature', false],
    ['*', 'anything/at/all', true],
    ['a*a', 'a', false],
    ['release.*', 'releaseX1', false],
  ])('%s over %s: %s', (pattern, name, covered) => {
    expect(matchesWildcard(pattern, name)).toBe(covered);
  });

  it('means the same as a search of all ways to match', () => {
    const text = (letters: string[]) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((l) => l.join(''));
    fc.assert(
      fc.property(
        text(['a', 'b', '*']).filter((pattern) => pattern !== ''),
        text(['a', 'b']),
        (pattern, name) => {
          expect(matchesWildcard(pattern, name)).toBe(means(pattern, name));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  // Rule G9 of git-safety: a backtracking matcher needs minutes for a pattern a hundred times shorter.
  it('is not slowed down by a hostile pattern', () => {
    expect(matchesWildcard(`${'*a'.repeat(1_000)}*b`, 'a'.repeat(100_000))).toBe(false);
    expect(matchesWildcard(`${'*a'.repeat(1_000)}*b`, `${'a'.repeat(100_000)}b`)).toBe(true);
  });
});
