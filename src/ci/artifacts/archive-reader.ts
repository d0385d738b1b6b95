import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const BLOCK_BYTES = 64 * 1024;

/**
 * An archive on the disk, read block by block: its directory is asked for in scraps of some fifty bytes, of which
 * hostile archives have hundreds of thousands. The handle stays its owner's.
 */
export class ArchiveReader extends RandomAccessReader {
  private block: Buffer = Buffer.alloc(0);
  /** Where in the file the block begins. */
  private blockStart = 0;

  constructor(private readonly archive: FileHandle) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.archive.createReadStream({ start, end: end - 1, autoClose: false });
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error?: unknown) => void,
  ): void {
    this.reach(position, length).then((start) => {
      this.block.copy(target, offset, start, start + length);
      done();
    }, done);
  }

  /** Where in the block these bytes are. Throws where the file has no such. */
  private async reach(position: number, length: number): Promise<number> {
    const start = position - this.blockStart;
    if (start >= 0 && start + length <= this.block.length) return start;
    const wanted = Math.max(length, BLOCK_BYTES);
    const { buffer, bytesRead } = await this.archive.read(Buffer.alloc(wanted), 0, wanted, position);
    if (bytesRead < length) throw new Error('the archive ends before its directory says so');
    this.block = buffer.subarray(0, bytesRead);
    this.blockStart = position;
    return 0;
  }
}
