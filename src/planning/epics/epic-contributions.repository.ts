import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** Epics that somebody has written. */
@Injectable()
export class EpicContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_epics',
      `UPDATE epics SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM epics WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_epics_of_author',
      `DELETE FROM epics
       WHERE id = ANY(ARRAY(SELECT id FROM epics WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
