import { defineEvent } from '#libs/events';

/** Before and after; plain JSON. */
export interface ChangedValue {
  readonly previous: unknown;
  readonly current: unknown;
}

/** By the names that hooks have for what has changed. */
export type IssueChangeLog = Readonly<Record<string, ChangedValue>>;

export const ISSUE_ACTIONS = ['open', 'update', 'close', 'reopen'] as const;
export type IssueAction = (typeof ISSUE_ACTIONS)[number];

/** An issue was opened, or something of it has changed. */
export interface IssueChanged {
  readonly projectId: number;
  readonly issueId: number;
  /** Null where the system itself did it. */
  readonly actorId: number | null;
  readonly action: IssueAction;
  readonly changes: IssueChangeLog;
}

export const issueChanged = defineEvent<IssueChanged>()('planning.issue_changed');
