import { Database } from '#libs/database';
import { INSERT_EVENT, type NewEvent } from '#libs/events';
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

/** What stands in the project's row, and the event, after a move of refs was recorded. */
export interface SettledIntent {
  readonly defaultBranch: string | null;
  readonly writesSinceMaintenance: number;
  readonly eventId: number;
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

  /**
   * Takes an intent back together with what has come of it: the project's activity and the event. Null where somebody
   * else has settled it already or the project is gone; then nothing is written. `firstBranch` becomes the default
   * branch where there was none.
   */
  async settle(
    id: number,
    { projectId, firstBranch, event }: { projectId: number; firstBranch: string | null; event: NewEvent },
  ): Promise<SettledIntent | null> {
    const [row] = await this.database.prepared<SettledIntent>(
      'settle_ref_intent',
      `WITH gone AS (DELETE FROM ref_intents WHERE id = $1 RETURNING id),
         active AS (
           UPDATE projects SET last_activity_at = now(), default_branch = coalesce(default_branch, $3),
             writes_since_maintenance = writes_since_maintenance + 1
           FROM gone WHERE projects.id = $2 RETURNING default_branch, writes_since_maintenance),
         told AS (${INSERT_EVENT} SELECT $4, $5::jsonb FROM active RETURNING id)
       SELECT active.default_branch AS "defaultBranch", active.writes_since_maintenance AS "writesSinceMaintenance",
         told.id AS "eventId" FROM active, told`,
      [id, projectId, firstBranch, event.name, JSON.stringify(event.payload)],
    );
    return row ?? null;
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
