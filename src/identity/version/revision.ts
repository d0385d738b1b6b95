import fs from 'node:fs/promises';
import path from 'node:path';

const SHORT_LENGTH = 8;
/** Farther up is no longer this package. */
const MAX_PARENTS = 6;

/** The commit that the files below `folder` were checked out from, shortened; "unknown" outside of a checkout. */
export async function revisionOf(folder: string): Promise<string> {
  const gitFolder = await findUpwards(folder, '.git');
  const head = gitFolder && (await textOf(path.join(gitFolder, 'HEAD')));
  if (!head) return 'unknown';
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  const sha = ref === undefined ? head : await shaOf(gitFolder, ref);
  return sha !== null && /^[0-9a-f]{40}/.test(sha) ? sha.slice(0, SHORT_LENGTH) : 'unknown';
}

async function shaOf(gitFolder: string, ref: string): Promise<string | null> {
  const loose = await textOf(path.join(gitFolder, ref));
  if (loose !== null) return loose;
  const packed = (await textOf(path.join(gitFolder, 'packed-refs'))) ?? '';
  return packed.split('\n').find((line) => line.endsWith(` ${ref}`)) ?? null;
}

async function findUpwards(folder: string, name: string): Promise<string | null> {
  let current = folder;
  for (let parents = 0; parents < MAX_PARENTS; parents++) {
    const candidate = path.join(current, name);
    if (
      await fs.stat(candidate).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return candidate;
    current = path.dirname(current);
  }
  return null;
}

/** Null for a file that cannot be read: then there is no revision to tell. */
const textOf = (file: string): Promise<string | null> =>
  fs.readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
