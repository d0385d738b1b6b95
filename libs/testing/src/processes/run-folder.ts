import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { until } from './until';

/** The environment variable by which test files find the folder of this run; the teardown removes it. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

const PATIENCE_MS = 60_000;

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Of two processes that make a folder, one fails. */
const isFirst = (mark: string): Promise<boolean> =>
  mkdir(mark).then(
    () => true,
    () => false,
  );

/**
 * A folder of that name that `make` fills once in a run, whichever test file asks first; the others wait for it. Where
 * `make` fails they wait in vain. Needs Jest's global setup.
 */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const parent = process.env[RUN_FOLDER];
  if (parent === undefined) throw new Error('there is no folder of a test run');
  const folder = path.join(parent, name);
  if (await isFirst(`${folder}.taken`)) {
    const unfinished = `${folder}.making`;
    await mkdir(unfinished);
    await make(unfinished);
    await rename(unfinished, folder);
  } else await until(() => isThere(folder), PATIENCE_MS);
  return folder;
}
