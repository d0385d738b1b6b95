import type { LineType } from './diff-position';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A line of a diff: numbered on the side that it is on, on both where it is unchanged. */
export interface DiffLine {
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** Whether a unified diff shows that line, and as what the numbers say it is: added, removed or unchanged. */
export function diffHasLine(diff: string, { oldLine, newLine }: DiffLine): boolean {
  return findLine(diff, (line) => line.oldLine === oldLine && line.newLine === newLine) !== null;
}

/** The line of that number on that side, changed or as context; null where a unified diff does not show it. */
export const diffLineAt = (diff: string, number: number, side: LineType): DiffLine | null =>
  findLine(diff, (line) => (side === 'new' ? line.newLine : line.oldLine) === number);

function findLine(diff: string, isIt: (line: DiffLine) => boolean): DiffLine | null {
  let nextOld = 0;
  let nextNew = 0;
  for (const text of diff.split('\n')) {
    const [, oldStart, newStart] = HUNK.exec(text) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      nextOld = Number(oldStart);
      nextNew = Number(newStart);
      continue;
    }
    const mark = text.charAt(0);
    const isOld = mark === ' ' || mark === '-';
    const isNew = mark === ' ' || mark === '+';
    const line = { oldLine: isOld ? nextOld : null, newLine: isNew ? nextNew : null };
    if ((isOld || isNew) && isIt(line)) return line;
    if (isOld) nextOld += 1;
    if (isNew) nextNew += 1;
  }
  return null;
}
