import { toUSVString } from 'node:util';
import { TimeSlices } from './time-slices';

/** Texts of more characters are kept in pieces. */
const LONG = 1024 * 1024;

/** White space that MIME puts between the lines of base64. */
const LINE_BREAKS = /[\r\n\t ]+/g;
const NOT_BASE64 = /[^\w+/-]/;
const PADDING = /={1,2}$/;
const ENDS_IN_HALF = /[\uD800-\uDBFF]$/;

/**
 * A text of many megabytes, as the content of a file may be. It is never one string: to make one of its pieces, or to
 * turn one into bytes, would hold the event loop for a tenth of a second and more.
 */
export class LongText {
  constructor(
    private readonly pieces: readonly string[],
    /** Has no half of a surrogate pair and no NUL. */
    readonly isWellFormed: boolean,
  ) {}

  /** In UTF-16 units. */
  get length(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The whole as one string, at that price. */
  toString(): string {
    return this.pieces.join('');
  }

  /** The bytes that the text stands for; the same as Buffer.from gives, other requests are served in between. */
  async bytes(encoding: 'utf8' | 'base64'): Promise<Buffer> {
    if (encoding === 'base64') return this.decoded();
    const pieces: Buffer[] = [];
    await this.eachInSlices((piece) => pieces.push(Buffer.from(piece, 'utf8')));
    return joined(pieces);
  }

  private async decoded(): Promise<Buffer> {
    const base64 = new Base64Pieces();
    await this.eachInSlices((piece, isLast) => base64.add(piece, isLast));
    // What else may stand in it, and where it then ends, Buffer.from alone knows.
    return base64.isPlain ? joined(base64.bytes) : Buffer.from(this.toString(), 'base64');
  }

  private async eachInSlices(work: (piece: string, isLast: boolean) => void): Promise<void> {
    const slices = new TimeSlices();
    for (const [index, piece] of this.pieces.entries()) {
      if (slices.isOver(piece.length)) await slices.rest();
      work(piece, index === this.pieces.length - 1);
    }
  }
}

/** Base64 decoded piece by piece, for as long as it is plain: the alphabet and line breaks alone, but for its end. */
class Base64Pieces {
  readonly bytes: Buffer[] = [];
  isPlain = true;
  private rest = '';

  add(piece: string, isLast: boolean): void {
    const text = this.rest + piece.replace(LINE_BREAKS, '');
    const letters = text.length - (PADDING.exec(text)?.[0].length ?? 0);
    this.isPlain &&= isLast || !NOT_BASE64.test(text.slice(0, letters));
    if (!this.isPlain) return;
    // Four letters make three bytes: what is left over, the padding as well, waits for the next piece.
    const whole = isLast ? text.length : letters - (letters % 4);
    this.rest = text.slice(whole);
    this.bytes.push(Buffer.from(text.slice(0, whole), 'base64'));
  }
}

/** Gathers the pieces of a text whose length is not known yet. */
export class TextPieces {
  private readonly pieces: string[] = [];
  private half = '';
  private length = 0;
  private isWellFormed = true;

  /** No piece will end between the halves of a surrogate pair. */
  add(text: string): void {
    const piece = this.half + text;
    this.half = ENDS_IN_HALF.exec(piece)?.[0] ?? '';
    const whole = piece.slice(0, piece.length - this.half.length);
    if (whole !== '') this.pieces.push(whole);
    this.length += text.length;
    this.isWellFormed &&= !whole.includes('\0') && toUSVString(whole) === whole;
  }

  /** The text, as a string unless it is long. */
  end(): string | LongText {
    const pieces = this.half === '' ? this.pieces : [...this.pieces, this.half];
    return this.length <= LONG
      ? pieces.join('')
      : new LongText(pieces, this.isWellFormed && this.half === '');
  }
}

/** Copies into memory that was asked for at once; a mebibyte takes well under a millisecond. */
async function joined(pieces: readonly Buffer[]): Promise<Buffer> {
  const slices = new TimeSlices();
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    if (slices.isOver(piece.length)) await slices.rest();
    at += piece.copy(whole, at);
  }
  return whole;
}
