import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { divergingBranches, numberedLines, type PlainTree } from '#libs/testing';
import { MergeConflictError, type Sha } from '../git';
import { ALICE, git, ScratchRepository } from './scratch-repository.fixture';

let repository: ScratchRepository;
let workTree: string;

beforeAll(async () => {
  repository = await ScratchRepository.create();
  workTree = path.join(repository.folder, 'work');
  mkdirSync(workTree);
});
afterAll(() => repository.close());

const BOB = { name: 'Bob', email: 'bob@example.com', time: 1_700_000_000, offset: '+0000' };
const identity = { author: ALICE, committer: BOB };

type Row = [mode: string, name: string, content: string];
type Kind = 'merge' | 'squash' | 'rebase';

const commit = (rows: Row[], ...parents: Sha[]): Sha => repository.commitByGit(rows, parents);
const treeOf = (sha: Sha): string => repository.git(['rev-parse', `${sha}^{tree}`]);

/** The commit that comes out, or why none does. */
async function outcome(kind: Kind, ours: Sha, theirs: Sha): Promise<string> {
  try {
    return kind === 'rebase'
      ? await repository.writer.rebase({ branch: theirs, onto: ours, committer: BOB })
      : await repository.writer[kind]({ ours, theirs, message: 'joined\n', ...identity });
  } catch (error) {
    if (error instanceof MergeConflictError) return error.reason;
    throw error;
  }
}

/** What can be seen of the commits from `base` to `tip`: trees, authors and messages, oldest first. */
const storyOf = (base: Sha, tip: Sha): string =>
  repository.git([
    'log',
    '--reverse',
    '--topo-order',
    '--format=%T %an <%ae> %at %B',
    `${base}..${tip}`,
    '--',
  ]);

/** The same as git does it in a work tree. */
function gits(kind: Kind, ours: Sha, theirs: Sha): string {
  const bare = ['--git-dir', repository.path, '--work-tree', workTree, '-c', 'core.bare=false'];
  const start = kind === 'rebase' ? theirs : ours;
  git(workTree, [...bare, 'read-tree', '--reset', '-u', start]);
  git(workTree, [...bare, 'clean', '-qfdx']);
  git(workTree, [...bare, 'update-ref', '--no-deref', 'HEAD', start]);
  const named = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com'];
  const command = {
    merge: ['merge', '--no-ff', '--no-edit', '--no-stat', '-m', 'joined', theirs],
    squash: ['merge', '--squash', '--no-stat', theirs],
    rebase: ['rebase', '--quiet', ours],
  }[kind];
  const { status } = spawnSync('git', [...bare, ...named, ...command], { cwd: workTree });
  let result = 'conflict';
  if (status === 0)
    result =
      kind === 'squash' ? git(workTree, [...bare, 'write-tree']) : repository.git(['rev-parse', 'HEAD']);
  else if (kind !== 'squash') spawnSync('git', [...bare, kind, '--abort'], { cwd: workTree });
  git(workTree, [...bare, 'update-ref', '--no-deref', 'HEAD', ours]);
  git(workTree, [...bare, 'reset', '-q', '--hard', ours]);
  return result;
}

/** Both make the same of it. */
async function agree(kind: Kind, ours: Sha, theirs: Sha): Promise<string> {
  const [mine, its] = [await outcome(kind, ours, theirs), gits(kind, ours, theirs)];
  const what = `${kind} ${ours} ${theirs}`;
  if (mine === 'conflict' || its === 'conflict') expect(`${what} ${mine}`).toBe(`${what} ${its}`);
  else if (mine === 'empty') expect(treeOf(kind === 'squash' ? ours : its)).toBe(treeOf(ours));
  else if (kind === 'rebase')
    expect(`${what}\n${storyOf(ours, mine)}`).toBe(`${what}\n${storyOf(ours, its)}`);
  else expect(`${what} ${treeOf(mine)}`).toBe(`${what} ${kind === 'squash' ? its : treeOf(its)}`);
  return mine;
}

