import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for the files of one request, made when the first file comes. */
export class TemporaryFiles {
  private folder: Promise<string> | undefined;
  private count = 0;
  private isRemoved = false;

  constructor(private readonly parent = tmpdir()) {}

  /** Opens a new file that nobody but this process may read. */
  async create(): Promise<WriteStream> {
    if (this.isRemoved) throw new Error('the request of these temporary files is over');
    this.folder ??= mkdtemp(path.join(this.parent, 'upload-'));
    return createWriteStream(path.join(await this.folder, String(++this.count)), {
      flags: 'wx',
      mode: 0o600,
    });
  }

  /** Deletes all files. A failure becomes a process warning: the request has its answer already. */
  async remove(): Promise<void> {
    this.isRemoved = true;
    try {
      // A folder that could not be made has been reported by `create`.
      const folder = await this.folder?.catch(() => undefined);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    } catch (error) {
      process.emitWarning(`cannot delete the temporary files of a request: ${String(error)}`);
    }
  }
}
