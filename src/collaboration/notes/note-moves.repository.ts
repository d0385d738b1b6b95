import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DiscussionMoves, NOTEABLE_COLUMN, type NoteableRef } from '../../planning/planning.api';
import { NoteCounts } from './note-counts.repository';

/** Texts may be long. */
const AT_ONCE = 100;

/** What a copy takes along; what it is on, its id and its discussion are its own. */
const COPIED = `author_id, body, type, system, system_action, position, attachment, resolved_at, resolved_by_id,
  from_issue_id, from_merge_request_id, from_snippet_id, from_epic_id, from_project_id, from_commit_sha,
  updated_by_id, last_edited_at, created_at, updated_at`;

/**
 * The discussions of the copy are called otherwise, the same for all notes of one. Mentions are told once on each thing,
 * so what the target has of them already is left out.
 */
const COPY = (from: string, to: string): string => `
  WITH source AS MATERIALIZED (
    SELECT note.*, nextval(pg_get_serial_sequence('notes', 'id')) AS copy_id FROM notes note
    WHERE note.${from} = $1 AND NOT (note.system_action IS NOT DISTINCT FROM 'cross_reference' AND EXISTS (
      SELECT 1 FROM notes there
      WHERE there.${to} = $2 AND there.from_key = note.from_key AND there.system_action = 'cross_reference'))
    ORDER BY note.id),
  copies AS (
    INSERT INTO notes (id, ${to}, discussion_id, ${COPIED})
    SELECT source.copy_id, $2, left(encode(sha256((source.discussion_id || ' ' || $2::text)::bytea), 'hex'), 40),
      ${COPIED} FROM source
    RETURNING system),
  awards AS (
    INSERT INTO award_emoji (user_id, name, note_id, created_at, updated_at)
    SELECT award.user_id, award.name, source.copy_id, award.created_at, award.updated_at
    FROM award_emoji award JOIN source ON source.id = award.note_id),
  ${CALLED.includes(to) ? callsOfCopies(to) : ''}
  own_awards AS (
    INSERT INTO award_emoji (user_id, name, ${to}, created_at, updated_at)
    SELECT award.user_id, award.name, $2, award.created_at, award.updated_at FROM award_emoji award
    WHERE award.${from} = $1 ON CONFLICT DO NOTHING)
  SELECT count(*) FILTER (WHERE NOT system)::int AS written FROM copies`;

const SOURCES = [
  ['issues', 'from_issue_id'],
  ['merge_requests', 'from_merge_request_id'],
  ['snippets', 'from_snippet_id'],
  ['epics', 'from_epic_id'],
  ['projects', 'from_project_id'],
] as const;

/** Nobody deletes what notes of the thing came from. What is being deleted is waited for, and its notes are gone with it. */
const KEEP_SOURCES = (from: string): string => `
  WITH ${SOURCES.map(
    ([table, column]) => `${table}_kept AS MATERIALIZED (
      SELECT id FROM ${table} WHERE id IN (SELECT note.${column} FROM notes note WHERE note.${from} = $1)
      ORDER BY id FOR KEY SHARE)`,
  ).join(', ')}
  SELECT ${SOURCES.map(([table]) => `(SELECT count(*) FROM ${table}_kept)`).join(' + ')}`;

/** What has participants. */
const CALLED = ['issue_id', 'merge_request_id'];

const callsOfCopies = (to: string): string => `
  calls AS (
    INSERT INTO note_mentions (note_id, user_id, ${to})
    SELECT source.copy_id, u.id, $2 FROM note_mentions called JOIN source ON source.id = called.note_id
    JOIN users u ON u.id = called.user_id FOR KEY SHARE OF u),`;

interface WrittenBody {
  readonly id: number;
  readonly body: string;
}

/** Copies what was said about one thing to another. */
@Injectable()
export class NoteMoves extends DiscussionMoves {
  constructor(
    private readonly database: Database,
    private readonly counts: NoteCounts,
  ) {
    super();
  }

  async copy(from: NoteableRef, to: NoteableRef): Promise<void> {
    const text = COPY(NOTEABLE_COLUMN[from.kind], NOTEABLE_COLUMN[to.kind]);
    await this.database.prepared(`keep_sources_of_${from.kind}`, KEEP_SOURCES(NOTEABLE_COLUMN[from.kind]), [
      from.id,
    ]);
    const [row] = await this.database.prepared<{ written: number }>(
      `copy_notes_${from.kind}_${to.kind}`,
      text,
      [from.id, to.id],
    );
    if (row && row.written > 0) await this.counts.add(to, row.written);
  }

  read(on: NoteableRef, visit: (text: string) => Promise<void>): Promise<void> {
    return this.each(on, ({ body }) => visit(body));
  }

  rewrite(on: NoteableRef, change: (text: string) => string): Promise<void> {
    return this.each(on, (note) => this.change(note.id, note.body, change(note.body)));
  }

  private async each({ kind, id }: NoteableRef, visit: (note: WrittenBody) => Promise<void>): Promise<void> {
    const name = `written_notes_on_${kind}`;
    const text = `SELECT id, body FROM notes WHERE ${NOTEABLE_COLUMN[kind]} = $1 AND NOT system AND id > $2
      ORDER BY id LIMIT ${AT_ONCE}`;
    let last = 0;
    for (;;) {
      const notes = await this.database.prepared<{ id: number; body: string }>(name, text, [id, last]);
      for (const note of notes) await visit(note);
      last = notes.at(-1)?.id ?? last;
      if (notes.length < AT_ONCE) return;
    }
  }

  private async change(id: number, before: string, after: string): Promise<void> {
    if (after === before) return;
    await this.database.prepared('rewrite_note', 'UPDATE notes SET body = $2 WHERE id = $1', [id, after]);
  }
}
