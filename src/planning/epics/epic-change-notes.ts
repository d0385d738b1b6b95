import { markedTitles } from '../issuables/title-change';
import type { SystemNote } from '../noteables/system-notes';
import { epicDays, type FixedDays } from './epic-days';
import type { Epic } from './epic.entity';
import type { EpicColumns, MilestoneDays } from './epics.repository';

const DAY = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

/** What the discussion of an epic is told of a change: in the order in which the reference tells it. */
export function changeNotes(
  epic: Epic,
  columns: EpicColumns,
  inherited: MilestoneDays,
  authorId: number,
): SystemNote[] {
  const note = (action: string, body: string): SystemNote => ({
    on: { kind: 'Epic', id: epic.id },
    authorId,
    action,
    body,
  });
  const { title, description, state } = columns;
  const notes: SystemNote[] = [];
  if (title !== undefined && title !== epic.title) {
    const { before, after } = markedTitles(epic.title, title);
    notes.push(note('title', `changed title from **${before}** to **${after}**`));
  }
  if (description !== undefined && (description ?? '') !== (epic.description ?? ''))
    notes.push(note('description', 'changed the description'));
  const [before, after] = [epicDays(epic, inherited), epicDays(changedDays(epic, columns), inherited)];
  if (before.startDate !== after.startDate)
    notes.push(note('epic_date_changed', dayChange('start date', after.startDate)));
  if (before.dueDate !== after.dueDate)
    notes.push(note('epic_date_changed', dayChange('finish date', after.dueDate)));
  if (state === 'closed') notes.push(note('closed', 'closed'));
  if (state === 'opened') notes.push(note('reopened', 'reopened'));
  return notes;
}

const changedDays = (epic: Epic, columns: EpicColumns): FixedDays => ({
  startDateIsFixed: columns.startDateIsFixed ?? epic.startDateIsFixed,
  startDateFixed: columns.startDateFixed === undefined ? epic.startDateFixed : columns.startDateFixed,
  dueDateIsFixed: columns.dueDateIsFixed ?? epic.dueDateIsFixed,
  dueDateFixed: columns.dueDateFixed === undefined ? epic.dueDateFixed : columns.dueDateFixed,
});

const dayChange = (name: string, day: string | null): string =>
  day === null ? `removed the ${name}` : `changed ${name} to ${DAY.format(new Date(`${day}T00:00:00Z`))}`;
