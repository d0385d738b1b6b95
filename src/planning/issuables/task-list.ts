/** A line of a list with a box: "- [ ] write it down", "1. [x] done". */
const TASK = /^[ \t]*(?:>[ \t]*)*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S[^\r\n]*)/gm;
/** The same without its text, for whoever only counts: an eighth of the time where there are many. */
const BOX = /^[ \t]*(?:>[ \t]*)*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+\S/gm;
const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm;

export interface Task {
  readonly text: string;
  readonly isDone: boolean;
}

/** The tasks that a text lists, in its order; what stands in fenced code is none. */
export function tasksIn(text: string | null): Task[] {
  return [...outsideOfCode(text).matchAll(TASK)].map(([, box, task]) => ({
    text: task?.trimEnd() ?? '',
    isDone: box !== ' ',
  }));
}

/** How many tasks a text lists, and how many of them are done. */
export interface TaskCounts {
  readonly count: number;
  readonly completed_count: number;
}

/** As many as `tasksIn` finds. */
export function countTasks(text: string | null): TaskCounts {
  const counts = { count: 0, completed_count: 0 };
  for (const [, box] of outsideOfCode(text).matchAll(BOX)) {
    counts.count += 1;
    if (box !== ' ') counts.completed_count += 1;
  }
  return counts;
}

/** "2 of 3 tasks completed". */
export const taskStatus = ({ count, completed_count: done }: TaskCounts): string =>
  `${done} of ${count} ${count === 1 ? 'task' : 'tasks'} completed`;

/** Nothing of a text that has no box. */
function outsideOfCode(text: string | null): string {
  if (text === null || !text.includes('[')) return '';
  return text.replace(FENCED, '');
}

/** Tasks that are the same by their place and text and were ticked or unticked, as they are now. */
export function changedTasks(before: string | null, after: string | null): Task[] {
  const old = tasksIn(before);
  return tasksIn(after).filter((task, index) => {
    const was = old[index];
    return was?.text === task.text && was.isDone !== task.isDone;
  });
}
