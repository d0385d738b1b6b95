import { defineEvent } from '#libs/events';

/** Somebody remarked on a commit. */
export interface CommitCommented {
  readonly projectId: number;
  readonly commentId: number;
}

export const commitCommented = defineEvent<CommitCommented>()('collaboration.commit_commented');
