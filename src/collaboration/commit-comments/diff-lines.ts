import type { LineType } from './commit-comment.entity';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Whether a unified diff shows the line of that number on that side, changed or as context. */
export function diffShowsLine(diff: string, line: number, side: LineType): boolean {
  let oldLine = 0;
  let newLine = 0;
  for (const text of diff.split('\n')) {
    const [, oldStart, newStart] = HUNK.exec(text) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      oldLine = Number(oldStart) - 1;
      newLine = Number(newStart) - 1;
      continue;
    }
    const isOld = text.startsWith(' ') || text.startsWith('-');
    const isNew = text.startsWith(' ') || text.startsWith('+');
    if (isOld) oldLine += 1;
    if (isNew) newLine += 1;
    if (side === 'new' ? isNew && newLine === line : isOld && oldLine === line) return true;
  }
  return false;
}
