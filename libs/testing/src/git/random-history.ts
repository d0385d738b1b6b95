import { GitFixture, type FixtureEntry } from './git-fixture';

const PATHS = [
  'README.md',
  'src/main.c',
  'src/lib/deep/er/file.txt',
  'src-old/x',
  'src.txt',
  'docs/üñí.md',
  'docs/with blank.txt',
  'docs/quote"and\\slash.txt',
  'docs/tab\there.txt',
  'bin/data.bin',
  'bin/tool.sh',
];

/** Numbers that are the same for the same seed: a failing test can be run again. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface RandomHistory {
  readonly fixture: GitFixture;
  readonly commits: readonly string[];
  readonly paths: readonly string[];
}

/** A repository of branches, merges, equal dates, renames, links, submodules, binary and oddly named files. */
export async function randomHistory(seed: number, length: number): Promise<RandomHistory> {
  const fixture = await GitFixture.create();
  const pick = randomNumbers(seed);
  const commits: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const branch = `b${pick(3)}`;
    const tip = await fixture.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
    const other = commits[pick(commits.length)];
    const parents = tip === '' ? (other && pick(4) > 0 ? [other] : []) : [tip];
    const isMerge = other !== undefined && parents.length > 0 && !parents.includes(other) && pick(4) === 0;
    const sha = await fixture.commit({
      branch,
      parents: isMerge ? [...parents, other] : parents,
      files: await randomChange(fixture, pick, parents[0]),
      message: `change ${index}`,
      author: pick(2) === 0 ? 'Ann Author' : 'Bob (Builder)',
      email: pick(2) === 0 ? 'ann@example.com' : 'bob@example.com',
      time: 1_500_000_000 + Math.floor(index / 3) * 100,
    });
    commits.push(sha);
    if (pick(6) === 0) await fixture.tag(`v${index}`, sha, pick(2) === 0 ? `release ${index}` : undefined);
  }
  await fixture.git('symbolic-ref', 'HEAD', 'refs/heads/b0');
  return { fixture, commits, paths: PATHS };
}

async function randomChange(
  fixture: GitFixture,
  pick: (below: number) => number,
  parent: string | undefined,
): Promise<Record<string, FixtureEntry>> {
  const files: Record<string, FixtureEntry> = {};
  const present = parent === undefined ? [] : await pathsOf(fixture, parent);
  for (let count = 1 + pick(3); count > 0; count -= 1) {
    const path = PATHS[pick(PATHS.length)] ?? 'README.md';
    files[path] = present.includes(path) && pick(6) === 0 ? null : randomEntry(pick);
  }
  const old = present[pick(present.length)];
  if (old !== undefined && files[old] === undefined && pick(4) === 0)
    files[`moved/${old}-${pick(5)}`] = { renamedFrom: old };
  return files;
}

async function pathsOf(fixture: GitFixture, commit: string): Promise<string[]> {
  const listing = await fixture.gitBytes(['ls-tree', '-r', '-z', '--name-only', commit]);
  return listing.toString().split('\0').filter(Boolean);
}

function randomEntry(pick: (below: number) => number): FixtureEntry {
  const lines = Array.from({ length: 1 + pick(40) }, (_, index) => `line ${index} ${pick(3)}`);
  const text = lines.join('\n') + (pick(3) === 0 ? '' : '\n');
  switch (pick(10)) {
    case 0:
      return Buffer.from([0, 1, 2, pick(256), 255]);
    case 1:
      return { link: `target-${pick(3)}` };
    case 2:
      return { submodule: 'c'.repeat(40) };
    case 3:
      return { content: text, mode: '100755' };
    case 4:
      return '';
    case 5:
      return `diff --git a/x b/x\n-- odd\n++ odd\n${text}`;
    default:
      return text;
  }
}
