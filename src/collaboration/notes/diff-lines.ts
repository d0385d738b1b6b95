const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A line of a diff: numbered on the side that it is on, on both where it is unchanged. */
export interface DiffLine {
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** Whether a unified diff shows that line, and as what the numbers say it is: added, removed or unchanged. */
export function diffHasLine(diff: string, { oldLine, newLine }: DiffLine): boolean {
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
    const isThere = (isOld ? nextOld : null) === oldLine && (isNew ? nextNew : null) === newLine;
    if ((isOld || isNew) && isThere) return true;
    if (isOld) nextOld += 1;
    if (isNew) nextNew += 1;
  }
  return false;
}
