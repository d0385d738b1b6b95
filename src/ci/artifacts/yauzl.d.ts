/** The part of yauzl that is used here; the package brings no types. */
declare module 'yauzl' {
  import type { EventEmitter } from 'node:events';
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

  export function fromFdPromise(
    fd: number,
    options: { autoClose: boolean; strictFileNames?: boolean },
  ): Promise<ZipFile>;
}
