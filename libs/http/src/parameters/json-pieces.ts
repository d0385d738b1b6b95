import { randomBytes } from 'node:crypto';
import { DomainError } from '#libs/errors';
import { type LongText, TextPieces } from './long-text';
import { isBag, type ParameterValue } from './values';

/** Strings of more characters are cut out, so that the parser sees a stand-in for them. */
const CUT_FROM = 256;
/** A cut-out string is unescaped in pieces of so many characters. */
const PIECE = 64 * 1024;
/** What is left of a body without its long strings and its white space; takes the parser some 20 ms at most. */
const MOST_LEFT = 16 * 1024 * 1024;

const WHITE_SPACE = /[ \t\n\r]+/g;

const parse: (text: string) => ParameterValue = JSON.parse;

/**
 * A JSON text that comes in pieces and is too long to be parsed at one stretch. Its long strings (the contents of files,
 * mostly) are cut out and unescaped while they come; what is left is short, and parsed at the end. The outcome is that
 * of JSON.parse, but for strings of more than a mebibyte, which become LongTexts. Names are never cut.
 */
export class JsonPieces {
  /** Nobody can send what they cannot guess. */
  private readonly mark = randomBytes(12).toString('base64url');
  private readonly left: string[] = [];
  private leftLength = 0;
  private readonly cutOut: (string | LongText)[] = [];
  private readonly place = new JsonPlace();
  private string: JsonString | undefined;

  /**
   * Takes time in proportion to the text.
   * @throws DomainError too_large; SyntaxError for a long string that is none.
   */
  add(text: string): void {
    for (let at = 0; at < text.length;) {
      at = this.string ? this.addToString(this.string, text, at) : this.addStructure(text, at);
    }
  }

  /** The value; undefined for nothing but white space. Throws SyntaxError. */
  end(): ParameterValue | undefined {
    if (this.string) this.keep('"');
    const left = this.left.join('');
    if (left.trim() === '') return undefined;
    const value = parse(left);
    return this.cutOut.length === 0 ? value : this.restored(value);
  }

  private addStructure(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const structure = text.slice(at, end).replace(WHITE_SPACE, ' ');
    this.place.follow(structure);
    this.keep(structure);
    if (quote >= 0) this.string = new JsonString();
    return end + 1;
  }

  private addToString(string: JsonString, text: string, at: number): number {
    const quote = string.endIn(text, at);
    string.add(text.slice(at, quote < 0 ? text.length : quote));
    if (this.place.isName) this.requireRoom(string.raw.length);
    else string.unescapeWhole();
    if (quote < 0) return text.length;
    this.keep(string.pieces ? this.standIn(string.end()) : `"${string.raw}"`);
    this.string = undefined;
    return quote + 1;
  }

  private standIn(text: string | LongText): string {
    return `"${this.mark}${this.cutOut.push(text) - 1}"`;
  }

  private keep(text: string): void {
    this.requireRoom(text.length);
    this.left.push(text);
    this.leftLength += text.length;
  }

  private requireRoom(length: number): void {
    if (this.leftLength + length > MOST_LEFT) throw new DomainError({ kind: 'too_large' });
  }

  /** The same value with the strings in the places of their stand-ins. Nesting is bounded before. */
  private restored(value: ParameterValue): ParameterValue {
    if (typeof value === 'string') {
      if (!value.startsWith(this.mark)) return value;
      return this.cutOut[Number(value.slice(this.mark.length))] ?? value;
    }
    if (Array.isArray(value)) return value.map((element) => this.restored(element));
    if (!isBag(value)) return value;
    for (const [name, element] of Object.entries(value)) {
      const restored = this.restored(element);
      // Not by assignment, which "__proto__" would take for another thing.
      if (restored !== element) Reflect.defineProperty(value, name, { value: restored });
    }
    return value;
  }
}

/** Whether the next string is a name. Does not judge the grammar: the parser will. */
class JsonPlace {
  private readonly isHash: boolean[] = [];
  isName = false;

  follow(structure: string): void {
    for (const character of structure) {
      if (character === '{' || character === '[') this.isHash.push(character === '{');
      else if (character === '}' || character === ']') this.isHash.pop();
      if (character === '{' || character === ',') this.isName = this.isHash.at(-1) ?? false;
      else if (character === ':' || character === '[') this.isName = false;
    }
  }
}

/** The inside of a string, as it stands in the text. */
class JsonString {
  /** What has not been unescaped. */
  raw = '';
  /** What has been, once the string has turned out to be long. */
  pieces: TextPieces | undefined;
  /** The next character belongs to an escape. */
  private isInEscape = false;
  /** Where the last escape in `raw` begins. */
  private lastEscape = -1;

  /** Where the closing quotation mark is; -1 when it is not in this text. */
  endIn(text: string, from: number): number {
    const special = /["\\]/g;
    special.lastIndex = this.isInEscape ? from + 1 : from;
    this.isInEscape = false;
    for (let found = special.exec(text); found; found = special.exec(text)) {
      if (found[0] === '"') return found.index;
      this.lastEscape = this.raw.length + found.index - from;
      special.lastIndex += 1;
      this.isInEscape = special.lastIndex > text.length;
      if (this.isInEscape) break;
    }
    return -1;
  }

  add(text: string): void {
    this.raw += text;
  }

  /** Unescapes whole pieces of what is there. Throws SyntaxError. */
  unescapeWhole(): void {
    if (this.raw.length < (this.pieces ? PIECE : CUT_FROM)) return;
    const end = this.endsInEscape ? this.lastEscape : this.raw.length;
    this.unescape(end);
  }

  /** The string's value. Throws SyntaxError. */
  end(): string | LongText {
    this.unescape(this.raw.length);
    return this.pieces?.end() ?? '';
  }

  private unescape(end: number): void {
    this.pieces ??= new TextPieces();
    const text = parse(`"${this.raw.slice(0, end)}"`);
    if (typeof text === 'string') this.pieces.add(text);
    this.raw = this.raw.slice(end);
    this.lastEscape -= end;
  }

  private get endsInEscape(): boolean {
    if (this.lastEscape < 0) return false;
    const length = this.raw[this.lastEscape + 1] === 'u' ? 6 : 2;
    return this.lastEscape + length > this.raw.length;
  }
}
