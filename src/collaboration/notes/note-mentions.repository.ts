import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Note } from './note.entity';

const CALL = `
  INSERT INTO note_mentions (note_id, user_id, issue_id, merge_request_id)
  SELECT $1, called.id, $3::bigint, $4::bigint FROM (
    SELECT id FROM users WHERE lower(username) = ANY($2::text[]) AND NOT pending_delete ORDER BY id FOR KEY SHARE) called`;

/** Whom notes call. Who of them may see the discussion is asked when it is read. */
@Injectable()
export class NoteMentions {
  constructor(private readonly database: Database) {}

  /** Of a new note: usernames in lower case, whether anybody has them or not. */
  async add({ id, issueId, mergeRequestId }: Note, usernames: readonly string[]): Promise<void> {
    if (usernames.length === 0 || (issueId === null && mergeRequestId === null)) return;
    await this.database.prepared('call_in_note', CALL, [id, usernames, issueId, mergeRequestId]);
  }

  /** Of one that says something else now. */
  async replace(note: Note, usernames: readonly string[]): Promise<void> {
    await this.database.prepared('uncall_in_note', 'DELETE FROM note_mentions WHERE note_id = $1', [note.id]);
    await this.add(note, usernames);
  }
}
