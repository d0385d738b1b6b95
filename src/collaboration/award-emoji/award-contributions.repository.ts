import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';
import { TARGET_COLUMN } from './award-target';

const AT_ONCE = 1000;

/** One lookup for each kind of target: each has its index. */
const GHOST_HAS_IT = Object.values(TARGET_COLUMN)
  .map(
    (column) =>
      `EXISTS (SELECT 1 FROM award_emoji g WHERE g.${column} = part.${column} AND g.name = part.name AND g.user_id = $2)`,
  )
  .join(' OR ');

/** Two deleted users may have put the same emoji on the same thing, of which the ghost keeps one. */
const HAND_OVER = `
  WITH part AS (SELECT * FROM award_emoji WHERE user_id = $1 ORDER BY id LIMIT $3),
  doubled AS (SELECT part.id FROM part WHERE ${GHOST_HAS_IT}),
  removed AS (DELETE FROM award_emoji WHERE id IN (SELECT id FROM doubled)),
  moved AS (UPDATE award_emoji SET user_id = $2
    WHERE id IN (SELECT id FROM part) AND id NOT IN (SELECT id FROM doubled))
  SELECT id FROM part LIMIT 1`;

/** Emoji that somebody has put on things. */
@Injectable()
export class AwardContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared('hand_over_awards', HAND_OVER, [userId, ghostId, AT_ONCE]);
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_awards',
      `DELETE FROM award_emoji
       WHERE id = ANY(ARRAY(SELECT id FROM award_emoji WHERE user_id = $1 LIMIT $2)) RETURNING id`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
