import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createDeflate, deflate } from 'node:zlib';

/** Bodies above this are compressed piece by piece: copying and joining them at once would hold the event loop. */
const PIECE_BYTES = 1024 * 1024;
/** git reads any level; the fastest loses little on source code. */
const SPEED = { level: constants.Z_BEST_SPEED };

const deflateAtOnce = promisify(deflate);

/** `parts` as one zlib stream, compressed on libuv's threads: one Buffer, or pieces in order when they are large. */
export async function compressed(parts: readonly Buffer[]): Promise<Buffer | AsyncIterable<Buffer>> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return size <= PIECE_BYTES ? deflateAtOnce(Buffer.concat(parts), SPEED) : compressedPieces(parts);
}

async function* compressedPieces(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* Readable.from(piecesOf(parts), { objectMode: false }).pipe(createDeflate(SPEED));
}

/** The same bytes in pieces of at most a mebibyte. */
export function* piecesOf(parts: readonly Buffer[]): Generator<Buffer> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
  }
}