describe('merging', () => {
  it('joins two lines of work in a commit of both, and says whether it can', async () => {
    const base = commit([['100644', 'f', numberedLines()]]);
    const ours = commit([['100644', 'f', numberedLines({ 1: 'ours' })]], base);
    const theirs = commit([['100644', 'f', numberedLines({ 12: 'theirs' })]], base);
    const clash = commit([['100644', 'f', numberedLines({ 1: 'clash' })]], base);
    const merged = await outcome('merge', ours, theirs);
    expect(repository.git(['log', '-1', '--format=%P|%an|%cn|%B', merged])).toBe(
      `${ours} ${theirs}|Alice|Bob|joined`,
    );
    expect(repository.contents(merged)).toEqual(new Map([['f', numberedLines({ 1: 'ours', 12: 'theirs' })]]));
    expect(await repository.writer.canMerge(ours, theirs)).toBe(true);
    expect(await repository.writer.canMerge(ours, clash)).toBe(false);
    expect(await outcome('merge', ours, clash)).toBe('conflict');
    expect(await outcome('merge', merged, theirs)).toBe('empty');
    expect(treeOf(await outcome('merge', base, theirs))).toBe(treeOf(theirs));
  });

  it('joins no histories that have nothing in common', async () => {
    const one = commit([['100644', 'one', '1']]);
    const other = commit([['100644', 'other', '2']]);
    expect(await outcome('merge', one, other)).toBe('conflict');
    expect(await outcome('squash', one, other)).toBe('conflict');
    expect(await outcome('rebase', one, other)).toBe('conflict');
    expect(await repository.writer.canMerge(one, other)).toBe(false);
  });

  it('merges the bases of crossed histories first, as git does', async () => {
    const base = commit([['100644', 'f', numberedLines()]]);
    const left = commit([['100644', 'f', numberedLines({ 1: 'left' })]], base);
    const right = commit([['100644', 'f', numberedLines({ 12: 'right' })]], base);
    const both = numberedLines({ 1: 'left', 12: 'right' });
    const leftMerge = commit([['100644', 'f', both]], left, right);
    const rightMerge = commit(
      [['100644', 'f', numberedLines({ 1: 'left again', 12: 'right' })]],
      right,
      left,
    );
    expect(await agree('merge', leftMerge, rightMerge)).toMatch(/^[0-9a-f]{40}$/);
    expect(await agree('squash', leftMerge, rightMerge)).toMatch(/^[0-9a-f]{40}$/);
  });

  it('leaves nothing behind of what it only tried', async () => {
    const count = () => Number(repository.git(['count-objects']).split(' ')[0]);
    const base = commit([['100644', 'f', numberedLines()]]);
    const ours = commit([['100644', 'f', numberedLines({ 2: 'ours' })]], base);
    const theirs = commit([['100644', 'f', numberedLines({ 11: 'theirs' })]], base);
    const clash = commit([['100644', 'f', numberedLines({ 2: 'clash' })]], theirs);
    const before = count();
    expect(await repository.writer.canMerge(ours, theirs)).toBe(true);
    expect(await outcome('merge', ours, clash)).toBe('conflict');
    expect(await outcome('rebase', ours, clash)).toBe('conflict');
    expect(count()).toBe(before);
    const left = readdirSync(path.join(repository.path, 'objects')).filter((name) => name.startsWith('tmp'));
    expect(left).toEqual([]);
  });
});

