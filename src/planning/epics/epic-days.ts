import type { Epic } from './epic.entity';
import type { MilestoneDays } from './epics.repository';

/** What was set of an epic's days. */
export type FixedDays = Pick<Epic, 'startDateIsFixed' | 'startDateFixed' | 'dueDateIsFixed' | 'dueDateFixed'>;

/** When an epic starts and is due: on the days that were set, or those of the milestones of its issues. */
export const epicDays = (epic: FixedDays, inherited: MilestoneDays): MilestoneDays => ({
  startDate: epic.startDateIsFixed ? epic.startDateFixed : inherited.startDate,
  dueDate: epic.dueDateIsFixed ? epic.dueDateFixed : inherited.dueDate,
});
