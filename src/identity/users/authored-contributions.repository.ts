import type { Database } from '#libs/database';
import { Contributions } from './contributions';

const AT_ONCE = 1000;

/** Where things that have an author are kept. */
interface AuthoredThings {
  /** With `id` and an indexed `author_id`. */
  readonly table: 'commit_comments' | 'epics' | 'merge_requests';
  /** Fewer than usual where each takes much else with it. */
  readonly removedAtOnce?: number;
}

/** Things that go to the ghost or away as they are: rows of one table that name their author. */
export abstract class AuthoredContributions extends Contributions {
  constructor(
    private readonly database: Database,
    private readonly things: AuthoredThings,
  ) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const { table } = this.things;
    const rows = await this.database.prepared(
      `hand_over_authored_${table}`,
      `UPDATE ${table} SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const { table, removedAtOnce = AT_ONCE } = this.things;
    const rows = await this.database.prepared(
      `remove_authored_${table}`,
      `DELETE FROM ${table}
       WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, removedAtOnce],
    );
    return rows.length > 0;
  }
}
