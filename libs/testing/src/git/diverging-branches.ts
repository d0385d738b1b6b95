import { randomNumbers } from './random-history';

export interface PlainFile {
  readonly mode: '100644' | '100755' | '120000';
  readonly content: string;
}

/** Everything that a commit holds, by path. */
export type PlainTree = ReadonlyMap<string, PlainFile>;

/** Two lines of work that began at the same point; each tree is that of one commit. */
export interface DivergingBranches {
  readonly base: PlainTree;
  readonly ours: readonly PlainTree[];
  readonly theirs: readonly PlainTree[];
}

type Pick = (below: number) => number;

const PATHS = ['f', 'g', 'dir/h', 'dir/i', 'other/j'];
const LINES = 15;

/** Fifteen numbered lines of a file, some of them replaced. */
export const numberedLines = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: LINES }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('');

/**
 * Branches of small changes: lines, deletions, renames, modes, links, new files. About half of such pairs merge without
 * conflict. The same for the same seed.
 */
export function divergingBranches(seed: number, count: number): DivergingBranches[] {
  const pick = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const base: PlainTree = new Map(
      PATHS.map((path) => [path, { mode: '100644', content: numberedLines({ 5: path }) }]),
    );
    return { base, ours: growth(base, pick), theirs: growth(base, pick) };
  });
}

function growth(base: PlainTree, pick: Pick): PlainTree[] {
  const grown: PlainTree[] = [];
  for (let left = 1 + pick(2); left > 0; left -= 1) grown.push(changed(grown.at(-1) ?? base, pick));
  return grown;
}

function changed(tree: PlainTree, pick: Pick): PlainTree {
  const next = new Map(tree);
  for (let left = 1 + pick(2); left > 0; left -= 1) change(next, pick);
  return next;
}

function change(tree: Map<string, PlainFile>, pick: Pick): void {
  const path = [...tree.keys()][pick(tree.size)] ?? 'f';
  const file = tree.get(path) ?? { mode: '100644', content: numberedLines() };
  const line = pick(LINES);
  const content = file.content.replace(`line ${line}\n`, `edit ${pick(2)} of ${line}\n`);
  const other = PATHS[pick(PATHS.length)] ?? 'f';
  switch (pick(9)) {
    case 0:
      tree.delete(path);
      return;
    case 1:
      tree.delete(path);
      tree.set(`moved-${other}`, { ...file, content });
      return;
    case 2:
      tree.set(path, { ...file, mode: file.mode === '100755' ? '100644' : '100755' });
      return;
    case 3:
      tree.set(`link-${pick(2)}`, { mode: '120000', content: `to-${pick(2)}` });
      return;
    case 4:
      tree.set(other, { mode: '100644', content: numberedLines({ 3: `fresh ${pick(2)}` }) });
      return;
    default:
      tree.set(path, { ...file, content });
  }
}
