import { FileActionError, MergeConflictError, type FileAction, type NewCommit, type Sha } from '../git';
import { ALICE, ScratchRepository } from './scratch-repository.fixture';

let repository: ScratchRepository;

beforeAll(async () => {
  repository = await ScratchRepository.create();
});
afterAll(() => repository.close());

function commit(
  base: Sha | null,
  actions: readonly FileAction[],
  more: Partial<NewCommit> = {},
): Promise<Sha> {
  const common = { message: 'change', author: ALICE, committer: ALICE };
  return repository.writer.createCommit({ base, actions, ...common, ...more });
}

async function problemOf(base: Sha | null, actions: readonly FileAction[]): Promise<string> {
  try {
    await commit(base, actions);
    return 'none';
  } catch (error) {
    if (error instanceof FileActionError) return `${error.problem} ${error.path} ${error.index}`;
    if (error instanceof MergeConflictError) return error.reason;
    throw error;
  }
}

const text = (content: string) => Buffer.from(content);
const create = (path: string, content = path): FileAction => ({
  action: 'create',
  path,
  content: text(content),
});

describe('a commit of actions', () => {
  it('makes a root commit with directories, bits and exact identity and message', async () => {
    const sha = await commit(
      null,
      [
        create('a.txt', 'A'),
        create('dir/sub/b.txt', 'B'),
        { action: 'create', path: 'run.sh', content: text('#!'), executable: true },
      ],
      { message: 'no newline at the end', author: { ...ALICE, name: ' A<li>ce\n. ', email: '<x@y>' } },
    );
    expect(repository.files(sha).map((line) => line.replace(/ blob \w+\t/, ' '))).toEqual([
      '100644 a.txt',
      '100644 dir/sub/b.txt',
      '100755 run.sh',
    ]);
    expect(repository.git(['cat-file', 'commit', sha]).split('\n').slice(1)).toEqual([
      'author Alice <x@y> 1600000000 +0200',
      'committer Alice <alice@example.com> 1600000000 +0200',
      '',
      'no newline at the end',
    ]);
    expect(repository.gitBytes(['cat-file', 'commit', sha]).toString().endsWith('end')).toBe(true);
  });

  it('applies actions in order, each seeing those before it', async () => {
    const base = await commit(null, [create('a', '1'), create('d/only', '2'), create('keep', '3')]);
    const sha = await commit(base, [
      { action: 'move', path: 'b', previousPath: 'a' },
      { action: 'update', path: 'b', content: text('new') },
      create('a/nested', 'file became directory'),
      { action: 'delete', path: 'd/only' },
      create('d', 'directory became file'),
      { action: 'chmod', path: 'keep', executable: true },
    ]);
    expect(repository.contents(sha)).toEqual(
      new Map([
        ['a/nested', 'file became directory'],
        ['b', 'new'],
        ['d', 'directory became file'],
        ['keep', '3'],
      ]),
    );
    expect(repository.files(sha).find((line) => line.endsWith('keep'))).toMatch(/^100755/);
    expect(repository.git(['rev-parse', `${sha}^`])).toBe(base);
  });

  it('lets a file take the place of the directory it was alone in, and the other way round', async () => {
    const base = await commit(null, [create('x/y', 'one'), create('z', 'two')]);
    const sha = await commit(base, [
      { action: 'move', path: 'x', previousPath: 'x/y' },
      { action: 'move', path: 'z/w', previousPath: 'z' },
    ]);
    expect(repository.contents(sha)).toEqual(
      new Map([
        ['x', 'one'],
        ['z/w', 'two'],
      ]),
    );
  });

  it('removes directories that became empty, and may empty the whole tree', async () => {
    const base = await commit(null, [create('a/b/c/d')]);
    const sha = await commit(base, [{ action: 'delete', path: 'a/b/c/d' }]);
    expect(repository.git(['rev-parse', `${sha}^{tree}`])).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });

  it('keeps modes, links and submodules, and names that are not UTF-8', async () => {
    const link = '120000';
    const old = repository.commitByGit([
      ['100755', 'run', 'x'],
      [link, 'link', 'target'],
      ['160000', 'module', 'ab'.repeat(20)],
    ]);
    const blob = repository.git(['hash-object', '-w', '--stdin'], 'odd');
    const entry = Buffer.concat([
      Buffer.from(`100644 blob ${blob}\tcaf`),
      Buffer.from([0xe9]),
      Buffer.from('\0'),
    ]);
    const listing = repository.gitBytes(['ls-tree', '-z', old]);
    const tree = repository.git(['mktree', '-z', '--missing'], Buffer.concat([listing, entry]));
    const base = repository.git(['commit-tree', tree, '-m', 'odd']);
    const sha = await commit(base, [
      { action: 'update', path: 'run', content: text('y') },
      { action: 'update', path: 'link', content: text('elsewhere') },
      { action: 'move', path: 'lib/module', previousPath: 'module' },
    ]);
    const after = repository.gitBytes(['ls-tree', '-r', '-z', sha]);
    expect(after.includes(Buffer.concat([Buffer.from('\tcaf'), Buffer.from([0xe9, 0])]))).toBe(true);
    const modes = repository.git(['ls-tree', '-r', sha]).split('\n');
    expect(
      modes.filter((line) => !line.includes('caf')).map((line) => line.replace(/ \w+ \w+\t/, ' ')),
    ).toEqual(['160000 lib/module', '120000 link', '100755 run']);
  });

  it('writes again what exists in a pack already, and many files as one pack', async () => {
    const actions = Array.from({ length: 300 }, (_, i) => create(`many/${i % 7}/file-${i}`, `content ${i}`));
    const sha = await commit(null, actions);
    expect(repository.contents(sha).size).toBe(300);
    expect(repository.git(['count-objects', '-v'])).toMatch(/^packs: [1-9]/m);
    repository.git(['update-ref', 'refs/heads/many', sha]);
    repository.git(['repack', '-adq']);
    expect(await commit(null, actions)).toBe(sha);
    expect(repository.complaints()).toBe('');
  });

  it('holds as many directories in one another as a path can name', async () => {
    const path = `${'a/'.repeat(2_000)}file`;
    const base = await commit(null, [create(path, 'deep')]);
    expect(repository.contents(base)).toEqual(new Map([[path, 'deep']]));
    const sha = await commit(base, [{ action: 'delete', path }]);
    expect(repository.files(sha)).toEqual([]);
  });

  it('cleans a name of any length in no time, and gives one to the nameless', async () => {
    const author = { ...ALICE, name: `x${'.'.repeat(200_000)}<y\n`, time: -1, offset: 'Z' };
    const sha = await commit(null, [create('a')], {
      author,
      committer: { ...ALICE, name: ' <> ', email: '' },
    });
    const [, header, committer] = repository.git(['cat-file', 'commit', sha]).split('\n');
    expect(header).toBe(`author x${'.'.repeat(200_000)}y <alice@example.com> 0 +0000`);
    expect(committer).toBe('committer Unknown <> 1600000000 +0200');
  });

  it('holds large and empty files', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024, 'abcdefg\n');
    const sha = await commit(null, [
      { action: 'create', path: 'large', content: large },
      { action: 'create', path: 'empty', content: Buffer.alloc(0) },
    ]);
    expect(repository.gitBytes(['cat-file', 'blob', `${sha}:large`]).equals(large)).toBe(true);
    expect(repository.gitBytes(['cat-file', 'blob', `${sha}:empty`])).toHaveLength(0);
  });
});

