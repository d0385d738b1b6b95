import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
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

const identity = { author: ALICE, committer: ALICE };

/** The tree that our transplant makes, or why it makes none. */
async function ours(kind: 'cherryPick' | 'revert', commit: Sha, onto: Sha): Promise<string> {
  try {
    const sha = await repository.writer[kind]({ commit, onto, message: 'moved\n', ...identity });
    expect(repository.git(['rev-parse', `${sha}^@`])).toBe(onto);
    return repository.git(['rev-parse', `${sha}^{tree}`]);
  } catch (error) {
    if (error instanceof MergeConflictError) return error.reason;
    throw error;
  }
}

/** The tree that git makes in a work tree, or why it makes none. */
function gits(kind: 'cherryPick' | 'revert', commit: Sha, onto: Sha): string {
  const bare = ['--git-dir', repository.path, '--work-tree', workTree, '-c', 'core.bare=false'];
  git(workTree, [...bare, 'read-tree', '--reset', '-u', onto]);
  git(workTree, [...bare, 'update-ref', '--no-deref', 'HEAD', onto]);
  const isMerge = repository.git(['rev-list', '--parents', '-1', commit]).split(' ').length > 2;
  const command = kind === 'revert' ? 'revert' : 'cherry-pick';
  const options = ['--no-commit', ...(isMerge ? ['-m', '1'] : []), commit];
  const { status } = spawnSync('git', [...bare, command, ...options], { cwd: workTree });
  const tree = status === 0 ? git(workTree, [...bare, 'write-tree']) : 'conflict';
  git(workTree, [...bare, 'reset', '-q', '--hard', onto]);
  return tree === repository.git(['rev-parse', `${onto}^{tree}`]) ? 'empty' : tree;
}

/** Ten numbered lines, some of them replaced. */
function lines(changes: Record<number, string>): string {
  return Array.from({ length: 10 }, (_, i) => `${changes[i] ?? `line ${i}`}\n`).join('');
}

describe('cherry-pick and revert', () => {
  it('carry a change over, and name what is in conflict', async () => {
    const base = repository.commitByGit([['100644', 'f', lines({})]]);
    const change = repository.commitByGit([['100644', 'f', lines({ 1: 'mine' })]], [base]);
    const onto = repository.commitByGit([['100644', 'f', lines({ 8: 'theirs' })]], [base]);
    const clash = repository.commitByGit([['100644', 'f', lines({ 1: 'other' })]], [base]);
    const picked = await repository.writer.cherryPick({
      commit: change,
      onto,
      message: 'picked',
      ...identity,
    });
    expect(repository.contents(picked)).toEqual(new Map([['f', lines({ 1: 'mine', 8: 'theirs' })]]));
    const reverted = await repository.writer.revert({
      commit: change,
      onto: picked,
      message: 'undone',
      ...identity,
    });
    expect(repository.contents(reverted)).toEqual(new Map([['f', lines({ 8: 'theirs' })]]));
    await expect(
      repository.writer.cherryPick({ commit: change, onto: clash, message: '', ...identity }),
    ).rejects.toMatchObject({ reason: 'conflict', paths: ['f'] });
    expect(await ours('cherryPick', change, change)).toBe('empty');
  });

  it('take a root commit against the empty tree, and a merge against its first parent', async () => {
    const root = repository.commitByGit([['100644', 'root', 'r']]);
    const other = repository.commitByGit([['100644', 'other', 'o']]);
    const merge = repository.commitByGit(
      [
        ['100644', 'root', 'r'],
        ['100644', 'other', 'o'],
      ],
      [root, other],
    );
    const onto = repository.commitByGit([['100644', 'x', 'x']]);
    const pick = (commit: Sha) => repository.writer.cherryPick({ commit, onto, message: '', ...identity });
    expect([...repository.contents(await pick(root)).keys()]).toEqual(['root', 'x']);
    expect([...repository.contents(await pick(merge)).keys()]).toEqual(['other', 'x']);
    const undo = await repository.writer.revert({ commit: root, onto: root, message: '', ...identity });
    expect(repository.files(undo)).toEqual([]);
    expect(await ours('revert', merge, merge)).toBe(repository.git(['rev-parse', `${root}^{tree}`]));
  });

  it('leave nothing behind of what they tried', async () => {
    const count = () => Number(repository.git(['count-objects']).split(' ')[0]);
    const base = repository.commitByGit([['100644', 'f', 'a']]);
    const left = repository.commitByGit([['100644', 'f', 'b']], [base]);
    const right = repository.commitByGit([['100644', 'f', 'c']], [base]);
    const before = count();
    expect(await ours('cherryPick', left, right)).toBe('conflict');
    expect(count()).toBe(before);
    expect(
      readdirSync(path.join(repository.path, 'objects')).filter((name) => name.startsWith('tmp')),
    ).toEqual([]);
  });

  it('do what git does in a work tree, whatever the history', async () => {
    const change = fc.record({ line: fc.nat({ max: 9 }), text: fc.constantFrom('A', 'B') });
    const file = fc.array(change, { maxLength: 2 }).map((changes) => {
      const byLine = Object.fromEntries(changes.map(({ line, text }) => [line, text]));
      return lines(byLine);
    });
    const row = fc.tuple(
      fc.constantFrom('100644', '100644', '100755'),
      fc.constantFrom('f', 'f', 'f', 'g', 'dir/h', 'moved/f', 'dir'),
      file,
    );
    const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 4, selector: ([, name]) => name });
    const valid = rows.filter(
      (all) => !(all.some(([, n]) => n === 'dir') && all.some(([, n]) => n === 'dir/h')),
    );
    const cases = fc.sample(fc.tuple(valid, valid, valid), { numRuns: 25, seed: 5 });
    const outcomes: string[] = [];
    for (const [first, second, third] of cases) {
      const base = repository.commitByGit(first);
      const commit = repository.commitByGit(second, [base]);
      const onto = repository.commitByGit(third, [base]);
      for (const kind of ['cherryPick', 'revert'] as const) {
        const outcome = await ours(kind, commit, onto);
        expect(`${kind} ${commit} ${onto} ${outcome}`).toBe(
          `${kind} ${commit} ${onto} ${gits(kind, commit, onto)}`,
        );
        outcomes.push(outcome);
      }
    }
    const clean = outcomes.filter((outcome) => outcome !== 'conflict' && outcome !== 'empty');
    expect(clean.length).toBeGreaterThan(4);
    expect(outcomes.filter((outcome) => outcome === 'conflict').length).toBeGreaterThan(4);
  });
});
