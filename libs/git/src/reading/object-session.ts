import { GitLimitError } from '../git';
import { Conversation, type AnswerReader } from '../processes/conversation';
import { SessionKind, type Session } from '../processes/session-pool';
import type { Running } from '../processes/spawn-broker';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface ObjectInfo {
  readonly sha: string;
  readonly type: ObjectType;
  /** Bytes. */
  readonly size: number;
}

export interface RawObject extends ObjectInfo {
  readonly content: Buffer;
}

const HEADER = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/;
const ABSENT = / (?:missing|ambiguous|submodule)$/;
/** A header is a sha, a type and a size, or the asked name and one word. */
const LONGEST_HEADER = 8_192;
/** More than any tree, commit or tag of sense; larger blobs do not come this way. */
const MOST_CONTENT = 64 * 1024 * 1024;

/**
 * One `cat-file --batch-command -z` process. Names given to it must be validated or made by the engine: a name with
 * `..` or `@{` ends the process, one with a newline or NUL would put answers out of step (git-safety G1, G2).
 */
export class ObjectSession implements Session {
  private readonly conversation: Conversation;

  constructor(running: Running) {
    this.conversation = new Conversation(running);
  }

  get isBroken(): boolean {
    return this.conversation.isBroken;
  }

  info(name: string): Promise<ObjectInfo | null> {
    return this.conversation.ask(`info ${name}\0`, new InfoReader());
  }

  /** Throws GitLimitError for an object above 64 MiB. */
  contents(name: string): Promise<RawObject | null> {
    return this.conversation.ask(`contents ${name}\0`, new ContentsReader());
  }

  end(): void {
    this.conversation.end();
  }

  kill(): void {
    this.conversation.kill();
  }
}

export const OBJECT_SESSIONS = new SessionKind({
  args: ['cat-file', '--batch-command', '-z'],
  start: (running) => new ObjectSession(running),
  mostPerRepository: 2,
  crowdedAt: 64,
});

class HeaderReader {
  private pieces: Buffer[] = [];
  private bytes = 0;
  /** The object, null when there is none, undefined while the line is not complete. */
  header: ObjectInfo | null | undefined;

  get isComplete(): boolean {
    return this.header !== undefined;
  }

  /** Returns what follows the header line, null while it is not complete. */
  read(chunk: Buffer): Buffer | null {
    const end = chunk.indexOf(0x0a);
    const piece = end < 0 ? chunk : chunk.subarray(0, end);
    this.bytes += piece.length;
    if (this.bytes > LONGEST_HEADER) throw new Error('a header without end');
    this.pieces.push(piece);
    if (end < 0) return null;
    this.header = parseHeader(Buffer.concat(this.pieces).toString('utf8'));
    return chunk.subarray(end + 1);
  }
}

class InfoReader implements AnswerReader<ObjectInfo | null> {
  private readonly line = new HeaderReader();

  read(chunk: Buffer): Buffer | null {
    return this.line.read(chunk);
  }

  result(): ObjectInfo | null {
    return this.line.header ?? null;
  }
}

class ContentsReader implements AnswerReader<RawObject | null> {
  private readonly line = new HeaderReader();
  private content: Buffer | undefined;
  private filled = 0;

  read(chunk: Buffer): Buffer | null {
    const rest = this.line.isComplete ? chunk : this.line.read(chunk);
    const { header } = this.line;
    return rest !== null && header ? this.fill(header, rest) : rest;
  }

  result(): RawObject | null {
    const { header } = this.line;
    if (!header || !this.content) return null;
    return { ...header, content: this.content };
  }

  /** An answer is its size in bytes, then a newline. */
  private fill(header: ObjectInfo, chunk: Buffer): Buffer | null {
    if (header.size > MOST_CONTENT) throw new GitLimitError(`object ${header.sha} is too large`);
    this.content ??= Buffer.allocUnsafeSlow(header.size);
    const taken = Math.min(chunk.length, header.size - this.filled);
    chunk.copy(this.content, this.filled, 0, taken);
    this.filled += taken;
    if (chunk.length === taken) return null;
    if (chunk[taken] !== 0x0a) throw new Error('content longer than announced');
    return chunk.subarray(taken + 1);
  }
}

function parseHeader(line: string): ObjectInfo | null {
  const match = HEADER.exec(line);
  if (match === null) {
    if (ABSENT.test(line)) return null;
    throw new Error('an unknown header');
  }
  const [, sha = '', type, size] = match;
  return { sha, type: objectType(type), size: Number(size) };
}

function objectType(word: string | undefined): ObjectType {
  if (word === 'blob' || word === 'tree' || word === 'commit' || word === 'tag') return word;
  throw new Error('an unknown object type');
}
