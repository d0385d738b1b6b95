import type { IssueEpic } from '../epics/issue-epic';
import type { Milestone } from '../milestones/milestone.entity';
import type { Label } from '../labels/label.entity';
import type { Votes } from '../noteables/awards';
import type { UserSummary } from '../../identity/identity.api';
import type { Issue } from './issue.entity';

/** An issue with all that its record tells besides its own columns. */
export interface DescribedIssue {
  readonly issue: Issue;
  /** Full path of its project. */
  readonly projectPath: string;
  readonly author: UserSummary | null;
  readonly closedBy: UserSummary | null;
  readonly assignees: readonly UserSummary[];
  /** By title. */
  readonly labels: readonly Label[];
  readonly showsLabelDetails: boolean;
  readonly milestone: Milestone | null;
  /** Null also where the viewer does not see it. */
  readonly epic: IssueEpic | null;
  readonly votes: Votes;
  /** Merge requests that close it. */
  readonly mergeRequestsCount: number;
  /** Whether the viewer hears of what happens to it. */
  readonly isSubscribed: boolean;
}
