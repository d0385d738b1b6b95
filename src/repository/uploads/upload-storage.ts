import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { hashedDiskPath } from '../storages/storages';

export interface StoredUpload {
  readonly projectId: number;
  readonly secret: string;
}

const OWN_ALONE = { folder: 0o700, file: 0o600 } as const;

/** Where the files lie: a folder for each project, each file under its secret. No user's text is part of a path. */
@Injectable()
export class UploadStorage {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'uploadsDir'>) {}

  /** Absolute: what `pathOf` counts from. */
  get root(): string {
    return this.settings.uploadsDir;
  }

  /** Relative to the root. */
  pathOf({ projectId, secret }: StoredUpload): string {
    return path.join(hashedDiskPath(projectId), secret);
  }

  /** Copies a file in, beside the place where it will be: half a file is never taken for one. */
  async take(upload: StoredUpload, from: string): Promise<void> {
    const part = this.partOf(upload);
    await mkdir(path.dirname(part), { recursive: true, mode: OWN_ALONE.folder });
    await pipeline(
      createReadStream(from),
      createWriteStream(part, { flags: 'wx', mode: OWN_ALONE.file, flush: true }),
    );
  }

  /**
   * As take, for a file that is here under another name: what is stored never changes, so that both names may be of the
   * same bytes, and nobody fills the disk by moving things to and fro. Each name is removed by itself.
   */
  async share(upload: StoredUpload, from: StoredUpload): Promise<void> {
    const part = this.partOf(upload);
    await mkdir(path.dirname(part), { recursive: true, mode: OWN_ALONE.folder });
    try {
      await link(this.locate(from), part);
    } catch (error) {
      if (!isUnlinkable(error)) throw error;
      await this.take(upload, this.locate(from));
    }
  }

  /** Puts what was taken in its place, to stay there. */
  async settle(upload: StoredUpload): Promise<void> {
    const file = this.locate(upload);
    await rename(this.partOf(upload), file);
    await syncFolder(path.dirname(file));
  }

  /** Whole or half; nothing where there is neither. */
  async remove(upload: StoredUpload): Promise<void> {
    await rm(this.partOf(upload), { force: true });
    await rm(this.locate(upload), { force: true });
  }

  async removeAll(projectId: number): Promise<void> {
    await rm(path.join(this.root, hashedDiskPath(projectId)), { recursive: true, force: true });
  }

  /** Where a whole file lies. */
  locate(upload: StoredUpload): string {
    return path.join(this.root, this.pathOf(upload));
  }

  private partOf(upload: StoredUpload): string {
    return `${this.locate(upload)}.part`;
  }
}

/** Not every file system has two names for a file, nor any number of them. */
const UNLINKABLE: ReadonlySet<unknown> = new Set(['EMLINK', 'ENOTSUP', 'EPERM', 'EXDEV']);
const isUnlinkable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNLINKABLE.has(error.code);

/** A new name is on the disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
