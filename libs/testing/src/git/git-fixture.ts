import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a path holds after a commit: a file, a file with a mode, a link, a submodule, nothing, or what stood elsewhere. */
export type FixtureEntry =
  | string
  | Buffer
  | { readonly content: string | Buffer; readonly mode: '100644' | '100755' }
  | { readonly link: string }
  | { readonly submodule: string }
  | { readonly renamedFrom: string }
  | null;

export interface FixtureCommit {
  /** Default "main". Its tip is the first parent unless `parents` says otherwise. */
  readonly branch?: string;
  /** Full shas; [] for a root commit. */
  readonly parents?: readonly string[];
  readonly files?: Readonly<Record<string, FixtureEntry>>;
  /** Entries whose names are no UTF-8. */
  readonly rawFiles?: readonly (readonly [name: Buffer, content: string])[];
  readonly message?: string;
  readonly author?: string;
  readonly email?: string;
  /** Unix seconds of author and committer; by default each commit is a minute after the one before. */
  readonly time?: number;
}

/** The outside world's git configuration and identity must not change what a test sees. */
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Fixture',
  GIT_AUTHOR_EMAIL: 'fixture@example.com',
  GIT_COMMITTER_NAME: 'Fixture',
  GIT_COMMITTER_EMAIL: 'fixture@example.com',
};
const FIRST_COMMIT_AT = 1_500_000_000;
const execute = promisify(execFile);

/** A bare repository in a temporary folder, filled through the git command line. Call `remove` when done. */
export class GitFixture {
  private clock = FIRST_COMMIT_AT;

  private constructor(
    private readonly folder: string | null,
    /** Absolute path of the bare repository. */
    readonly path: string,
  ) {}

  static async create(defaultBranch = 'main'): Promise<GitFixture> {
    const folder = await mkdtemp(join(tmpdir(), 'git-fixture-'));
    const fixture = new GitFixture(folder, join(folder, 'repository.git'));
    await execute('git', ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, fixture.path], {
      env: ENVIRONMENT,
    });
    return fixture;
  }

  /** The same means over a bare repository that stands already and that `remove` leaves alone. */
  static on(path: string): GitFixture {
    return new GitFixture(null, path);
  }

  async remove(): Promise<void> {
    if (this.folder === null) return;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** stdout of a git command on the repository, without its last newline. */
  async git(...args: string[]): Promise<string> {
    return (await this.gitBytes(args)).toString('utf8').replace(/\n$/, '');
  }

  /** stdout of a git command on the repository, byte for byte. Throws what git says when it fails. */
  gitBytes(
    args: readonly string[],
    input: string | Buffer = '',
    env: Readonly<Record<string, string>> = {},
  ): Promise<Buffer> {
    const git = spawn('git', ['-c', 'core.quotePath=false', ...args], {
      cwd: this.path,
      env: { ...ENVIRONMENT, GIT_DIR: this.path, ...env },
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    git.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    git.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    git.stdin.on('error', () => undefined); // git may end before it has read all; its exit code tells
    git.stdin.end(input);
    return new Promise((resolve, reject) => {
      git.once('error', reject);
      git.once('close', (code) => {
        if (code === 0) resolve(Buffer.concat(output));
        else reject(new Error(`git ${args.join(' ')}: ${Buffer.concat(errors).toString()}`));
      });
    });
  }

  /** Makes a commit on a branch and returns its sha. */
  async commit(commit: FixtureCommit = {}): Promise<string> {
    const branch = commit.branch ?? 'main';
    const parents = commit.parents ?? (await this.tipOf(branch));
    const stream = Buffer.concat([this.header(commit, branch, parents), ...changes(commit)]);
    const output = await this.gitBytes(['fast-import', '--quiet', '--force'], stream);
    return output.toString().trim();
  }

  /** Merges `others` into a branch: the named files are the merge's own changes. */
  async merge(others: readonly string[], commit: FixtureCommit = {}): Promise<string> {
    const tip = await this.tipOf(commit.branch ?? 'main');
    return this.commit({ message: 'merge', ...commit, parents: [...tip, ...others] });
  }

  /** A lightweight tag, or an annotated one when there is a message. */
  async tag(name: string, target: string, message?: string): Promise<void> {
    await this.git('tag', ...(message === undefined ? [] : ['-a', '-m', message]), name, target);
  }

  private async tipOf(branch: string): Promise<string[]> {
    const line = await this.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
    return line === '' ? [] : [line];
  }

  private header(commit: FixtureCommit, branch: string, parents: readonly string[]): Buffer {
    this.clock += 60;
    const {
      author = 'Ann Author',
      email = 'ann@example.com',
      time = this.clock,
      message = 'change',
    } = commit;
    const [first, ...others] = parents;
    return Buffer.concat([
      Buffer.from(first === undefined ? `reset refs/heads/${branch}\n` : ''),
      Buffer.from(`commit refs/heads/${branch}\nmark :1\n`),
      Buffer.from(
        `author ${author} <${email}> ${time} +0200\ncommitter Carl <carl@example.com> ${time} +0000\n`,
      ),
      data(message),
      Buffer.from(first === undefined ? '' : `from ${first}\n`),
      Buffer.from(others.map((parent) => `merge ${parent}\n`).join('')),
    ]);
  }
}

function changes(commit: FixtureCommit): Buffer[] {
  return [
    ...Object.entries(commit.files ?? {}).map(([path, entry]) => change(quoted(Buffer.from(path)), entry)),
    ...(commit.rawFiles ?? []).map(([name, content]) => change(quoted(name), content)),
    Buffer.from('\nget-mark :1\n'),
  ];
}

function change(path: string, entry: FixtureEntry): Buffer {
  if (entry === null) return Buffer.from(`D ${path}\n`);
  if (typeof entry === 'string' || Buffer.isBuffer(entry)) return file('100644', path, entry);
  if ('renamedFrom' in entry) return Buffer.from(`R ${quoted(Buffer.from(entry.renamedFrom))} ${path}\n`);
  if ('submodule' in entry) return Buffer.from(`M 160000 ${entry.submodule} ${path}\n`);
  if ('link' in entry) return file('120000', path, entry.link);
  return file(entry.mode, path, entry.content);
}

function file(mode: string, path: string, content: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`M ${mode} inline ${path}\n`), data(content)]);
}

function data(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

/** A path as fast-import reads it in double quotes. */
function quoted(path: Buffer): string {
  const characters = [...path].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${characters.join('')}"`;
}
