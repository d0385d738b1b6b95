import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EngineCaches } from '../caches/engine-caches';
import type { Person, RepositoryLocation, Sha } from '../git';
import { ProcessPool } from '../processes/process-pool';
import { SpawnBroker } from '../processes/spawn-broker';
import { ObjectReader } from '../reading/object-reader';
import type { RepositoryContext } from '../repository-context';
import { DiskThreads } from './disk-threads';
import { RepositoryStorage } from './storage';
import { RepositoryWriter } from './writer';

export const ALICE: Person = {
  name: 'Alice',
  email: 'alice@example.com',
  time: 1_600_000_000,
  offset: '+0200',
};

/** What one server process holds of the engine, and a repository in a temporary folder. */
export class ScratchRepository {
  readonly broker = new SpawnBroker();
  readonly pool = new ProcessPool(this.broker);
  readonly disk = new DiskThreads();
  readonly storage = new RepositoryStorage(this.broker);
  readonly context: RepositoryContext;
  readonly writer: RepositoryWriter;

  private constructor(
    readonly folder: string,
    readonly location: RepositoryLocation,
  ) {
    this.context = contextOf(location, this.broker, this.pool, this.disk);
    this.writer = new RepositoryWriter(this.context);
  }

  static async create(): Promise<ScratchRepository> {
    const folder = mkdtempSync(path.join(tmpdir(), 'scratch-'));
    const repository = new ScratchRepository(folder, { path: path.join(folder, 'bare.git') });
    await repository.storage.create(repository.location, 'main');
    return repository;
  }

  get path(): string {
    return this.location.path;
  }

  /** The git command line in the bare repository; trimmed output. */
  git(args: readonly string[], input?: string | Buffer): string {
    return git(this.path, args, input);
  }

  /** Bytes of git's output. */
  gitBytes(args: readonly string[]): Buffer {
    return execFileSync('git', args, { cwd: this.path, maxBuffer: 1 << 28 });
  }

  /** "mode sha path" of every file of a commit or tree. */
  files(treeish: string): string[] {
    return this.git(['ls-tree', '-r', treeish]).split('\n').filter(Boolean);
  }

  /** Content by path. */
  contents(treeish: string): Map<string, string> {
    const files = this.files(treeish).map((line) => line.split(/[ \t]/));
    const input = files.map((fields) => `${fields[2] ?? ''}\n`).join('');
    const answers = execFileSync('git', ['cat-file', '--batch'], { cwd: this.path, input });
    let at = 0;
    const next = (): string => {
      const start = answers.indexOf('\n', at) + 1;
      const size = Number(answers.toString('latin1', at, start).split(' ')[2]);
      at = start + size + 1;
      return answers.toString('utf8', start, start + size);
    };
    return new Map(files.map((fields) => [fields.slice(3).join(' '), next()]));
  }

  /** What git's strictest check complains about. */
  complaints(): string {
    const { stderr, stdout, status } = spawnSync('git', ['fsck', '--strict', '--full', '--no-dangling'], {
      cwd: this.path,
      encoding: 'utf8',
    });
    return status === 0 ? '' : stderr + stdout;
  }

  /** A commit made by git itself of "mode path content" rows. */
  commitByGit(
    rows: readonly [mode: string, name: string, content: string][],
    parents: readonly Sha[] = [],
  ): Sha {
    const index = path.join(this.folder, `index-${rows.length}-${parents.join('').slice(0, 8)}`);
    const env = { ...process.env, GIT_INDEX_FILE: index };
    execFileSync('git', ['read-tree', '--empty'], { cwd: this.path, env });
    const lines = rows.map(([mode, name, content]) => {
      const sha = mode === '160000' ? content : this.git(['hash-object', '-w', '--stdin'], content);
      return `${mode} ${sha}\t${name}\0`;
    });
    execFileSync('git', ['update-index', '-z', '--index-info'], {
      cwd: this.path,
      env,
      input: lines.join(''),
    });
    const tree = execFileSync('git', ['write-tree', '--missing-ok'], {
      cwd: this.path,
      env,
      encoding: 'utf8',
    }).trim();
    return this.git(['commit-tree', tree, '-m', 'by git', ...parents.flatMap((parent) => ['-p', parent])]);
  }

  async close(): Promise<void> {
    this.pool.close();
    await this.disk.close();
    await this.broker.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The git command line with an identity of its own; trimmed output. */
export function git(cwd: string, args: readonly string[], input?: string | Buffer): string {
  const identity = [
    '-c',
    'user.name=Git',
    '-c',
    'user.email=git@example.com',
    '-c',
    'init.defaultBranch=main',
  ];
  return execFileSync('git', [...identity, ...args], {
    cwd,
    ...(input === undefined ? {} : { input }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim();
}

/** A context as the engine makes one, of a second server process if given its own broker and pool. */
export function contextOf(
  location: RepositoryLocation,
  broker: SpawnBroker,
  pool: ProcessPool,
  disk: DiskThreads,
): RepositoryContext {
  const caches = new EngineCaches();
  return {
    location,
    broker,
    pool,
    disk,
    caches,
    objects: new ObjectReader({ location, pool, caches, signal: undefined }),
    signal: undefined,
    env: undefined,
    reader: () => {
      throw new Error('the writer reads no quarantine');
    },
  };
}
