import { field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import { LINE_TYPES, type DiffPosition, type LineType } from '../notes/diff-position';
import type { ShownNote } from '../notes/shown-note';

const CommitCommentRecord = field.object({
  note: field.string(),
  author: UserSummaryRecord.nullable(),
  created_at: field.string(),
  line: field.int().nullable(),
  line_type: field.enum(LINE_TYPES).nullable(),
  path: field.string().nullable(),
});

interface Place {
  readonly line: number | null;
  readonly line_type: LineType | null;
  readonly path: string | null;
}

const WHOLE_COMMIT: Place = { line: null, line_type: null, path: null };

export const presentCommitComment = presenter(
  CommitCommentRecord,
  ({ note, author }: ShownNote, view: View) => ({
    note: note.body,
    author: author && presentUserSummary(author, view),
    created_at: presentTime(note.createdAt),
    ...placeOf(note.position),
  }),
);

/** A line that is on one side alone is counted there; what stands in a picture is about the whole. */
function placeOf(position: DiffPosition | null): Place {
  if (!position) return WHOLE_COMMIT;
  const { old_line: oldLine, new_line: newLine } = position;
  const lineType = position.counted_on ?? (newLine === null ? 'old' : 'new');
  const line = lineType === 'new' ? newLine : oldLine;
  if (line === null) return WHOLE_COMMIT;
  return { line, line_type: lineType, path: lineType === 'new' ? position.new_path : position.old_path };
}
