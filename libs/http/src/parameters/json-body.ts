import { badRequest, DomainError, invalidParameter } from '#libs/errors';
import { JSON_DEPTH_LIMIT, JSON_ELEMENT_LIMIT } from './body-limits';
import { decodedChunks } from './body-text';
import { JsonPieces } from './json-pieces';
import { TimeSlices } from './time-slices';
import type { ParameterValue } from './values';

const parse: (text: string) => ParameterValue = JSON.parse;

/** In characters: smaller bodies are parsed at one stretch. */
const LARGE = 256 * 1024;

/**
 * Reads a JSON body; undefined when it is empty. Its depth and number of values are checked piece by piece while it
 * arrives, and the long strings of a large one are taken out of it, so that the parser, which holds the event loop,
 * only ever sees what it can take in a moment. A string of more than a mebibyte comes as a LongText.
 * @throws DomainError invalid_parameter when it is malformed; bad_request when it nests too deep, holds too many
 * values or NUL, or is no UTF-8.
 */
export async function readJson(bytes: AsyncIterable<Buffer>): Promise<ParameterValue | undefined> {
  try {
    return await parsed(decodedChunks(inspected(bytes), 'utf-8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const text = 'The JSON body is malformed';
    throw new DomainError({ kind: 'invalid_parameter', text }, { cause: error });
  }
}

async function parsed(texts: AsyncIterable<string>): Promise<ParameterValue | undefined> {
  const slices = new TimeSlices();
  let beginning = '';
  let pieces: JsonPieces | undefined;
  for await (const text of texts) {
    beginning += text;
    if (beginning.length < LARGE && !pieces) continue;
    pieces ??= new JsonPieces();
    for (let at = 0; at < beginning.length; at += LARGE) {
      if (slices.isOver(LARGE)) await slices.rest();
      pieces.add(beginning.slice(at, at + LARGE));
    }
    beginning = '';
  }
  if (pieces) return pieces.end();
  return beginning.trim() === '' ? undefined : parse(beginning);
}

async function* inspected(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const shape = new JsonShape();
  for await (const chunk of bytes) {
    shape.inspect(chunk);
    yield chunk;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const NUL_ESCAPE = Buffer.from('u0000');

/** Follows the brackets, commas and strings of JSON over any cuts between chunks. Does not judge the grammar. */
class JsonShape {
  private depth = 0;
  private elements = 0;
  private isInString = false;
  /** How many bytes of an escape have been seen (1: the backslash alone); 0 outside of escapes. */
  private escape = 0;

  inspect(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (this.escape > 0) this.followEscape(byte);
      else if (!this.isInString) this.followStructure(byte);
      else if (byte === QUOTE) this.isInString = false;
      else if (byte === BACKSLASH) this.escape = 1;
    }
  }

  private followEscape(byte: number | undefined): void {
    if (byte === NUL_ESCAPE[this.escape - 1]) {
      this.escape++;
      if (this.escape > NUL_ESCAPE.length) throw badRequest('400 Bad request - null byte');
      return;
    }
    // The byte after the backslash belongs to the escape whatever it is; a later one may end the string.
    const isLater = this.escape > 1;
    this.escape = 0;
    if (isLater && byte === QUOTE) this.isInString = false;
    if (isLater && byte === BACKSLASH) this.escape = 1;
  }

  private followStructure(byte: number | undefined): void {
    if (byte === QUOTE) this.isInString = true;
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) this.open();
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) this.depth--;
    else if (byte === COMMA) this.count();
  }

  private open(): void {
    if (++this.depth > JSON_DEPTH_LIMIT) throw invalidParameter('The JSON body is nested too deep');
    this.count();
  }

  private count(): void {
    if (++this.elements > JSON_ELEMENT_LIMIT) throw invalidParameter('The JSON body has too many values');
  }
}
