import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { GitProcessError, ZERO_SHA } from '../git';
import { maintainRepository } from './maintenance';
import { ALICE, git, ScratchRepository } from './scratch-repository.fixture';

let repository: ScratchRepository;

beforeAll(async () => {
  repository = await ScratchRepository.create();
});
afterAll(() => repository.close());

const at = (name: string) => ({ path: path.join(repository.folder, name) });

describe('a new repository', () => {
  it('is one that git takes, with its settings and no hooks', async () => {
    await repository.storage.create(at('ab/cd/new.git'), 'trunk');
    const { path: made } = at('ab/cd/new.git');
    expect(git(made, ['rev-parse', '--is-bare-repository', '--git-dir'])).toBe('true\n.');
    expect(git(made, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    expect(git(made, ['config', '--list', '--local'])).toContain('receive.fsck.zeropaddedfilemode=ignore');
    expect(spawnSync('git', ['fsck', '--strict'], { cwd: made }).status).toBe(0);
    expect(readdirSync(made).sort()).toEqual(['HEAD', 'config', 'info', 'objects', 'refs']);
    expect(readdirSync(path.dirname(made))).toEqual(['new.git']);
  });

  it('is made once, also by many at a time', async () => {
    const many = Array.from({ length: 10 }, () => repository.storage.create(at('many.git'), 'main'));
    await Promise.all(many);
    writeFileSync(path.join(at('many.git').path, 'kept'), '');
    await repository.storage.create(at('many.git'), 'other');
    expect(existsSync(path.join(at('many.git').path, 'kept'))).toBe(true);
    expect(git(at('many.git').path, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
    expect(readdirSync(repository.folder).filter((name) => name.includes('many'))).toEqual(['many.git']);
    await expect(repository.storage.create(at('bad.git'), '../x')).rejects.toThrow(RangeError);
  });

  it('is gone when it is removed, however often', async () => {
    await repository.storage.create(at('gone.git'), 'main');
    expect(await repository.storage.exists(at('gone.git'))).toBe(true);
    await repository.storage.remove(at('gone.git'));
    await repository.storage.remove(at('gone.git'));
    expect(await repository.storage.exists(at('gone.git'))).toBe(false);
    expect(readdirSync(repository.folder).filter((name) => name.includes('gone'))).toEqual([]);
  });
});

describe('an import', () => {
  it('takes branches, tags and HEAD, and no hooks, settings or other refs', async () => {
    const source = path.join(repository.folder, 'source');
    mkdirSync(source);
    git(source, ['init', '-q', '-b', 'develop']);
    writeFileSync(path.join(source, 'f'), 'x');
    git(source, ['add', '.']);
    git(source, ['commit', '-qm', 'one']);
    git(source, ['tag', '-am', 'annotated', 'v1']);
    git(source, ['branch', 'other']);
    git(source, ['update-ref', 'refs/secret/x', 'HEAD']);
    git(source, ['config', 'core.sshCommand', 'evil']);
    writeFileSync(path.join(source, '.git', 'hooks', 'pre-receive'), '#!/bin/sh\n', { mode: 0o755 });
    await repository.storage.importFrom(source, at('imported.git'));
    const { path: imported } = at('imported.git');
    expect(git(imported, ['for-each-ref', '--format=%(refname)'])).toBe(
      'refs/heads/develop\nrefs/heads/other\nrefs/tags/v1',
    );
    expect(git(imported, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/develop');
    expect(git(imported, ['config', '--list', '--local'])).not.toContain('evil');
    expect(existsSync(path.join(imported, 'hooks'))).toBe(false);
    expect(existsSync(path.join(imported, 'objects/info/commit-graphs/commit-graph-chain'))).toBe(true);
    await expect(repository.storage.importFrom(source, at('imported.git'))).rejects.toThrow('already');
  });

  it('takes an empty repository', async () => {
    await repository.storage.create(at('empty.git'), 'trunk');
    await repository.storage.importFrom(at('empty.git').path, at('copy-of-empty.git'));
    expect(await repository.storage.exists(at('copy-of-empty.git'))).toBe(true);
  });

  it('refuses what is no repository and what holds a hostile tree (G7), and leaves nothing', async () => {
    await expect(repository.storage.importFrom(at('nowhere').path, at('n.git'))).rejects.toThrow(
      GitProcessError,
    );
    await repository.storage.create(at('hostile.git'), 'main');
    const { path: hostile } = at('hostile.git');
    const blob = git(hostile, ['hash-object', '-w', '--stdin'], 'x');
    const inner = git(hostile, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const tree = git(hostile, ['mktree'], `040000 tree ${inner}\t.git\n`);
    git(hostile, ['update-ref', 'refs/heads/main', git(hostile, ['commit-tree', tree, '-m', 'x'])]);
    await expect(repository.storage.importFrom(hostile, at('n.git'))).rejects.toMatchObject({
      stderr: expect.stringContaining('hasDotgit'),
    });
    expect(readdirSync(repository.folder).filter((name) => name.includes('n.git'))).toEqual([]);
  });

  it('takes an old history with the faults of its time', async () => {
    await repository.storage.create(at('old.git'), 'main');
    const { path: old } = at('old.git');
    const blob = git(old, ['hash-object', '-w', '--stdin'], 'x');
    const item = Buffer.concat([
      Buffer.from('040000 d\0'),
      Buffer.from(git(old, ['mktree'], `100644 blob ${blob}\tf\n`), 'hex'),
    ]);
    const tree = git(old, ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], item);
    const body = `tree ${tree}\nauthor A <a@b>1 +051800\ncommitter A <a@b> 1 +051800\n\nold\n`;
    const commit = git(old, ['hash-object', '-w', '--literally', '-t', 'commit', '--stdin'], body);
    git(old, ['update-ref', 'refs/heads/main', commit]);
    await repository.storage.importFrom(old, at('old-copy.git'));
    expect(git(at('old-copy.git').path, ['rev-parse', 'refs/heads/main'])).toBe(commit);
  });
});

describe('copying objects from another repository', () => {
  it('brings exactly what is reachable and missing', async () => {
    const source = await ScratchRepository.create();
    try {
      const one = source.commitByGit([['100644', 'f', 'one']]);
      const two = source.commitByGit([['100644', 'f', 'two']], [one]);
      const three = source.commitByGit([['100644', 'f', 'three']], [two]);
      await repository.writer.fetchObjects(source.location, [one]);
      await repository.writer.updateRefs([{ ref: 'refs/heads/fetched', oldSha: ZERO_SHA, newSha: one }]);
      await repository.writer.fetchObjects(source.location, [two, two]);
      expect(repository.git(['rev-list', '--objects', two]).split('\n')).toHaveLength(6);
      expect(spawnSync('git', ['cat-file', '-e', three], { cwd: repository.path }).status).not.toBe(0);
      expect(repository.git(['for-each-ref', 'refs/heads'])).toContain('fetched');
      expect(existsSync(path.join(repository.path, 'FETCH_HEAD'))).toBe(false);
      await expect(repository.writer.fetchObjects(source.location, ['12'.repeat(20)])).rejects.toThrow(
        GitProcessError,
      );
    } finally {
      await source.close();
    }
  });

  it('refuses a hostile tree when asked to check, and brings nothing', async () => {
    const source = await ScratchRepository.create();
    try {
      const blob = source.git(['hash-object', '-w', '--stdin'], 'x');
      const inner = source.git(['mktree'], `100644 blob ${blob}\tconfig\n`);
      const tree = source.git(['mktree'], `040000 tree ${inner}\t.git\n`);
      const sha = source.git(['commit-tree', tree, '-m', 'x']);
      const checked = repository.writer.fetchObjects(source.location, [sha], { check: true });
      await expect(checked).rejects.toMatchObject({ stderr: expect.stringContaining('hasDotgit') });
      expect(spawnSync('git', ['cat-file', '-e', sha], { cwd: repository.path }).status).not.toBe(0);
    } finally {
      await source.close();
    }
  });
});

describe('upkeep', () => {
  it('adds new commits to the graph with their changed paths, many runs at once', async () => {
    const tip = await repository.writer.createCommit({
      base: null,
      actions: [{ action: 'create', path: 'graph', content: Buffer.from('x') }],
      message: 'm',
      author: ALICE,
      committer: ALICE,
    });
    const runs = Array.from({ length: 6 }, () =>
      repository.storage.refreshCommitGraph(repository.location, [tip]),
    );
    await Promise.all(runs);
    const graphs = path.join(repository.path, 'objects/info/commit-graphs');
    const chain = readFileSync(path.join(graphs, 'commit-graph-chain'), 'utf8').trim().split('\n');
    const newest = readFileSync(path.join(graphs, `graph-${chain.at(-1) ?? ''}.graph`));
    expect(newest.includes('BDAT')).toBe(true);
    expect(newest.includes(Buffer.from(tip, 'hex'))).toBe(true);
    await expect(repository.storage.refreshCommitGraph(repository.location, ['--all'])).rejects.toThrow(
      RangeError,
    );
  });

  it('packs, keeps what is unreachable but young, and clears old locks only', async () => {
    const kept = repository.commitByGit([['100644', 'kept', 'kept']]);
    const loose = repository.commitByGit([['100644', 'loose', 'unreachable']]);
    await repository.writer.updateRefs([{ ref: 'refs/heads/upkeep', oldSha: ZERO_SHA, newSha: kept }]);
    const oldLock = path.join(repository.path, 'refs/heads/upkeep.lock');
    const newLock = path.join(repository.path, 'refs/heads/young.lock');
    writeFileSync(oldLock, '');
    utimesSync(oldLock, 1_000_000, 1_000_000);
    writeFileSync(newLock, '');
    await repository.storage.maintain(repository.location);
    expect([existsSync(oldLock), existsSync(newLock)]).toEqual([false, true]);
    rmSync(newLock);
    expect(repository.git(['cat-file', '-t', loose])).toBe('commit');
    expect(repository.git(['rev-parse', 'refs/heads/upkeep'])).toBe(kept);
    expect(statSync(path.join(repository.path, 'packed-refs')).size).toBeGreaterThan(0);
    expect(repository.git(['count-objects', '-v'])).toMatch(/^count: 0$/m);
    await repository.storage.maintain(repository.location);
    expect(repository.complaints()).toBe('');
  });

  it('packs only what is new of a large repository, until its packs are many or old', async () => {
    const packs = () =>
      readdirSync(path.join(repository.path, 'objects/pack')).filter((name) => name.endsWith('.pack'));
    const many = Array.from({ length: 60 }, (_, i): [string, string, string] => [
      '100644',
      `big-${i}`,
      `${i}`,
    ]);
    const big = repository.commitByGit(many);
    repository.git(['update-ref', 'refs/heads/big', big]);
    repository.git(['repack', '-adq']);
    const [large] = packs();
    repository.git([
      'update-ref',
      'refs/heads/small',
      repository.commitByGit([['100644', 'small', 'small']]),
    ]);
    const limits = { smallKib: -1, manyPacks: 20, oldestPackMs: 1_000_000_000 };
    await maintainRepository(repository.broker, repository.path, limits);
    expect(packs()).toContain(large);
    expect(packs().length).toBeGreaterThan(1);
    await maintainRepository(repository.broker, repository.path, { ...limits, manyPacks: 1 });
    expect(packs()).not.toContain(large);
    expect(repository.complaints()).toBe('');
  });

  it('clears away what crashed writers left, once it is old', async () => {
    const objects = path.join(repository.path, 'objects');
    const left = ['tmp_objdir-merge-old', 'tmp_objdir-merge-young', '00/tmp_obj_old'].map((name) =>
      path.join(objects, name),
    );
    mkdirSync(path.join(objects, '00'), { recursive: true });
    for (const name of left.slice(0, 2)) mkdirSync(name);
    writeFileSync(left[2] ?? '', '');
    for (const name of [left[0] ?? '', left[2] ?? '']) utimesSync(name, 1_000_000, 1_000_000);
    repository.commitByGit([['100644', 'something', 'to pack']]);
    await repository.storage.maintain(repository.location);
    expect(left.map((name) => existsSync(name))).toEqual([false, true, false]);
    rmSync(left[1] ?? '', { recursive: true });
  });
});
