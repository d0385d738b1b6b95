import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;
/** Each takes versions, commits, notes and marks with it. */
const REMOVED_AT_ONCE = 100;

/** The changes that somebody has proposed. */
@Injectable()
export class MergeRequestContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_merge_requests',
      `UPDATE merge_requests SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM merge_requests WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_merge_requests',
      `DELETE FROM merge_requests
       WHERE id = ANY(ARRAY(SELECT id FROM merge_requests WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, REMOVED_AT_ONCE],
    );
    return rows.length > 0;
  }
}
