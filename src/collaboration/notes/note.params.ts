import { params, wire, type ParamsOf } from '#libs/http';

const id = wire.integer({ min: 1 });

const ON_ISSUE = { issue_iid: id };
const ON_MERGE_REQUEST = { merge_request_iid: id };
const ON_SNIPPET = { snippet_id: id };
const ON_EPIC = { epic_id: id.describe('The id of the epic, not its number in the group') };

const ONE = { note_id: id };
const BODY = { body: wire.text().describe('At most 1,000,000 characters') };
const CREATED_AT = {
  created_at: wire
    .dateTime()
    .optional()
    .describe('Passed over unless the caller owns the project or is an administrator'),
};

const ORDER = {
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
  order_by: wire.oneOf(['created_at', 'updated_at']).default('created_at'),
  pagination: wire
    .oneOf(['legacy', 'offset', 'keyset'])
    .default('legacy')
    .describe('`keyset` tells no totals, and any page comes equally fast: follow the links'),
  cursor: wire
    .text({ max: 100 })
    .optional()
    .describe('From the link to the next page of `pagination=keyset`'),
};

export const IssueNotes = params({ ...ON_ISSUE, ...ORDER });
export const IssueNote = params({ ...ON_ISSUE, ...ONE });
export const NewIssueNote = params({ ...ON_ISSUE, ...BODY, ...CREATED_AT });
export const ChangedIssueNote = params({ ...ON_ISSUE, ...ONE, ...BODY });

export const MergeRequestNotes = params({ ...ON_MERGE_REQUEST, ...ORDER });
export const MergeRequestNote = params({ ...ON_MERGE_REQUEST, ...ONE });
export const NewMergeRequestNote = params({ ...ON_MERGE_REQUEST, ...BODY, ...CREATED_AT });
export const ChangedMergeRequestNote = params({ ...ON_MERGE_REQUEST, ...ONE, ...BODY });

export const SnippetNotes = params({ ...ON_SNIPPET, ...ORDER });
export const SnippetNote = params({ ...ON_SNIPPET, ...ONE });
export const NewSnippetNote = params({ ...ON_SNIPPET, ...BODY, ...CREATED_AT });
export const ChangedSnippetNote = params({ ...ON_SNIPPET, ...ONE, ...BODY });

export const EpicNotes = params({ ...ON_EPIC, ...ORDER });
export const EpicNote = params({ ...ON_EPIC, ...ONE });
export const NewEpicNote = params({ ...ON_EPIC, ...BODY });
export const ChangedEpicNote = params({ ...ON_EPIC, ...ONE, ...BODY });

/** What every list takes, whatever it is on. */
export type NoteListParams = Pick<ParamsOf<typeof IssueNotes>, 'sort' | 'order_by' | 'pagination' | 'cursor'>;
/** What somebody writes. */
export type NoteText = { readonly body: string; readonly created_at?: Date | undefined };
