import type { FileHandle } from 'node:fs/promises';
import { pipeline, PassThrough, type Readable } from 'node:stream';
import { DomainError } from '#libs/errors';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import { ArchiveReader } from './archive-reader';

/** One file out of an archive. */
export interface ArchivedFile {
  readonly bytes: Readable;
  /** Unpacked. The stream fails where an archive lies about it. */
  readonly size: number;
}

/** Archives with more entries are not searched. */
const MOST_ENTRIES = 100_000;
/** Unpacked: archives may hold files that are a thousand times larger than themselves. */
const MOST_BYTES = 512 * 1024 * 1024;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** A path within an archive that can name a file there: no way out of it, and no folder. */
export const isArchivePath = (path: string): boolean =>
  path !== '' &&
  !path.includes('\0') &&
  !path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');

/**
 * Streams one file of a zip archive; null where it has none of this path, or is no zip that can be read. Closes the
 * handle in the end. Throws `too_large`.
 */
export async function openArchivedFile(archive: FileHandle, path: string): Promise<ArchivedFile | null> {
  const passed = new PassThrough();
  const close = (): void => void archive.close();
  try {
    const zip = await opened(archive);
    const entry = zip && (await tried(() => search(zip, path)));
    const bytes = zip && entry && (await tried(() => streamOf(zip, entry)));
    if (!entry || !bytes) {
      close();
      return null;
    }
    // Whether it was read to its end, failed or was given up, the archive is closed.
    pipeline(bytes, passed, close);
    return { bytes: passed, size: entry.uncompressedSize };
  } catch (error) {
    close();
    throw error;
  }
}

const opened = (archive: FileHandle): Promise<ZipFile | null> =>
  tried(async () => {
    const { size } = await archive.stat();
    return fromRandomAccessReaderPromise(new ArchiveReader(archive), size, { autoClose: false });
  });

async function search(zip: ZipFile, path: string): Promise<Entry | null> {
  if (zip.entryCount > MOST_ENTRIES) return null;
  for await (const entry of zip.eachEntry()) if (entry.fileName === path) return entry;
  return null;
}

async function streamOf(zip: ZipFile, entry: Entry): Promise<Readable | null> {
  const isReadable = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED;
  if (!isReadable || (entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return null;
  if (entry.uncompressedSize > MOST_BYTES) throw new DomainError({ kind: 'too_large' });
  return zip.openReadStreamPromise(entry);
}

/** What users pack may be broken in every way: then there is no such file. Our own refusals go on. */
async function tried<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    return null;
  }
}
