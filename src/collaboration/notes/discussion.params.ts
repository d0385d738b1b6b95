import { exactlyOneOf, params, wire, type ParamsOf } from '#libs/http';

const LARGEST = 2_147_483_647;
const id = wire.integer({ min: 1 });
const sha = () => wire.text({ max: 64 });
const path = () => wire.text({ max: 4096 }).optional();
const line = () => wire.integer({ min: 1, max: LARGEST }).optional();
const pixels = () => wire.integer({ min: 0, max: LARGEST }).optional();

const Position = params({
  base_sha: sha(),
  start_sha: sha(),
  head_sha: sha(),
  position_type: wire.oneOf(['text', 'image']),
  new_path: path(),
  new_line: line(),
  old_path: path(),
  old_line: line(),
  width: pixels(),
  height: pixels(),
  x: pixels(),
  y: pixels(),
});
export type PositionParams = ParamsOf<typeof Position>;

const ONE = { discussion_id: wire.text({ max: 100 }) };
const NOTE = { ...ONE, note_id: id };
const BODY = { body: wire.text().describe('At most 1,000,000 characters') };
const CREATED_AT = {
  created_at: wire
    .dateTime()
    .optional()
    .describe('Passed over unless the caller owns the project or is an administrator'),
};
const NEW = { ...BODY, ...CREATED_AT };

const ON_ISSUE = { issue_iid: id };
export const IssueDiscussions = params(ON_ISSUE);
export const IssueDiscussion = params({ ...ON_ISSUE, ...ONE });
export const NewIssueDiscussion = params({ ...ON_ISSUE, ...NEW });
export const IssueReply = params({ ...ON_ISSUE, ...ONE, ...NEW });
export const IssueDiscussionNote = params({ ...ON_ISSUE, ...NOTE });
export const ChangedIssueDiscussionNote = params({ ...ON_ISSUE, ...NOTE, ...BODY });

const ON_SNIPPET = { snippet_id: id };
export const SnippetDiscussions = params(ON_SNIPPET);
export const SnippetDiscussion = params({ ...ON_SNIPPET, ...ONE });
export const NewSnippetDiscussion = params({ ...ON_SNIPPET, ...NEW });
export const SnippetReply = params({ ...ON_SNIPPET, ...ONE, ...NEW });
export const SnippetDiscussionNote = params({ ...ON_SNIPPET, ...NOTE });
export const ChangedSnippetDiscussionNote = params({ ...ON_SNIPPET, ...NOTE, ...BODY });

const ON_COMMIT = { sha: wire.text() };
const AT = { position: wire.hash(Position).optional().describe('Where in the difference it stands') };
export const CommitDiscussions = params(ON_COMMIT);
export const CommitDiscussion = params({ ...ON_COMMIT, ...ONE });
export const NewCommitDiscussion = params({ ...ON_COMMIT, ...NEW, ...AT });
export const CommitReply = params({ ...ON_COMMIT, ...ONE, ...NEW });
export const CommitDiscussionNote = params({ ...ON_COMMIT, ...NOTE });
export const ChangedCommitDiscussionNote = params({ ...ON_COMMIT, ...NOTE, ...BODY });

const ON_EPIC = { epic_id: id.describe('The id of the epic, not its number in the group') };
export const EpicDiscussions = params(ON_EPIC);
export const EpicDiscussion = params({ ...ON_EPIC, ...ONE });
export const NewEpicDiscussion = params({ ...ON_EPIC, ...BODY });
export const EpicReply = params({ ...ON_EPIC, ...ONE, ...BODY });
export const EpicDiscussionNote = params({ ...ON_EPIC, ...NOTE });
export const ChangedEpicDiscussionNote = params({ ...ON_EPIC, ...NOTE, ...BODY });

const ON_MERGE_REQUEST = { merge_request_iid: id };
const RESOLVED = { resolved: wire.boolean() };
export const MergeRequestDiscussions = params(ON_MERGE_REQUEST);
export const MergeRequestDiscussion = params({ ...ON_MERGE_REQUEST, ...ONE });
export const NewMergeRequestDiscussion = params({ ...ON_MERGE_REQUEST, ...NEW, ...AT });
export const MergeRequestReply = params({ ...ON_MERGE_REQUEST, ...ONE, ...NEW });
export const ResolvedMergeRequestDiscussion = params({ ...ON_MERGE_REQUEST, ...ONE, ...RESOLVED });
export const MergeRequestDiscussionNote = params({ ...ON_MERGE_REQUEST, ...NOTE });
export const ChangedMergeRequestDiscussionNote = params(
  { ...ON_MERGE_REQUEST, ...NOTE, body: BODY.body.optional(), resolved: RESOLVED.resolved.optional() },
  exactlyOneOf('body', 'resolved'),
);

/** What may change of a note in a discussion. */
export interface NoteChange {
  readonly body?: string | undefined;
  readonly resolved?: boolean | undefined;
}

/** The discussion and the note in a path. */
export const placeOf = (path: { readonly discussion_id: string; readonly note_id: number }) => ({
  discussionId: path.discussion_id,
  noteId: path.note_id,
});
