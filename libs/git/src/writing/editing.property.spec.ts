import fc from 'fast-check';
import { FileActionError, type FileAction, type Sha } from '../git';
import { ALICE, ScratchRepository } from './scratch-repository.fixture';

interface File {
  readonly mode: string;
  readonly content: string;
}

type Model = Map<string, File>;

const PATHS = [
  'a',
  'b',
  'a/a',
  'a/b',
  'a.b',
  'a-b',
  'a/b/c',
  'a/b.c',
  'b/é',
  'ab',
  'c/d/e/f',
  'c/d',
  'b/a/a',
];
const pathOf = fc.constantFrom(...PATHS);
const contentOf = fc.constantFrom('one', 'two', 'three');
const bit = fc.boolean();

const anyAction: fc.Arbitrary<FileAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(pathOf, contentOf, bit).map(([path, content, executable]) => ({
      action: 'create' as const,
      path,
      content: bytes(content),
      executable,
    })),
  },
  fc
    .tuple(pathOf, contentOf)
    .map(([path, content]) => ({ action: 'update' as const, path, content: bytes(content) })),
  { weight: 2, arbitrary: pathOf.map((path) => ({ action: 'delete' as const, path })) },
  fc.tuple(pathOf, pathOf).map(([path, previousPath]) => ({ action: 'move' as const, path, previousPath })),
  fc.tuple(pathOf, pathOf, contentOf).map(([path, previousPath, content]) => ({
    action: 'move' as const,
    path,
    previousPath,
    content: bytes(content),
  })),
  fc.tuple(pathOf, bit).map(([path, executable]) => ({ action: 'chmod' as const, path, executable })),
);

function bytes(content: string): Buffer {
  return Buffer.from(content);
}

/** Applies an action to plain files by path; answers the problem it must have, if any. */
function applyToModel(model: Model, action: FileAction): string | null {
  const source = action.action === 'move' ? action.previousPath : action.path;
  const file = model.get(source);
  if (action.action === 'create')
    return place(model, action.path, newFile(action.content, action.executable));
  if (file === undefined) return 'missing';
  switch (action.action) {
    case 'update':
      model.set(action.path, { ...file, content: action.content.toString() });
      return null;
    case 'delete':
      model.delete(action.path);
      return null;
    case 'move':
      if (source === action.path) return 'exists';
      model.delete(source);
      return place(model, action.path, { ...file, content: action.content?.toString() ?? file.content });
    case 'chmod':
      model.set(action.path, { ...file, mode: action.executable ? '100755' : '100644' });
      return null;
  }
}

function newFile(content: Buffer, executable: boolean | undefined): File {
  return { mode: executable === true ? '100755' : '100644', content: content.toString() };
}

function place(model: Model, path: string, file: File): string | null {
  const names = [...model.keys()];
  if (names.some((name) => name === path || name.startsWith(`${path}/`))) return 'exists';
  if (names.some((name) => path.startsWith(`${name}/`))) return 'invalid_path';
  model.set(path, file);
  return null;
}

describe('any sequence of commits', () => {
  let repository: ScratchRepository;
  beforeAll(async () => {
    repository = await ScratchRepository.create();
  });
  afterAll(() => repository.close());

  async function attempt(base: Sha | null, actions: readonly FileAction[]): Promise<Sha> {
    const common = { message: 'm', author: ALICE, committer: ALICE, allowEmpty: true };
    try {
      return await repository.writer.createCommit({ base, actions, ...common });
    } catch (error) {
      if (error instanceof FileActionError) return `${error.problem} at ${error.index}`;
      throw error;
    }
  }

  function expectSameTree(sha: Sha, model: Model): void {
    const files = repository
      .git(['-c', 'core.quotePath=false', 'ls-tree', '-r', sha])
      .split('\n')
      .filter(Boolean);
    const modes = files.map((line): [string, string] => [line.split('\t')[1] ?? '', line.slice(0, 6)]);
    expect(new Map(modes)).toEqual(new Map([...model].map(([name, { mode }]) => [name, mode])));
    if (model.size === 0) return;
    const lines = files.map((line) => `${line.replace(' blob', '')}\0`).join('');
    repository.git(['read-tree', '--empty']);
    repository.git(['update-index', '-z', '--index-info'], lines);
    expect(repository.git(['write-tree'])).toBe(repository.git(['rev-parse', `${sha}^{tree}`]));
  }

  it('gives the tree that a plain map of files gives, and the same refusals', async () => {
    const sequences = fc.sample(
      fc.array(fc.array(anyAction, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 15 }),
      {
        numRuns: 40,
        seed: 7,
      },
    );
    const seen = { commits: 0, refusals: 0 };
    for (const commits of sequences) {
      let head: Sha | null = null;
      let model: Model = new Map();
      for (const actions of commits) {
        const next: Model = new Map(model);
        const problems = actions.map((action) => applyToModel(next, action));
        const index = problems.findIndex((problem) => problem !== null);
        const outcome = await attempt(head, actions);
        if (index >= 0) {
          seen.refusals += 1;
          expect(outcome).toBe(`${problems[index]} at ${index}`);
        } else {
          seen.commits += 1;
          head = outcome;
          model = next;
        }
      }
      if (head !== null) {
        expectSameTree(head, model);
        repository.git(['update-ref', `refs/heads/s${seen.commits}`, head]);
      }
    }
    expect(seen.commits).toBeGreaterThan(40);
    expect(seen.refusals).toBeGreaterThan(40);
    expect(repository.complaints()).toBe('');
  });
});
