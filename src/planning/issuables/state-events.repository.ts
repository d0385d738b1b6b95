import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NOTEABLE_COLUMN, type NoteableKind } from '../noteables/noteable';

export type StateAction = 'closed' | 'reopened' | 'merged';

export interface StatefulRef {
  readonly kind: Exclude<NoteableKind, 'Snippet'>;
  readonly id: number;
}

/** When what was closed and reopened, and by whom. */
@Injectable()
export class StateEvents {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction of the change. `userId` is null where the system itself did it. */
  async record({ kind, id }: StatefulRef, userId: number | null, action: StateAction): Promise<void> {
    const column = NOTEABLE_COLUMN[kind];
    await this.database.prepared(
      `record_state_event_of_${column}`,
      `INSERT INTO state_events (${column}, user_id, action) VALUES ($1, $2, $3)`,
      [id, userId, action],
    );
  }

  /** Whether somebody has opened it again since that moment. */
  async wasReopened({ kind, id }: StatefulRef, since: Date): Promise<boolean> {
    const column = NOTEABLE_COLUMN[kind];
    const rows = await this.database.prepared(
      `reopenings_of_${column}`,
      `SELECT 1 FROM state_events WHERE ${column} = $1 AND action = 'reopened' AND created_at >= $2 LIMIT 1`,
      [id, since],
    );
    return rows.length > 0;
  }
}
