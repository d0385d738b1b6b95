import type { FileDiff } from '../git';
import { parseRawLine, type DiffEntry } from './diff-entries';
import type { LineTaker } from './line-answer';

export interface DiffLimits {
  /** Bytes of one file's text; above, the text is left out. */
  readonly perFile: number;
  /** Bytes of all texts; files after it is reached are left without. */
  readonly whole: number;
}

interface Patch {
  text: string;
  bytes: number;
  isBinary: boolean;
  isTooLarge: boolean;
}

const PATCH_START = 'diff --git ';
const HUNK_START = '@@';
const BINARY = 'Binary files ';

/**
 * Takes `diff-tree --raw -p`: raw lines, a blank line, then one patch for each. Every line inside a hunk begins with
 * one of " +-\\@" and paths are quoted in headers, so no content can pass for the start of a patch.
 */
export class PatchTaker implements LineTaker<FileDiff[]> {
  private readonly entries: DiffEntry[] = [];
  private readonly patches: Patch[] = [];
  private isInText = false;
  private kept = 0;

  constructor(private readonly limits: DiffLimits) {}

  take(line: string, bytes: number): void {
    if (this.patches.length === 0 && line.startsWith(':')) this.entries.push(...parseRawLine(line));
    else if (line.startsWith(PATCH_START)) this.begin();
    else this.takePatchLine(line, bytes);
  }

  result(): FileDiff[] {
    if (this.patches.length !== this.entries.length)
      throw new Error('patches do not match the list of files');
    return this.entries.map((entry, index) => ({ ...entry, ...publicPart(this.patches[index]) }));
  }

  private begin(): void {
    this.isInText = false;
    this.patches.push({ text: '', bytes: 0, isBinary: false, isTooLarge: false });
  }

  private takePatchLine(line: string, bytes: number): void {
    const patch = this.patches[this.patches.length - 1];
    if (patch === undefined) return; // the line that names the trees, the blank line before the patches
    if (!this.isInText) {
      patch.isBinary = line.startsWith(BINARY);
      this.isInText = patch.isBinary || line.startsWith(HUNK_START);
    }
    if (this.isInText) this.add(patch, line, bytes);
  }

  private add(patch: Patch, line: string, bytes: number): void {
    if (patch.isTooLarge) return;
    patch.bytes += bytes;
    this.kept += bytes;
    if (patch.bytes <= this.limits.perFile && this.kept <= this.limits.whole) {
      patch.text += `${line}\n`;
      return;
    }
    this.kept -= patch.bytes;
    patch.text = '';
    patch.isTooLarge = true;
  }
}

function publicPart(patch: Patch | undefined): Pick<FileDiff, 'text' | 'isBinary' | 'isTooLarge'> {
  const { text = '', isBinary = false, isTooLarge = false } = patch ?? {};
  return { text, isBinary, isTooLarge };
}
