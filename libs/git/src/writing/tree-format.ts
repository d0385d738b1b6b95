import type { Sha } from '../git';
import type { TimeSlices } from './time-slices';

/** The tree without entries; git knows it even where no such object exists. */
export const EMPTY_TREE: Sha = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export const DIRECTORY_MODE = '40000';
export const SYMLINK_MODE = '120000';
export const SUBMODULE_MODE = '160000';
export const FILE_MODE = '100644';
export const EXECUTABLE_MODE = '100755';

/** What a name stands for in a directory; `mode` in octal without leading zeros. */
export interface TreeItem {
  readonly mode: string;
  readonly sha: Sha;
}

export interface NamedItem extends TreeItem {
  /** The name's bytes, one character each (latin1): names need not be UTF-8, and compare as git compares them. */
  readonly name: string;
}

const SPACE = 0x20;
const SHA_BYTES = 20;

/** The entries of a tree object in their order. Throws Error when the bytes are no tree. */
export async function parseTree(body: Buffer, slices: TimeSlices): Promise<NamedItem[]> {
  const items: NamedItem[] = [];
  let at = 0;
  while (at < body.length) {
    if (slices.isOver()) await slices.rest();
    const space = body.indexOf(SPACE, at);
    const end = body.indexOf(0, space + 1);
    const next = end + 1 + SHA_BYTES;
    if (space < 0 || end < 0 || next > body.length) throw new Error('a tree object is damaged');
    items.push({
      // Old tools padded modes with zeros; git drops them whenever it writes a tree again.
      mode: body.toString('latin1', at, space).replace(/^0+/, ''),
      name: body.toString('latin1', space + 1, end),
      sha: body.toString('hex', end + 1, next),
    });
    at = next;
  }
  return items;
}

/** A tree object's body; the items must be in git's order. */
export async function treeBody(items: readonly NamedItem[], slices: TimeSlices): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (const item of items) {
    if (slices.isOver()) await slices.rest();
    pieces.push(Buffer.from(`${item.mode} ${item.name}\0`, 'latin1'), Buffer.from(item.sha, 'hex'));
  }
  return Buffer.concat(pieces);
}

/** git's order within a tree: by bytes, a directory as if its name ended in a slash. */
export function compareItems(a: NamedItem, b: NamedItem): number {
  const left = sortKey(a);
  const right = sortKey(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function sortKey(item: NamedItem): string {
  return item.mode === DIRECTORY_MODE ? `${item.name}/` : item.name;
}