describe('rebasing', () => {
  it('writes commits anew by their authors, and leaves out merges and what is there already', async () => {
    const base = commit([['100644', 'f', numberedLines()]]);
    const g: Row = ['100644', 'g', 'of the other side'];
    const onto = commit([['100644', 'f', numberedLines({ 0: 'same change' })], g], base);
    const same = commit([['100644', 'f', numberedLines({ 0: 'same change' })]], base);
    const own = commit([['100644', 'f', numberedLines({ 0: 'same change', 7: 'own' })]], same);
    const merge = commit([['100644', 'f', numberedLines({ 0: 'same change', 7: 'own' })], g], own, onto);
    const last = commit(
      [['100644', 'f', numberedLines({ 0: 'same change', 7: 'own', 14: 'last' })], g],
      merge,
    );
    const tip = await agree('rebase', onto, last);
    const log = repository.git(['log', '--reverse', '--format=%an %cn %ct', `${onto}..${tip}`]);
    expect(log).toBe('Git Bob 1700000000\nGit Bob 1700000000');
    expect(treeOf(tip)).toBe(treeOf(last));
  });

  it('leaves commits where they are that stand on the right one', async () => {
    const onto = commit([['100644', 'f', numberedLines()]]);
    const first = commit([['100644', 'f', numberedLines({ 3: 'a' })]], onto);
    const second = commit([['100644', 'f', numberedLines({ 3: 'b' })]], first);
    expect(await outcome('rebase', onto, second)).toBe(second);
    expect(await outcome('rebase', second, first)).toBe(second);
  });

  it('keeps what was empty from the start, bytes that are no UTF-8, and an empty tree', async () => {
    const base = commit([['100644', 'f', numberedLines()]]);
    const onto = commit(
      [
        ['100644', 'f', numberedLines()],
        ['100644', 'g', 'g'],
      ],
      base,
    );
    const raw = Buffer.concat([
      Buffer.from(`tree ${treeOf(base)}\nparent ${base}\nauthor J`),
      Buffer.from([0xfc]),
      Buffer.from('rg <j@example.com> 1500000000 +0100\ncommitter J <j@example.com> 1500000000 +0100\n'),
      Buffer.from('encoding ISO-8859-1\n\nGr'),
      Buffer.from([0xfc, 0xdf, 0x65, 0x0a]),
    ]);
    const empty = repository.git(['hash-object', '-w', '-t', 'commit', '--stdin'], raw);
    const moved = await outcome('rebase', onto, empty);
    const [header, ...rest] = repository
      .gitBytes(['cat-file', 'commit', moved])
      .toString('latin1')
      .split('\n');
    expect([header, rest[0], rest[1]]).toEqual([
      `tree ${treeOf(onto)}`,
      `parent ${onto}`,
      'author J\u00fcrg <j@example.com> 1500000000 +0100',
    ]);
    expect(rest.slice(3)).toEqual(['encoding ISO-8859-1', '', 'Gr\u00fc\u00dfe', '']);
    const nothing = commit([], base);
    const other = commit([['100644', 'f', numberedLines()]], base);
    const bare = await outcome('rebase', other, nothing);
    expect(repository.files(bare)).toEqual([]);
    expect(repository.complaints()).toBe('');
  });
});

describe('what git makes of two branches in a work tree', () => {
  const grow = (base: Sha, trees: readonly PlainTree[]): Sha =>
    trees.reduce((tip, tree) => commit(rowsOf(tree), tip), base);
  const rowsOf = (tree: PlainTree): Row[] =>
    [...tree].map(([name, { mode, content }]) => [mode, name, content]);

  it('is what comes out here', async () => {
    const results: string[] = [];
    for (const pair of divergingBranches(Number(process.env['SEED'] ?? 11), 8)) {
      const base = commit(rowsOf(pair.base));
      const [ours, theirs] = [grow(base, pair.ours), grow(base, pair.theirs)];
      for (const kind of ['merge', 'squash', 'rebase'] as const)
        results.push(await agree(kind, ours, theirs));
    }
    expect(results.filter((result) => result === 'conflict').length).toBeGreaterThan(1);
    expect(results.filter((result) => /^[0-9a-f]{40}$/.test(result)).length).toBeGreaterThan(5);
  });
});
