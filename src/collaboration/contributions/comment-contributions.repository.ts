import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** What somebody has said about commits. */
@Injectable()
export class CommentContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_commit_comments',
      `UPDATE commit_comments SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM commit_comments WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_commit_comments',
      `DELETE FROM commit_comments
       WHERE id = ANY(ARRAY(SELECT id FROM commit_comments WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
