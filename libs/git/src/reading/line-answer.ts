import { GitLimitError } from '../git';
import type { AnswerReader } from '../processes/conversation';

/** Longer lines are cut for the taker: no file name is as long, and such a file's text is left out anyway. */
const LONGEST_LINE = 1024 * 1024 + 1;

/** Takes an answer line by line. */
export interface LineTaker<T> {
  /** `bytes` is the line's true length, its newline included. */
  take(line: string, bytes: number): void;
  result(): T;
}

/**
 * An answer of lines up to one that equals `sentinel`. The sentinel must be random: what stands in the lines is in
 * other people's hands. Throws GitLimitError after `mostBytes`.
 */
export class LineAnswer<T> implements AnswerReader<T> {
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private total = 0;

  constructor(
    private readonly sentinel: string,
    private readonly taker: LineTaker<T>,
    private readonly mostBytes: number,
  ) {}

  read(chunk: Buffer): Buffer | null {
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, at);
      if (end < 0) {
        this.keep(chunk.subarray(at));
        return null;
      }
      this.keep(chunk.subarray(at, end));
      const bytes = this.pieceBytes + 1;
      const line = this.line();
      at = end + 1;
      if (bytes === this.sentinel.length + 1 && line === this.sentinel) return chunk.subarray(at);
      this.taker.take(line, bytes);
    }
  }

  result(): T {
    return this.taker.result();
  }

  private keep(piece: Buffer): void {
    this.total += piece.length + 1;
    if (this.total > this.mostBytes) throw new GitLimitError(`git wrote more than ${this.mostBytes} bytes`);
    if (this.pieceBytes < LONGEST_LINE && piece.length > 0) this.pieces.push(piece);
    this.pieceBytes += piece.length;
  }

  private line(): string {
    const [only] = this.pieces;
    const line = this.pieces.length === 1 && only ? only : Buffer.concat(this.pieces);
    this.pieces = [];
    this.pieceBytes = 0;
    return line.toString('utf8', 0, LONGEST_LINE);
  }
}
