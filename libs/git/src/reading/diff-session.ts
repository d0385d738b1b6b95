import { randomBytes } from 'node:crypto';
import type { FileDiff, Sha, Stats } from '../git';
import { Conversation } from '../processes/conversation';
import { SessionKind, type Session } from '../processes/session-pool';
import type { Running } from '../processes/spawn-broker';
import { LineAnswer, type LineTaker } from './line-answer';
import { PatchTaker, type DiffLimits } from './patch-taker';

/** Renames are looked for as `git diff` does; nothing from the repository chooses a program or a filter. */
const COMMON = ['diff-tree', '--stdin', '-r', '-M', '-l1000', '--no-color', '--no-ext-diff', '--no-textconv'];
/** Larger blobs are compared as binary: a diff of them would fill the process's memory. */
const BIG_FILE = ['-c', 'core.bigFileThreshold=32m'];
/** What git may write for one answer before it is stopped. */
const MOST_OUTPUT = 256 * 1024 * 1024;

/** One `diff-tree --stdin` process. */
class DiffSession implements Session {
  private readonly conversation: Conversation;

  constructor(running: Running) {
    this.conversation = new Conversation(running);
  }

  get isBroken(): boolean {
    return this.conversation.isBroken;
  }

  end(): void {
    this.conversation.end();
  }

  kill(): void {
    this.conversation.kill();
  }

  /**
   * Trees rather than commits are compared: so merges and root commits need no case of their own.
   * git echoes a line that is no sha, and flushes: that ends the answer.
   */
  protected compare<T>(from: Sha, to: Sha, taker: LineTaker<T>): Promise<T> {
    const sentinel = `end-${randomBytes(16).toString('hex')}`;
    return this.conversation.ask(
      `${from} ${to}\n${sentinel}\n`,
      new LineAnswer(sentinel, taker, MOST_OUTPUT),
    );
  }
}

export class PatchSession extends DiffSession {
  patch(fromTree: Sha, toTree: Sha, limits: DiffLimits): Promise<FileDiff[]> {
    return this.compare(fromTree, toTree, new PatchTaker(limits));
  }
}

export class StatsSession extends DiffSession {
  stats(fromTree: Sha, toTree: Sha): Promise<Stats> {
    return this.compare(fromTree, toTree, new StatsTaker());
  }
}

export const PATCH_SESSIONS = new SessionKind({
  args: [...BIG_FILE, ...COMMON, '--raw', '-p', '--full-index'],
  start: (running) => new PatchSession(running),
  mostPerRepository: 2,
  crowdedAt: 2,
});

export const STATS_SESSIONS = new SessionKind({
  args: [...BIG_FILE, ...COMMON, '--numstat'],
  start: (running) => new StatsSession(running),
  mostPerRepository: 2,
  crowdedAt: 8,
});

const NUMSTAT_LINE = /^(\d+|-)\t(\d+|-)\t/;

/** Adds up `--numstat` lines; a binary file ("-") counts nothing. */
class StatsTaker implements LineTaker<Stats> {
  private additions = 0;
  private deletions = 0;

  take(line: string): void {
    const [, added = '0', deleted = '0'] = NUMSTAT_LINE.exec(line) ?? [];
    this.additions += Number(added.replace('-', '0'));
    this.deletions += Number(deleted.replace('-', '0'));
  }

  result(): Stats {
    return { additions: this.additions, deletions: this.deletions };
  }
}
