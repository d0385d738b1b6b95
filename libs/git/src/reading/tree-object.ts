import { isUtf8 } from 'node:buffer';
import type { ParsedTree, ParsedTreeEntry } from '../caches/engine-caches';
import type { EntryType } from '../git';

/** git knows this object without storing it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const SHA_BYTES = 20;
/** What decoding puts in the place of bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';

/** Parses a tree object: "<mode> <name>\0<20 bytes>" again and again. Throws RangeError when it is damaged. */
export function parseTree(content: Buffer): ParsedTree {
  const entries: ParsedTreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const blank = content.indexOf(0x20, at);
    const nul = content.indexOf(0, blank);
    const end = nul + 1 + SHA_BYTES;
    if (blank < 0 || nul < 0 || end > content.length) throw new RangeError('a damaged tree object');
    const name = content.toString('utf8', blank + 1, nul);
    entries.push({
      mode: content.toString('latin1', at, blank).padStart(6, '0'),
      name,
      isNameExact: !name.includes(REPLACEMENT) || isUtf8(content.subarray(blank + 1, nul)),
      sha: content.toString('hex', nul + 1, end),
    });
    at = end;
  }
  return { entries, size: content.length };
}

/** What a mode of a tree entry stands for. */
export function entryType(mode: string): EntryType {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}
