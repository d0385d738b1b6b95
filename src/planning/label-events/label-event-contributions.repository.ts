import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** What somebody has put labels on. The events belong to what they happened to, and outlive their author. */
@Injectable()
export class LabelEventContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  handOverSome(userId: number, ghostId: number): Promise<boolean> {
    return this.giveSome(userId, ghostId);
  }

  removeSome(userId: number, ghostId: number): Promise<boolean> {
    return this.giveSome(userId, ghostId);
  }

  private async giveSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_label_events',
      `UPDATE label_events SET user_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM label_events WHERE user_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
