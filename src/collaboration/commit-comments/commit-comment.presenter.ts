import { field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { AuthoredComment } from './authored-comment';
import { LINE_TYPES } from './commit-comment.entity';

const CommitCommentRecord = field.object({
  note: field.string(),
  author: UserSummaryRecord.nullable(),
  created_at: field.string(),
  line: field.int().nullable(),
  line_type: field.enum(LINE_TYPES).nullable(),
  path: field.string().nullable(),
});

export const presentCommitComment = presenter(
  CommitCommentRecord,
  ({ comment, author }: AuthoredComment, view: View) => ({
    note: comment.note,
    author: author && presentUserSummary(author, view),
    created_at: presentTime(comment.createdAt),
    line: comment.line,
    line_type: comment.lineType,
    path: comment.path,
  }),
);
