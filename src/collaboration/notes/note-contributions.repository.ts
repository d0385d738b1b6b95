import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** What the notes are on, before the notes themselves: so does whoever changes one of them or deletes what they are on. */
const HOLD = (table: string, column: string): string => `
  SELECT 1 FROM ${table} WHERE id = ANY(ARRAY(SELECT ${column} FROM notes WHERE id = ANY($1::bigint[])))
  ORDER BY id FOR NO KEY UPDATE`;

/** In the order in which others hold several of them, too. */
const HELD = [
  ['issues', 'issue_id'],
  ['merge_requests', 'merge_request_id'],
  ['snippets', 'snippet_id'],
  ['epics', 'epic_id'],
  ['discussed_commits', 'commit_id'],
] as const;

/** The notes that go are no longer counted on what they were on; those of the system never were. */
const REMOVE = `
  WITH gone AS (
    DELETE FROM notes WHERE id = ANY($1::bigint[])
    RETURNING id, system, issue_id, merge_request_id, snippet_id, epic_id, commit_id),
  counted AS (
    SELECT issue_id, merge_request_id, snippet_id, epic_id, commit_id, count(*) AS number FROM gone WHERE NOT system
    GROUP BY issue_id, merge_request_id, snippet_id, epic_id, commit_id),
  issues_counted AS (UPDATE issues t SET user_notes_count = user_notes_count - number FROM counted WHERE t.id = issue_id),
  merge_requests_counted AS (
    UPDATE merge_requests t SET user_notes_count = user_notes_count - number FROM counted WHERE t.id = merge_request_id),
  snippets_counted AS (
    UPDATE snippets t SET user_notes_count = user_notes_count - number FROM counted WHERE t.id = snippet_id),
  epics_counted AS (UPDATE epics t SET user_notes_count = user_notes_count - number FROM counted WHERE t.id = epic_id),
  commits_counted AS (
    UPDATE discussed_commits t SET user_notes_count = user_notes_count - number FROM counted WHERE t.id = commit_id)
  SELECT id FROM gone LIMIT 1`;

/** What somebody has said, and what the system told of their doings. */
@Injectable()
export class NoteContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_notes',
      `UPDATE notes SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM notes WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  removeSome(userId: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const notes = await this.database.prepared<{ id: number }>(
        'notes_by',
        'SELECT id FROM notes WHERE author_id = $1 ORDER BY id LIMIT $2',
        [userId, AT_ONCE],
      );
      if (notes.length === 0) return false;
      const ids = notes.map(({ id }) => id);
      for (const [table, column] of HELD)
        await this.database.prepared(`hold_noted_${table}`, HOLD(table, column), [ids]);
      await this.database.prepared('remove_notes', REMOVE, [ids]);
      return true;
    });
  }
}
