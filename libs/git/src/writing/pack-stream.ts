import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { NewObject, ObjectType } from './object-format';
import type { TimeSlices } from './time-slices';

const compress = promisify(deflate);

const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Objects compressed at a time: enough to keep libuv's threads busy, few enough to hold in memory. */
const WINDOW = 16;

/** The objects as one pack (version 2, no deltas), piece by piece. */
export async function* packOf(objects: readonly NewObject[], slices: TimeSlices): AsyncGenerator<Buffer> {
  const hash = createHash('sha1');
  const hashed = (piece: Buffer) => {
    hash.update(piece);
    return piece;
  };
  yield hashed(packHeader(objects.length));
  for (let at = 0; at < objects.length; at += WINDOW) {
    if (slices.isOver()) await slices.rest();
    for (const piece of await Promise.all(objects.slice(at, at + WINDOW).map(packedObject)))
      yield hashed(piece);
  }
  yield hash.digest();
}

function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

async function packedObject(object: NewObject): Promise<Buffer> {
  const body = await compress(object.body, { level: constants.Z_BEST_SPEED });
  return Buffer.concat([typeAndSize(TYPE_NUMBERS[object.type], object.body.length), body]);
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
