import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/** What an entry says of itself where that is not the truth. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string;
  /** Of the unpacked file, as the archive has it. */
  readonly claimedSize?: number;
  /** Default: stored as it is. */
  readonly deflated?: boolean;
}

/** A zip archive, made by hand so that it may lie. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize, deflated = false } of entries) {
    const [fileName, bytes] = [Buffer.from(name), Buffer.from(content)];
    const packed = deflated ? deflateRawSync(bytes) : bytes;
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(deflated ? DEFLATED : 0, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimedSize ?? bytes.length, 18);
    facts.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, fileName, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, facts, place, fileName]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
