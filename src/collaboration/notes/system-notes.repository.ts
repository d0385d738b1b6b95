import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NOTEABLE_COLUMN, SystemNotes, type NoteSource, type SystemNote } from '../../planning/planning.api';
import { DISCUSSED_COLUMN, type DiscussedRef } from './discussed-ref';
import { newDiscussionId } from './discussion-id';

const GIVEN = `
  jsonb_to_recordset($1::jsonb) AS given(
    place int, issue_id bigint, merge_request_id bigint, snippet_id bigint, epic_id bigint, commit_id bigint,
    author_id bigint, action text, body text, discussion_id text, from_issue_id bigint, from_merge_request_id bigint, from_snippet_id bigint,
    from_epic_id bigint, from_project_id bigint, from_commit_sha text)`;

const RECORD = `
  INSERT INTO notes (issue_id, merge_request_id, snippet_id, epic_id, commit_id, author_id, system, system_action, body,
    discussion_id, from_issue_id, from_merge_request_id, from_snippet_id, from_epic_id, from_project_id, from_commit_sha)
  SELECT given.issue_id, given.merge_request_id, given.snippet_id, given.epic_id, given.commit_id, given.author_id, true,
    given.action, given.body, given.discussion_id, given.from_issue_id, given.from_merge_request_id, given.from_snippet_id,
    given.from_epic_id, given.from_project_id, given.from_commit_sha
  FROM given`;

const RECORD_ALL = `WITH given AS (SELECT * FROM ${GIVEN}) ${RECORD} ORDER BY given.place`;

/** Keeps those of a table that are named from being deleted; waits for whoever deletes one just now. */
const kept = (table: string, column: string): string => `
  ${table}_there AS MATERIALIZED (
    SELECT id FROM ${table} WHERE id = ANY(ARRAY(SELECT ${column} FROM given)) ORDER BY id FOR KEY SHARE)`;

const isThere = (table: string, column: string): string =>
  `(given.${column} IS NULL OR given.${column} IN (SELECT id FROM ${table}_there))`;

const PLACES = [
  ['issues', 'issue_id'],
  ['merge_requests', 'merge_request_id'],
  ['snippets', 'snippet_id'],
  ['epics', 'epic_id'],
  ['discussed_commits', 'commit_id'],
] as const;

/**
 * What is mentioned once already is not mentioned again: see the unique indexes on from_key. Nor is what was deleted since
 * it was found, which nobody held.
 */
const MENTION = `
  WITH given AS MATERIALIZED (SELECT * FROM ${GIVEN}),
  ${PLACES.map(([table, column]) => kept(table, column)).join(',')}
  ${RECORD} WHERE ${PLACES.map(([table, column]) => isThere(table, column)).join(' AND ')}
  ORDER BY given.place ON CONFLICT DO NOTHING`;

/** One that may stand in the discussion that it is about. */
export interface PlacedSystemNote extends Omit<SystemNote, 'on'> {
  readonly on: DiscussedRef;
  readonly discussionId?: string;
}

/** How the action of a mention is called. */
export const CROSS_REFERENCE = 'cross_reference';

/** Writes what the system tells of changes. */
@Injectable()
export class SystemNotesRepository extends SystemNotes {
  constructor(private readonly database: Database) {
    super();
  }

  async record(notes: readonly PlacedSystemNote[]): Promise<void> {
    await this.write('record_system_notes', RECORD_ALL, notes);
  }

  /** Those whose place has a mention of the same source are passed over. */
  async mention(notes: readonly Omit<PlacedSystemNote, 'action'>[]): Promise<void> {
    // Always in the same order: who mentions the same things at the same time waits, and neither for the other.
    const sorted = notes.toSorted((a, b) => a.on.kind.localeCompare(b.on.kind) || a.on.id - b.on.id);
    const mentions = sorted.map((note) => ({ ...note, action: CROSS_REFERENCE }));
    await this.write('record_mentions', MENTION, mentions);
  }

  private async write(name: string, text: string, notes: readonly PlacedSystemNote[]): Promise<void> {
    if (notes.length > 0) await this.database.prepared(name, text, [JSON.stringify(notes.map(rowOf))]);
  }
}

/** NUL cannot be kept, and stands in names of branches and the like at most. */
const NUL = /\0/g;

const rowOf = ({ on, authorId, action, body, about, discussionId }: PlacedSystemNote, place: number) => ({
  place,
  [DISCUSSED_COLUMN[on.kind]]: on.id,
  author_id: authorId,
  action,
  body: body.replace(NUL, ''),
  discussion_id: discussionId ?? newDiscussionId(),
  ...(about && sourceOf(about)),
});

function sourceOf(source: NoteSource): Readonly<Record<string, number | string>> {
  return source.kind === 'Commit'
    ? { from_project_id: source.projectId, from_commit_sha: source.sha }
    : { [`from_${NOTEABLE_COLUMN[source.kind]}`]: source.id };
}
