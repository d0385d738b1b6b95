import type { DescribedIssue } from '../issues/described-issue';
import type { DescribedEpic } from './described-epic';
import type { EpicIssue } from './epic-issue.entity';

/** An issue as one of an epic. */
export interface DescribedEpicIssue {
  readonly link: EpicIssue;
  readonly issue: DescribedIssue;
}

/** The same with its epic. */
export interface DescribedEpicLink extends DescribedEpicIssue {
  readonly epic: DescribedEpic;
}