describe('actions that cannot be applied', () => {
  let base: Sha;
  beforeAll(async () => {
    base = repository.commitByGit([
      ['100644', 'a', 'A'],
      ['100644', 'dir/b', 'B'],
      ['120000', 'link', 'a'],
      ['160000', 'module', 'cd'.repeat(20)],
    ]);
  });

  const cases: [string, FileAction, string][] = [
    ['creating over a file', create('a'), 'exists a 0'],
    ['creating over a directory', create('dir'), 'exists dir 0'],
    ['creating over a submodule', create('module'), 'exists module 0'],
    ['creating below a file', create('a/x'), 'invalid_path a/x 0'],
    ['creating below a link', create('link/x'), 'invalid_path link/x 0'],
    ['updating nothing', { action: 'update', path: 'no', content: text('') }, 'missing no 0'],
    ['updating a directory', { action: 'update', path: 'dir', content: text('') }, 'missing dir 0'],
    ['updating below a file', { action: 'update', path: 'a/x', content: text('') }, 'missing a/x 0'],
    [
      'updating a submodule',
      { action: 'update', path: 'module', content: text('') },
      'invalid_path module 0',
    ],
    ['deleting nothing', { action: 'delete', path: 'dir/no' }, 'missing dir/no 0'],
    ['deleting a directory', { action: 'delete', path: 'dir' }, 'missing dir 0'],
    ['moving nothing', { action: 'move', path: 'x', previousPath: 'no' }, 'missing no 0'],
    ['moving a directory', { action: 'move', path: 'x', previousPath: 'dir' }, 'missing dir 0'],
    ['moving onto a file', { action: 'move', path: 'dir/b', previousPath: 'a' }, 'exists dir/b 0'],
    ['moving onto itself', { action: 'move', path: 'a', previousPath: 'a' }, 'exists a 0'],
    ['bits of a link', { action: 'chmod', path: 'link', executable: true }, 'invalid_path link 0'],
    ['bits of nothing', { action: 'chmod', path: 'no', executable: true }, 'missing no 0'],
    [
      'a link as .gitmodules',
      { action: 'move', path: '.gitmodules', previousPath: 'link' },
      'invalid_path .gitmodules 0',
    ],
    ['a path out of the tree', create('../x'), 'traversal ../x 0'],
    ['an absolute path', create('/etc/passwd'), 'traversal /etc/passwd 0'],
    ['git’s own folder', create('dir/.GIT/config'), 'invalid_path dir/.GIT/config 0'],
    ['a hostile source', { action: 'move', path: 'x', previousPath: '../a' }, 'traversal ../a 0'],
  ];

  it.each(cases)('refuses %s', async (_, action, problem) => {
    expect(await problemOf(base, [action])).toBe(problem);
  });

  it('names the position of the action', async () => {
    expect(await problemOf(base, [create('new'), create('new')])).toBe('exists new 1');
  });

  it('refuses a change of nothing unless it is asked for', async () => {
    const same: FileAction = { action: 'update', path: 'a', content: text('A') };
    expect(await problemOf(base, [same])).toBe('empty');
    const sha = await commit(base, [same], { allowEmpty: true });
    expect(repository.git(['rev-parse', `${sha}^{tree}`])).toBe(
      repository.git(['rev-parse', `${base}^{tree}`]),
    );
    expect(await commit(base, [])).toMatch(/^[0-9a-f]{40}$/);
  });

  it('refuses a file that changed since its last known commit', async () => {
    const second = await commit(base, [{ action: 'update', path: 'a', content: text('changed') }]);
    const third = await commit(second, [{ action: 'update', path: 'dir/b', content: text('changed') }]);
    const update = (lastCommit: Sha): FileAction => ({
      action: 'update',
      path: 'a',
      content: text('!'),
      lastCommit,
    });
    expect(await problemOf(third, [update(base)])).toBe('stale a 0');
    expect(await problemOf(third, [update(third)])).toBe('stale a 0');
    expect(await problemOf(third, [update(second.toUpperCase())])).toBe('none');
    const moved: FileAction = { action: 'move', path: 'c', previousPath: 'a', lastCommit: base };
    expect(await problemOf(third, [create('new'), moved])).toBe('stale a 1');
    expect(await problemOf(third, [{ action: 'delete', path: 'no', lastCommit: base }])).toBe('missing no 0');
  });

  it('refuses a message with NUL and a base that is not there', async () => {
    await expect(commit(base, [create('new')], { message: 'a\0b' })).rejects.toThrow(RangeError);
    await expect(commit('12'.repeat(20), [create('new')])).rejects.toThrow('missing');
  });
});

describe('an annotated tag', () => {
  it('is one that git accepts', async () => {
    const target = await commit(null, [create('tagged')]);
    const tag = await repository.writer.tagObject({
      target,
      name: 'v1.0',
      message: 'First\n\nrelease',
      tagger: ALICE,
    });
    expect(repository.git(['cat-file', 'tag', tag])).toBe(
      `object ${target}\ntype commit\ntag v1.0\ntagger Alice <alice@example.com> 1600000000 +0200\n\nFirst\n\nrelease`,
    );
    repository.git(['update-ref', 'refs/tags/v1.0', tag]);
    expect(repository.complaints()).toBe('');
  });
});
