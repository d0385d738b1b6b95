import type { UserSummary } from '../../identity/identity.api';
import type { CommitComment } from './commit-comment.entity';

/** A comment with its author looked up; null where the account is gone. */
export interface AuthoredComment {
  readonly comment: CommitComment;
  readonly author: UserSummary | null;
}
