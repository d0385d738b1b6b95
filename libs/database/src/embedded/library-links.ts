import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { hasCode } from './error-code';

const LINKS_FILE = 'pg-symlinks.json';
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the library links that the npm package lists: its install script would, but npm 12 and
 * `--ignore-scripts` do not run it. A folder that may not be written keeps its state; the caller probes.
 */
export function linkLibraries(native: string): void {
  const list = path.join(native, LINKS_FILE);
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    // Both are written as "native/lib/…", also when the folder was copied under another name.
    const link = path.join(native, withoutFirst(target));
    const file = path.join(native, withoutFirst(source));
    if (!makeLink(path.relative(path.dirname(link), file), link)) return;
  }
}

const withoutFirst = (name: string): string => name.split('/').slice(1).join('/');

/** False when the folder is read-only for this account. */
function makeLink(to: string, link: string): boolean {
  try {
    symlinkSync(to, link);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return true;
    if (hasCode(error, 'EACCES', 'EROFS', 'EPERM')) return false;
    throw error;
  }
}
