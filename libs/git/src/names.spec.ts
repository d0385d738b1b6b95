import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  InvalidPathError,
  isAbbreviatedSha,
  isBranchName,
  isFullRef,
  isGitmodulesName,
  isReadablePath,
  isSha,
  isTagName,
  splitPath,
} from './names';

const HEX_40 = 'ab'.repeat(20);

function problemOf(name: string): string {
  try {
    splitPath(name);
    return 'none';
  } catch (error) {
    if (error instanceof InvalidPathError) return error.problem;
    throw error;
  }
}

describe('branch and tag names', () => {
  it.each([
    'main',
    'feature/login',
    'v1.0',
    '1-2',
    'déjà-vu',
    'a@b',
    'x.y/z',
    'CON',
    '日本',
    'a{b}',
    'abcdef1',
  ])('accepts %j', (name) => {
    expect([isBranchName(name), isTagName(name), isFullRef(`refs/heads/${name}`)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    ...[
      '',
      '-x',
      '--output=x',
      'HEAD',
      '@',
      'refs/heads/main',
      HEX_40,
      HEX_40.toUpperCase(),
      'ab'.repeat(32),
    ],
    ...[
      'a..b',
      'a b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[0]',
      'a\\b',
      'a@{u}',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
    ],
    ...['a/', '/a', 'a//b', 'a.', 'a\nb', 'a\0b', 'a\x7fb', 'a\tb', 'a\ud800b'],
  ])('refuses %j', (name) => {
    expect([isBranchName(name), isTagName(name)]).toEqual([false, false]);
  });

  it('refuses what no lock file or message could hold', () => {
    expect(['x'.repeat(251), 'é'.repeat(126), `${'a/'.repeat(600)}a`].map(isBranchName)).toEqual([
      false,
      false,
      false,
    ]);
    expect(isBranchName('x'.repeat(250))).toBe(true);
  });

  it('does not take a short name or HEAD for a full ref', () => {
    expect([isFullRef('main'), isFullRef('HEAD'), isFullRef('refs/'), isFullRef('refs/heads/-x')]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('agrees with git about any name', () => {
    const character = fc.constantFrom(...'ab./-@{}~^:?*[]\\ \t\x7f,=é日', '.lock', '..', '@{', 'HEAD');
    const names = fc.sample(
      fc.array(character, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
      { numRuns: 400, seed: 20 },
    );
    const script =
      'for name; do if git check-ref-format --branch "$name" >/dev/null 2>&1; then echo 1; else echo 0; fi; done';
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...names], { encoding: 'utf8', cwd: tmpdir() });
    const accepted = stdout.split('\n').filter((line) => line !== '');
    expect(accepted).toHaveLength(names.length);
    const disagreements = names.filter((name, i) => isBranchName(name) !== (accepted[i] === '1'));
    // Inside a repository git reads "@" as HEAD and "@{-1}" as another branch; to us both are no name anywhere.
    expect(disagreements.filter((name) => name !== '@' && !name.includes('@{'))).toEqual([]);
    expect(accepted.includes('1')).toBe(true);
  });
});

describe('object names', () => {
  it('knows full and abbreviated ones', () => {
    expect([isSha(HEX_40), isSha(HEX_40.toUpperCase()), isSha('abcd'), isSha(`${HEX_40}\n`)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([isAbbreviatedSha('abcd'), isAbbreviatedSha('abc'), isAbbreviatedSha(`${HEX_40}0`)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isAbbreviatedSha('abcd^{tree}')).toBe(false);
  });
});

describe('paths that are read', () => {
  it.each(['a', 'a/b.txt', '-x', ':(glob)*', 'a b', '.git/config', 'dir\\file'])('accepts %j', (name) => {
    expect(isReadablePath(name)).toBe(true);
  });

  it.each(['', '/', '/a', 'a/', 'a//b', '.', './a', '../a', 'a/../b', 'a\nb', 'a\0'])(
    'refuses %j',
    (name) => {
      expect(isReadablePath(name)).toBe(false);
    },
  );
});

describe('paths that are written (G7)', () => {
  it.each([
    'a',
    'a/b/c.txt',
    '.gitignore',
    '.github/x',
    'git',
    '.gitmodules',
    'a\\b',
    '-x',
    'git~2',
    '.gitx',
    'a.git',
  ])('accepts %j', (name) => {
    expect(splitPath(name)).toEqual(name.split('/'));
  });

  it.each(['..', '../a', 'a/../b', 'a/..', './a', 'a/.', '/etc/passwd', '//a', 'a\\..\\b', '..\\..\\x'])(
    'sees traversal in %j',
    (name) => {
      expect(problemOf(name)).toBe('traversal');
    },
  );

  it.each([
    ...[
      '.git',
      '.GIT/config',
      'a/.git',
      '.Git',
      '.git ',
      '.git.',
      '.git . .',
      'git~1',
      'GIT~1/hooks',
      '.git:x',
    ],
    ...['.git::$INDEX_ALLOCATION/config', '.g\u200cit', '\ufeff.git', '.git\u206f', 'a\\.git\\x', 'a\\git~1'],
    ...['', 'a//b', 'a/', 'a\0b', 'a\nb', 'a\udc00'],
  ])('refuses %j', (name) => {
    expect(problemOf(name)).toBe('invalid_path');
  });

  it('refuses components over 255 bytes and paths over 4096', () => {
    const long = ['x'.repeat(256), 'é'.repeat(128), `${'a/'.repeat(2100)}a`];
    expect(long.map(problemOf)).toEqual(['invalid_path', 'invalid_path', 'invalid_path']);
    expect(isReadablePath('x'.repeat(4097))).toBe(false);
    expect(problemOf(`${'x'.repeat(255)}/${'é'.repeat(127)}`)).toBe('none');
  });

  it('leaves nothing through that git fsck calls hostile', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'names-'));
    try {
      const git = (args: string[], input = '') =>
        execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' });
      git(['init', '-q', '--bare', '.']);
      const blob = git(['hash-object', '-w', '--stdin'], 'x').trim();
      const piece = fc.constantFrom(
        '.',
        '..',
        '.git',
        'GIT',
        'git~1',
        ' ',
        '\\',
        ':',
        '\u200c',
        '\ufeff',
        'x',
        '~1',
      );
      const names = fc.sample(
        fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
        { numRuns: 600, seed: 11 },
      );
      const accepted = [...new Set(names)].filter((name) => problemOf(name) === 'none');
      expect(accepted.length).toBeGreaterThan(20);
      git(['mktree', '-z'], accepted.map((name) => `100644 blob ${blob}\t${name}\0`).join(''));
      const fsck = spawnSync('git', ['fsck', '--strict'], { cwd: folder, encoding: 'utf8' });
      expect(fsck.stderr).not.toContain('error');
      expect(fsck.status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the name of .gitmodules', () => {
  it.each([
    '.gitmodules',
    '.GITMODULES',
    '.gitmodules ',
    'gitmod~1',
    'GI7EBA~1',
    'gi7eb~10',
    '.git\u200cmodules',
    'x\\.gitmodules',
  ])('is seen in %j', (name) => {
    expect(isGitmodulesName(name)).toBe(true);
  });

  it.each(['gitmodules', '.gitmodules2', 'gitmod~5', 'gi7eba~0', 'a.gitmodules'])(
    'is not seen in %j',
    (name) => {
      expect(isGitmodulesName(name)).toBe(false);
    },
  );
});
