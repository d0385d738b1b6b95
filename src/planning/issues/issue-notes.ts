import { changedTasks } from '../issuables/task-list';
import { markedTitles } from '../issuables/title-change';
import type { Milestone } from '../milestones/milestone.entity';
import type { SystemNote } from '../noteables/system-notes';
import type { Issue } from './issue.entity';

type Sentence = Pick<SystemNote, 'action' | 'body'>;

const LONG_DATE = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'long',
  day: '2-digit',
  timeZone: 'UTC',
});

/** What the discussion says of changed words. */
export function wordingNotes(before: Issue, after: Issue): Sentence[] {
  const sentences: Sentence[] = [];
  if (before.title !== after.title) sentences.push(titleNote(before.title, after.title));
  if (before.description !== after.description)
    sentences.push(...descriptionNotes(before.description, after.description));
  return sentences;
}

function titleNote(before: string, after: string): Sentence {
  const marked = markedTitles(before, after);
  return { action: 'title', body: `changed title from **${marked.before}** to **${marked.after}**` };
}

/** Where tasks were ticked, that is told and nothing else. */
function descriptionNotes(before: string | null, after: string | null): Sentence[] {
  const tasks = changedTasks(before, after);
  if (tasks.length === 0) return [{ action: 'description', body: 'changed the description' }];
  return tasks.map(({ text, isDone }) => ({
    action: 'task',
    body: `marked the task **${text}** as ${isDone ? 'completed' : 'incomplete'}`,
  }));
}

/** What it says of other columns; of a new issue `before` has none of what these tell. */
export function planningNotes(before: Issue, after: Issue, milestone: Milestone | null): Sentence[] {
  const sentences: Sentence[] = [];
  if ((before.discussionLocked ?? false) !== (after.discussionLocked ?? false)) {
    const done = after.discussionLocked ? 'locked' : 'unlocked';
    sentences.push({ action: done, body: `${done} this issue` });
  }
  if (before.dueDate !== after.dueDate)
    sentences.push({ action: 'due_date', body: dueDateNote(after.dueDate) });
  if (before.milestoneId !== after.milestoneId)
    sentences.push({ action: 'milestone', body: milestoneNote(milestone) });
  if (before.weight !== after.weight) {
    const body = after.weight === null ? 'removed the weight' : `changed weight to **${after.weight}**`;
    sentences.push({ action: 'weight', body });
  }
  if (before.confidential !== after.confidential) sentences.push(confidentialNote(after));
  return sentences;
}

const dueDateNote = (date: string | null): string =>
  date === null
    ? 'removed due date'
    : `changed due date to ${LONG_DATE.format(new Date(`${date}T00:00:00Z`))}`;

/** A group's milestone is named by its title, as its number means another one in the project. */
export function milestoneNote(milestone: Milestone | null): string {
  if (milestone === null) return 'removed milestone';
  const { projectId, title, iid } = milestone;
  return `changed milestone to %${projectId === null && !title.includes('"') ? `"${title}"` : iid}`;
}

const confidentialNote = ({ confidential }: Issue): Sentence =>
  confidential
    ? { action: 'confidential', body: 'made the issue confidential' }
    : { action: 'visible', body: 'made the issue visible to everyone' };

/** Usernames of who is new and who is not any more; null where that is nobody. */
export function assigneesNote(added: readonly string[], removed: readonly string[]): Sentence | null {
  const parts = [
    ...(added.length > 0 ? [`assigned to ${inSentence(added)}`] : []),
    ...(removed.length > 0 ? [`unassigned ${inSentence(removed)}`] : []),
  ];
  return parts.length === 0 ? null : { action: 'assignee', body: parts.join(' and ') };
}

function inSentence(usernames: readonly string[]): string {
  const names = usernames.map((username) => `@${username}`);
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}
