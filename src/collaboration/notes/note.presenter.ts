import { field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord, type UserContact } from '../../identity/identity.api';
import { AwardEmojiRecord, presentAwardEmoji } from '../award-emoji/award.presenter';
import { shownPosition } from './diff-position';
import { DISCUSSED_KINDS } from './discussed-ref';
import { NOTE_TYPES } from './note.entity';
import type { ShownNote } from './shown-note';
import type { WrittenNote } from './written-note';

const AuthorRecord = field.object({
  id: field.int(),
  username: field.string(),
  email: field.string(),
  name: field.string(),
  state: field.string(),
  created_at: field.string(),
  avatar_url: field.string().nullable(),
  web_url: field.string(),
});

const PositionRecord = field.object({
  base_sha: field.string().nullable().describe('Null of comments from before these were kept'),
  start_sha: field.string().nullable(),
  head_sha: field.string(),
  old_path: field.string(),
  new_path: field.string(),
  position_type: field.enum(['text', 'image']),
  old_line: field.int().nullable(),
  new_line: field.int().nullable(),
  width: field.int().optional(),
  height: field.int().optional(),
  x: field.int().optional(),
  y: field.int().optional(),
});

export const NoteRecord = field.object({
  id: field.int(),
  type: field.enum(NOTE_TYPES).nullable(),
  body: field.string(),
  attachment: field.string().nullable(),
  author: AuthorRecord.nullable(),
  created_at: field.string(),
  updated_at: field.string(),
  system: field.boolean(),
  noteable_id: field.int().nullable(),
  noteable_type: field.enum(DISCUSSED_KINDS),
  noteable_iid: field.int().nullable(),
  resolvable: field.boolean(),
  position: PositionRecord.optional().describe('Of a note on a diff'),
  resolved: field.boolean().optional().describe('Of a resolvable note'),
  resolved_by: UserSummaryRecord.nullable().optional().describe('Of a resolvable note'),
});

/** The union of the specification's fields and the usual ones (specification, Note). */
function presentAuthor(author: UserContact, view: View) {
  const { id, username, name, state, avatar_url, web_url } = presentUserSummary(author, view);
  const created_at = presentTime(author.createdAt);
  return { id, username, email: author.email, name, state, created_at, avatar_url, web_url };
}

export const presentNote = presenter(
  NoteRecord,
  ({ note, iid, author, resolvedBy }: ShownNote, view: View) => ({
    id: note.id,
    type: note.type,
    body: note.body,
    attachment: note.attachment,
    author: author && presentAuthor(author, view),
    created_at: presentTime(note.createdAt),
    updated_at: presentTime(note.updatedAt),
    system: note.system,
    // A commit has no id but its hash, which the path names already.
    noteable_id: note.on.kind === 'Commit' ? null : note.on.id,
    noteable_type: note.on.kind,
    noteable_iid: iid,
    resolvable: note.isResolvable,
    ...(note.position && { position: shownPosition(note.position) }),
    ...(note.isResolvable && {
      resolved: note.resolvedAt !== null,
      resolved_by: resolvedBy && presentUserSummary(resolvedBy, view),
    }),
  }),
);

export const presentWritten = presenter(
  field.union([NoteRecord, AwardEmojiRecord]),
  (written: WrittenNote, view: View) =>
    'note' in written ? presentNote(written, view) : presentAwardEmoji(written, view),
);
