import { field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord, type UserSummary } from '../../identity/identity.api';
import { LINE_TYPES, type CommitComment } from './commit-comment.entity';

/** A comment with its author looked up; null where the account is gone. */
export interface AuthoredComment {
  readonly comment: CommitComment;
  readonly author: UserSummary | null;
}

const CommitCommentRecord = field.object({
  note: field.string(),
  author: UserSummaryRecord.nullable(),
  created_at: field.string(),
  line: field.int().nullable(),
  line_type: field.enum(LINE_TYPES).nullable(),
  path: field.string().nullable(),
});

export const presentCommitComment = presenter(CommitCommentRecord, ({ comment, author }: AuthoredComment, view: View) => ({
  note: comment.note,
  author: author && presentUserSummary(author, view),
  created_at: presentTime(comment.createdAt),
  line: comment.line,
  line_type: comment.lineType,
  path: comment.path,
}));
