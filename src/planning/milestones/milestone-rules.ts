import { invalid, type ValidationErrors } from '#libs/errors';
import type { Milestone } from './milestone.entity';

const LONGEST_TITLE = 255;

export const TITLE_IS_TAKEN = 'already being used for another group or project milestone.';

/** What people choose about a milestone. */
export type MilestoneText = Pick<Milestone, 'title' | 'description' | 'startDate' | 'dueDate' | 'state'>;

/** Throws `validation` for what no milestone may be. */
export function refuseInvalidMilestone({ title, startDate, dueDate }: MilestoneText): void {
  const errors: ValidationErrors = {};
  if (title.trim() === '') errors['title'] = ["can't be blank"];
  else if (Array.from(title).length > LONGEST_TITLE)
    errors['title'] = [`is too long (maximum is ${LONGEST_TITLE} characters)`];
  // Days in this form are in the order of their letters.
  if (startDate !== null && dueDate !== null && dueDate <= startDate)
    errors['due_date'] = ['must be greater than start date'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
