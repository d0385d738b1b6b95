import { defineEvent } from '#libs/events';

export type MergeRequestAction = 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'approved' | 'unapproved';

/** What was one value and is another now, in the words of the API. */
export interface ChangedValue {
  readonly previous: unknown;
  readonly current: unknown;
}

/** Somebody did something about a merge request. */
export interface MergeRequestChanged {
  /** The target project. */
  readonly projectId: number;
  readonly mergeRequestId: number;
  readonly action: MergeRequestAction;
  /** Null where the system itself did it. */
  readonly actorId: number | null;
  /** The head before a push; null for everything else. */
  readonly oldHeadSha: string | null;
  readonly changes: Readonly<Record<string, ChangedValue>>;
}

export const mergeRequestChanged = defineEvent<MergeRequestChanged>()('collaboration.merge_request_changed');

/** A merge request has a version with another head: it was made, or its source branch moved. */
export interface MergeRequestVersioned {
  /** The target project. */
  readonly projectId: number;
  readonly mergeRequestId: number;
  /** Null for the first version. */
  readonly oldHeadSha: string | null;
  readonly headSha: string;
  readonly actorId: number | null;
}

export const mergeRequestVersioned = defineEvent<MergeRequestVersioned>()(
  'collaboration.merge_request_versioned',
);
