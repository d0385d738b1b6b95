/** The part of yauzl that is used here; the package brings no types. */
declare module 'yauzl' {
  import { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';

  export interface Entry {
    readonly fileName: string;
    readonly uncompressedSize: number;
    readonly generalPurposeBitFlag: number;
    readonly compressionMethod: number;
  }

  export interface ZipFile extends EventEmitter {
    readonly entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  }

  /** Whoever extends it says how bytes are read; `end` is not among them. */
  export abstract class RandomAccessReader extends EventEmitter {
    abstract _readStreamForRange(start: number, end: number): Readable;
    read(
      target: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error?: unknown) => void,
    ): void;
  }

  export function fromRandomAccessReaderPromise(
    reader: RandomAccessReader,
    totalSize: number,
    options: { autoClose: boolean; strictFileNames?: boolean },
  ): Promise<ZipFile>;
}
