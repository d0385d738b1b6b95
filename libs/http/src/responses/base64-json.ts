import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { RawAnswer } from './raw-answer';

/** Bytes that stand in a record as base64 text, too many to be held in memory. */
export interface StreamedBytes {
  /** The record's field that they fill. */
  readonly field: string;
  readonly bytes: Readable;
  /** How many `bytes` will give. */
  readonly size: number;
}

/**
 * The JSON of a flat record, its fields in their order, with one field's text streamed into it: neither memory nor the
 * event loop sees the whole. Where the headers bring no ETag it is made of the rest of the record, which then must tell
 * the bytes apart (by a digest).
 */
export function base64Json(
  record: Readonly<Record<string, unknown>>,
  { field, bytes, size }: StreamedBytes,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  const [before, after] = around(record, field);
  const body = Readable.from(pieces(before, bytes, after), { objectMode: false });
  // A generator that was never begun has no `finally` that could let go of its source.
  body.once('close', () => bytes.destroy());
  return new RawAnswer(body, {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(before) + 4 * Math.ceil(size / 3) + Buffer.byteLength(after)),
    ETag: `W/"${createHash('sha1').update(before).update(after).digest('base64url')}"`,
    ...headers,
  });
}

/** What stands before and after the text, its quotation marks included. */
function around(record: Readonly<Record<string, unknown>>, field: string): [before: string, after: string] {
  const entries = Object.entries(record);
  const position = entries.findIndex(([name]) => name === field);
  if (position < 0) throw new Error(`the record has no ${field}`);
  const json = (part: typeof entries): string => JSON.stringify(Object.fromEntries(part)).slice(1, -1);
  const [first, last] = [json(entries.slice(0, position)), json(entries.slice(position + 1))];
  return [`{${first}${first && ','}${JSON.stringify(field)}:"`, `"${last && ','}${last}}`];
}

async function* pieces(before: string, bytes: AsyncIterable<Buffer>, after: string): AsyncGenerator<string> {
  yield before;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const known = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // Three bytes make four letters: what is left over waits for the next chunk, so that padding comes at the end alone.
    const whole = known.length - (known.length % 3);
    rest = known.subarray(whole);
    if (whole > 0) yield known.toString('base64', 0, whole);
  }
  yield rest.toString('base64') + after;
}
