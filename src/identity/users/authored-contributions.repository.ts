import type { Database } from '#libs/database';
import { Contributions } from './contributions';

const AT_ONCE = 1000;

/** Rows that name somebody who did something: a table with `id`, and an indexed column. */
type Deeds = readonly [
  table: 'issues' | 'merge_requests' | 'epics' | 'state_events',
  column: 'closed_by_id' | 'merged_by_id' | 'updated_by_id' | 'user_id',
];

/** Where things that have an author are kept. */
interface AuthoredThings {
  /** With `id` and an indexed `author_id`. */
  readonly table: 'epics' | 'issues' | 'merge_requests';
  /** Fewer than usual where each takes much else with it. */
  readonly removedAtOnce?: number;
  /** What somebody has done about such things, whoever wrote them: it stays in any case, as the ghost's. */
  readonly deeds?: readonly Deeds[];
}

/** Things that go to the ghost or away as they are: rows of one table that name their author. */
export abstract class AuthoredContributions extends Contributions {
  constructor(
    protected readonly database: Database,
    private readonly things: AuthoredThings,
  ) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const written = await this.handOver(this.things.table, 'author_id', userId, ghostId);
    return written || this.handOverDeeds(userId, ghostId);
  }

  async removeSome(userId: number, ghostId: number): Promise<boolean> {
    return (await this.removeWritten(userId)) || this.handOverDeeds(userId, ghostId);
  }

  /** A bounded part of what the user wrote. False when nothing was left. */
  protected async removeWritten(userId: number): Promise<boolean> {
    const { table, removedAtOnce = AT_ONCE } = this.things;
    const rows = await this.database.prepared(
      `remove_authored_${table}`,
      `DELETE FROM ${table}
       WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, removedAtOnce],
    );
    return rows.length > 0;
  }

  private async handOverDeeds(userId: number, ghostId: number): Promise<boolean> {
    for (const [table, column] of this.things.deeds ?? [])
      if (await this.handOver(table, column, userId, ghostId)) return true;
    return false;
  }

  private async handOver(table: string, column: string, userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      `hand_over_${column}_of_${table}`,
      `UPDATE ${table} SET ${column} = $2
       WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE ${column} = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
