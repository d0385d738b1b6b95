import { changedTasks, markedTitles } from '../../planning/planning.api';
import type { MergeRequest } from './merge-request.entity';
import type { Sentence, ToldChange } from '../merge-request-hooks/told-change';
import { isWorkInProgress, withoutWorkInProgress } from './work-in-progress';

/** The columns that people change, as they stood before. */
export type Before = Pick<MergeRequest, 'title' | 'description' | 'targetBranch'> & {
  readonly discussionLocked: boolean | null;
};

export const beforeChange = (mergeRequest: MergeRequest): Before => ({
  title: mergeRequest.title,
  description: mergeRequest.description,
  targetBranch: mergeRequest.targetBranch,
  discussionLocked: mergeRequest.discussionLocked,
});

/** What has become of title, description, target and lock. */
export function wordingChanges(before: Before, after: MergeRequest): ToldChange {
  const parts: readonly [string, unknown, unknown, readonly Sentence[]][] = [
    ['title', before.title, after.title, titleNotes(before.title, after.title)],
    ['description', before.description, after.description, descriptionNotes(before, after)],
    ['target_branch', before.targetBranch, after.targetBranch, [branchNote(before, after)]],
    ['discussion_locked', before.discussionLocked, after.discussionLocked, lockNotes(before, after)],
  ];
  const changed = parts.filter(([, previous, current]) => previous !== current);
  return {
    notes: changed.flatMap(([, , , notes]) => notes),
    changes: Object.fromEntries(changed.map(([name, previous, current]) => [name, { previous, current }])),
  };
}

/** That it is ready, or not any more, is told by itself. */
function titleNotes(before: string, after: string): Sentence[] {
  const [was, is] = [isWorkInProgress(before), isWorkInProgress(after)];
  const notes: Sentence[] = [];
  if (was !== is)
    notes.push({ action: 'title', body: `${is ? 'marked' : 'unmarked'} as a **Work In Progress**` });
  if (withoutWorkInProgress(before) !== withoutWorkInProgress(after)) {
    const marked = markedTitles(before, after);
    notes.push({ action: 'title', body: `changed title from **${marked.before}** to **${marked.after}**` });
  }
  return notes;
}

/** Where tasks were ticked, that is told and nothing else. */
function descriptionNotes(before: Before, after: MergeRequest): Sentence[] {
  const tasks = changedTasks(before.description, after.description);
  if (tasks.length === 0) return [{ action: 'description', body: 'changed the description' }];
  return tasks.map(({ text, isDone }) => ({
    action: 'task',
    body: `marked the task **${text}** as ${isDone ? 'completed' : 'incomplete'}`,
  }));
}

const branchNote = (before: Before, after: MergeRequest): Sentence => ({
  action: 'branch',
  body: `changed target branch from \`${before.targetBranch}\` to \`${after.targetBranch}\``,
});

/** Nobody has locked what was never locked. */
function lockNotes(before: Before, after: MergeRequest): Sentence[] {
  if ((before.discussionLocked ?? false) === (after.discussionLocked ?? false)) return [];
  const done = after.discussionLocked ? 'locked' : 'unlocked';
  return [{ action: done, body: `${done} this merge request` }];
}
