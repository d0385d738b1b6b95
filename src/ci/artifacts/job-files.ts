import { randomBytes } from 'node:crypto';
import { open, mkdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { hashedDiskPath } from '../../repository/repository.api';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';

/** Whose files they are. */
export interface JobReference {
  readonly id: number;
  readonly projectId: number;
}

const OWN_ALONE = { folder: 0o700, file: 0o600 } as const;
const NAME_BYTES = 16;

/**
 * Where logs and artifacts lie: a folder for each job below its project's uploads, so that they go with the project.
 * No user's text is part of a path. Places are relative to the root.
 */
@Injectable()
export class JobFiles {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'uploadsDir'>) {}

  folderOf({ id, projectId }: JobReference): string {
    return path.join(hashedDiskPath(projectId), 'jobs', String(id));
  }

  traceOf(job: JobReference): string {
    return path.join(this.folderOf(job), 'trace');
  }

  /** A place that no file has had before: what still removes an old one never meets a new one. */
  newPlace(job: JobReference): string {
    return path.join(this.folderOf(job), randomBytes(NAME_BYTES).toString('hex'));
  }

  /** Copies a file in; at its place it is whole, or not there. */
  async take(place: string, from: string): Promise<void> {
    const file = this.fileAt(place);
    const part = `${file}.part`;
    await mkdir(path.dirname(file), { recursive: true, mode: OWN_ALONE.folder });
    try {
      await pipeline(
        createReadStream(from),
        createWriteStream(part, { flags: 'wx', mode: OWN_ALONE.file, flush: true }),
      );
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Writes bytes at an offset of a file that is made when it is not there. */
  async write(place: string, bytes: Buffer, offset: number): Promise<void> {
    const file = this.fileAt(place);
    await mkdir(path.dirname(file), { recursive: true, mode: OWN_ALONE.folder });
    // Not "a": the system would write at the end whatever the offset says. What lies beyond it is nobody's.
    const handle = await openOrMake(file);
    try {
      await handle.truncate(offset);
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written);
        written += bytesWritten;
      }
    } finally {
      await handle.close();
    }
  }

  /** For reading; null where there is none. The caller closes it. */
  async open(place: string): Promise<FileHandle | null> {
    try {
      return await open(this.fileAt(place), 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** A file, or a folder and all in it; nothing where there is none. */
  async remove(place: string): Promise<void> {
    await rm(this.fileAt(place), { recursive: true, force: true });
  }

  /** Absolute. Throws for what would lie outside of the jobs' folders. */
  private fileAt(place: string): string {
    const file = path.join(this.settings.uploadsDir, place);
    if (!/[/\\]jobs[/\\]\d+(?:[/\\][0-9a-z]+)?$/.test(file)) throw new Error(`no place of a job: ${place}`);
    return file;
  }
}

async function openOrMake(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r+', OWN_ALONE.file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return open(file, 'w+', OWN_ALONE.file);
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
