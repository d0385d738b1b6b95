import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Sha } from '../git';
import { errorCode, forEachParallel, makeDirectory, syncDirectory } from './durable-files';

const FAN_OUT = /^[0-9a-f]{2}$/;
const REST_OF_SHA = /^[0-9a-f]{38}$/;

/** Where a command of git writes its objects until it is known whether they are wanted. */
export class Quarantine {
  private constructor(
    private readonly objectsDirectory: string,
    readonly directory: string,
  ) {}

  /** `repository` is the absolute path of a bare repository. */
  static async open(repository: string): Promise<Quarantine> {
    const objects = path.join(repository, 'objects');
    // git's prune clears away folders of this name that a crash left behind.
    const directory = path.join(objects, `tmp_objdir-merge-${randomBytes(9).toString('hex')}`);
    await mkdir(directory, { mode: 0o700 });
    return new Quarantine(objects, directory);
  }

  /** For a command that reads the repository's objects and writes here. */
  get environment(): Record<string, string> {
    return {
      GIT_OBJECT_DIRECTORY: this.directory,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listed(this.objectsDirectory),
    };
  }

  /** Moves the loose objects into the repository, but for `except`; durable when it returns. */
  async release(except: ReadonlySet<Sha>): Promise<void> {
    const shas = (await this.#held()).filter((sha) => !except.has(sha));
    const touched = new Set<string>();
    await forEachParallel(shas, async (sha) => {
      const [folder, name] = [sha.slice(0, 2), sha.slice(2)];
      const file = path.join(this.directory, folder, name);
      const target = path.join(this.objectsDirectory, folder);
      await flush(file);
      if (await moveInto(target, file, name)) touched.add(this.objectsDirectory);
      touched.add(target);
    });
    await forEachParallel([...touched], syncDirectory);
  }

  /** Removes what is left. */
  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  async #held(): Promise<Sha[]> {
    const folders = (await readdir(this.directory)).filter((name) => FAN_OUT.test(name));
    const shas: Sha[] = [];
    for (const folder of folders) {
      const names = await readdir(path.join(this.directory, folder));
      shas.push(...names.filter((name) => REST_OF_SHA.test(name)).map((name) => folder + name));
    }
    return shas;
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Answers whether the folder had to be made. A repack may remove an empty folder at any time. */
async function moveInto(folder: string, file: string, name: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const isNewFolder = await makeDirectory(folder);
    try {
      await rename(file, path.join(folder, name));
      return isNewFolder;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || attempt === 5) throw error;
    }
  }
}

/** git splits the list at colons, and reads an entry in double quotes as a C string. */
function listed(directory: string): string {
  return /[:"]/.test(directory) ? JSON.stringify(directory) : directory;
}
