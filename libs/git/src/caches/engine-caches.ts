import type { BlameRange, Commit, ContributorStats, FileDiff, Sha, Stats } from '../git';
import { Memo } from './memo';

/** A tree object, parsed. */
export interface ParsedTree {
  /** In git's own order. */
  readonly entries: readonly ParsedTreeEntry[];
  /** Bytes of the raw object. */
  readonly size: number;
}

export interface ParsedTreeEntry {
  /** Invalid UTF-8 replaced. */
  readonly name: string;
  /** Nothing had to be replaced. */
  readonly isNameExact: boolean;
  /** Six octal digits. */
  readonly mode: string;
  readonly sha: Sha;
}

/** A tag object, parsed. */
export interface TagObject {
  readonly target: Sha;
  readonly targetType: string;
  readonly message: string;
}

/** Answers about immutable things that are no bigger than a few strings; null when there is none. */
export interface SmallAnswer {
  readonly shas: readonly Sha[];
  readonly count: number;
}

const MIB = 1024 * 1024;
const textSize = (text: string): number => 2 * text.length;

/**
 * What is known about immutable objects. Every key begins with the repository's path, so that no repository can
 * answer from another's objects. Bounded by bytes; sizes are of the whole engine.
 */
export class EngineCaches {
  readonly commits: Memo<Commit>;
  readonly trees: Memo<ParsedTree>;
  /** Tree objects as they are, for those who build on them. */
  readonly treeBodies: Memo<Buffer>;
  readonly tags: Memo<TagObject>;
  readonly blobs: Memo<Buffer>;
  /** Blob sizes by sha. */
  readonly sizes: Memo<number>;
  /** Hexadecimal SHA-256 of blobs. */
  readonly checksums: Memo<string>;
  readonly stats: Memo<Stats>;
  readonly diffs: Memo<readonly FileDiff[]>;
  readonly blames: Memo<readonly BlameRange[]>;
  readonly contributors: Memo<readonly ContributorStats[]>;
  /** Log pages, counts, last commits, merge bases. */
  readonly answers: Memo<SmallAnswer>;

  /** `mostBytes` for all caches together, default 256 MiB. */
  constructor(mostBytes = 256 * MIB) {
    const share = (parts: number): number => Math.floor((mostBytes * parts) / 32);
    this.commits = new Memo(share(6), (commit) => 600 + textSize(commit.message));
    this.trees = new Memo(share(6), (tree) => 200 + 5 * tree.size);
    this.treeBodies = new Memo(share(1), (body) => 100 + body.length);
    this.tags = new Memo(share(1), (tag) => 200 + textSize(tag.message));
    this.blobs = new Memo(share(6), (blob) => blob.length);
    this.sizes = new Memo(share(1), () => 8);
    this.checksums = new Memo(share(1), textSize);
    this.stats = new Memo(share(1), () => 50);
    this.diffs = new Memo(share(4), sizeOfDiff);
    this.blames = new Memo(share(2), sizeOfBlame);
    this.contributors = new Memo(share(1), (authors) => 50 + 300 * authors.length);
    this.answers = new Memo(share(2), (answer) => 50 + 100 * answer.shas.length);
  }

  /** Forgets a repository. */
  forget(repository: string): void {
    const prefix = `${repository}\0`;
    const all = [
      this.commits,
      this.trees,
      this.treeBodies,
      this.tags,
      this.blobs,
      this.sizes,
      this.checksums,
      this.stats,
      this.diffs,
      this.blames,
      this.contributors,
      this.answers,
    ];
    for (const cache of all) cache.forget(prefix);
  }
}

function sizeOfDiff(files: readonly FileDiff[]): number {
  return files.reduce(
    (bytes, file) => bytes + 300 + textSize(file.text) + textSize(file.oldPath) + textSize(file.newPath),
    50,
  );
}

function sizeOfBlame(ranges: readonly BlameRange[]): number {
  return ranges.reduce(
    (bytes, range) => bytes + 300 + range.lines.reduce((sum, line) => sum + 50 + textSize(line), 0),
    50,
  );
}
