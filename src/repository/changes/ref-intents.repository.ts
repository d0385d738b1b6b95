import { Database } from '#libs/database';
import type { RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { RefsUpdated } from './refs-updated.event';

export interface RefIntent {
  readonly id: number;
  readonly projectId: number;
  readonly actorId: number | null;
  readonly source: RefsUpdated['source'];
  readonly updates: readonly RefUpdate[];
  readonly notedAt: Date;
}

interface IntentRow {
  id: number;
  project_id: number;
  actor_id: number | null;
  updates: { source: RefsUpdated['source']; refs: RefUpdate[] };
  created_at: Date;
}

/** Moves of refs that were begun and not yet recorded. */
@Injectable()
export class RefIntentsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Notes what is about to move, in a transaction of its own. Its commit is waited for on the disk only where asked:
   * the note matters where this process dies, and then the database still has it. Only when both die at once, as in a
   * power cut, a note of the last half second may be lost.
   */
  async note(intent: Omit<RefIntent, 'id' | 'notedAt'>, options: { durably: boolean }): Promise<number> {
    const rows = await this.database.prepared<{ id: number }>(
      'note_ref_intent',
      `WITH waiting AS (SELECT set_config('synchronous_commit', $4, true))
       INSERT INTO ref_intents (project_id, actor_id, updates) SELECT $1, $2, $3 FROM waiting RETURNING id`,
      [
        intent.projectId,
        intent.actorId,
        JSON.stringify({ source: intent.source, refs: intent.updates }),
        options.durably ? 'on' : 'off',
      ],
    );
    const [row] = rows;
    if (!row) throw new Error('the insertion gives its row');
    return row.id;
  }

  /** Answers false where somebody else has settled it already. */
  async forget(id: number): Promise<boolean> {
    const gone = await this.database.prepared(
      'forget_ref_intent',
      'DELETE FROM ref_intents WHERE id = $1 RETURNING id',
      [id],
    );
    return gone.length > 0;
  }

  /** Intents noted some time ago whose ids come after `afterId`, in the order of the ids. */
  async olderThan(seconds: number, afterId: number, most: number): Promise<RefIntent[]> {
    const rows: IntentRow[] = await this.database.manager.query(
      `SELECT id, project_id, actor_id, updates, created_at FROM ref_intents
       WHERE id > $2 AND created_at < now() - make_interval(secs => $1) ORDER BY id LIMIT $3`,
      [seconds, afterId, most],
    );
    return rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      actorId: row.actor_id,
      source: row.updates.source,
      updates: row.updates.refs,
      notedAt: row.created_at,
    }));
  }
}
