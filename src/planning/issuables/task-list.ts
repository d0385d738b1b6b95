/** A line of a list with a box: "- [ ] write it down", "1. [x] done". */
const TASK = /^[ \t]*(?:>[ \t]*)*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S[^\r\n]*)/gm;
const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm;

export interface Task {
  readonly text: string;
  readonly isDone: boolean;
}

/** The tasks that a text lists, in its order; what stands in fenced code is none. */
export function tasksIn(text: string | null): Task[] {
  if (text === null || !text.includes('[')) return [];
  return [...text.replace(FENCED, '').matchAll(TASK)].map(([, box, task]) => ({
    text: task?.trimEnd() ?? '',
    isDone: box !== ' ',
  }));
}

/** How many tasks there are, and how many are done. */
export function taskCompletion(tasks: readonly Task[]): { count: number; completed_count: number } {
  return { count: tasks.length, completed_count: tasks.filter(({ isDone }) => isDone).length };
}

/** "2 of 3 tasks completed". */
export function taskStatus(tasks: readonly Task[]): string {
  const { count, completed_count: done } = taskCompletion(tasks);
  return `${done} of ${count} ${count === 1 ? 'task' : 'tasks'} completed`;
}

/** Tasks that are the same by their place and text and were ticked or unticked, as they are now. */
export function changedTasks(before: string | null, after: string | null): Task[] {
  const old = tasksIn(before);
  return tasksIn(after).filter((task, index) => {
    const was = old[index];
    return was?.text === task.text && was.isDone !== task.isDone;
  });
}
