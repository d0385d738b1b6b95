import type { FileDiff } from '../git';
import { unquotePath } from './quoted-path';

/** What a raw line of diff-tree says about one file. */
export type DiffEntry = Omit<FileDiff, 'isBinary' | 'text' | 'isTooLarge'>;

const RAW_LINE = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/;
const NO_MODE = /^0+$/;

/**
 * Parses ":<old mode> <new mode> <old sha> <new sha> <status>\t<path>[\t<new path>]".
 * A change of type (a file that becomes a link) has one raw line but two patches: it comes out as a deleted and a
 * new file. Throws RangeError for anything else.
 */
export function parseRawLine(line: string): DiffEntry[] {
  const [fields = '', oldName, newName = oldName] = line.split('\t');
  const [, oldMode = '', newMode = '', status] = RAW_LINE.exec(fields) ?? [];
  if (status === undefined || oldName === undefined || newName === undefined)
    throw new RangeError('a raw line');
  const entry = entryOf(unquotePath(oldName), unquotePath(newName), shortMode(oldMode), shortMode(newMode));
  if (status === 'T') return [deletion(entry), creation(entry)];
  return [{ ...entry, isNew: status === 'A', isDeleted: status === 'D', isRenamed: status === 'R' }];
}

function entryOf(oldPath: string, newPath: string, oldMode: string, newMode: string): DiffEntry {
  return { oldPath, newPath, oldMode, newMode, isNew: false, isDeleted: false, isRenamed: false };
}

const deletion = (entry: DiffEntry): DiffEntry => ({ ...entry, newMode: '0', isDeleted: true });
const creation = (entry: DiffEntry): DiffEntry => ({ ...entry, oldMode: '0', isNew: true });
const shortMode = (mode: string): string => (NO_MODE.test(mode) ? '0' : mode);
