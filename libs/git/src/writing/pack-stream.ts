import { createHash } from 'node:crypto';
import { compressed, piecesOf } from './compression';
import type { NewObject, ObjectType } from './object-format';
import type { TimeSlices } from './time-slices';

const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Objects compressed at a time: enough to keep libuv's threads busy, few enough to hold in memory. */
const WINDOW = 16;

/** The objects as one pack (version 2, no deltas), piece by piece. */
export async function* packOf(objects: readonly NewObject[], slices: TimeSlices): AsyncGenerator<Buffer> {
  const hash = createHash('sha1');
  for await (const piece of piecesOfPack(objects)) {
    if (slices.isOver()) await slices.rest();
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

async function* piecesOfPack(objects: readonly NewObject[]): AsyncGenerator<Buffer> {
  yield packHeader(objects.length);
  for (let at = 0; at < objects.length; at += WINDOW) {
    const window = objects.slice(at, at + WINDOW);
    const bodies = await Promise.all(window.map(({ body }) => compressed([body])));
    for (const [i, object] of window.entries()) {
      yield typeAndSize(TYPE_NUMBERS[object.type], object.body.length);
      const body = bodies[i] ?? Buffer.alloc(0);
      yield* Buffer.isBuffer(body) ? piecesOf([body]) : body;
    }
  }
}

function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** Four bits of the size beside the type, then seven a byte, lowest first; the top bit says that more follow. */
function typeAndSize(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 0x0f);
  // Division, not shifts: sizes reach past 32 bits.
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}
