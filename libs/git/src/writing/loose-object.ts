import path from 'node:path';
import { compressed } from './compression';
import { errorCode, forEachParallel, makeDirectory, syncDirectory, writeInPlace } from './durable-files';
import { objectHeader, type NewObject } from './object-format';

/** How often a folder may vanish between its making and its use; only a repack removes empty ones. */
const FOLDER_ATTEMPTS = 5;

/**
 * Writes each object as a loose file and returns when all of them are durable: every file flushed, then every folder
 * that got one, once. An object that exists already is written again, for its new time stamp keeps a concurrent prune
 * from taking it. Without `flush` nothing is durable: for objects that are to be thrown away.
 */
export async function writeLooseObjects(
  objectsDirectory: string,
  objects: readonly NewObject[],
  { flush } = { flush: true },
): Promise<void> {
  const touched = new Set<string>();
  await forEachParallel(objects, async (object) => {
    const folder = path.join(objectsDirectory, object.sha.slice(0, 2));
    const isNewFolder = await writeInFolder(folder, object, flush);
    touched.add(folder);
    if (isNewFolder) touched.add(objectsDirectory);
  });
  if (flush) await forEachParallel([...touched], syncDirectory);
}

/** Answers whether the folder had to be made. */
async function writeInFolder(folder: string, object: NewObject, flush: boolean): Promise<boolean> {
  const parts = [objectHeader(object.type, object.body.length), object.body];
  let isNewFolder = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeInPlace(path.join(folder, object.sha.slice(2)), await compressed(parts), {
        mode: 0o444,
        flush,
        // git's prune clears away files of this name that a crash left behind.
        temporaryPrefix: 'tmp_obj_',
      });
      return isNewFolder;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || attempt === FOLDER_ATTEMPTS) throw error;
      await makeDirectory(folder);
      isNewFolder = true;
    }
  }
}
