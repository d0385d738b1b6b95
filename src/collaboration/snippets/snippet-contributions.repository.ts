import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** Snippets that somebody has written. */
@Injectable()
export class SnippetContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  /** Where the snippets were sent from is forgotten with who sent them. */
  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hand_over_snippets',
      `UPDATE snippets SET author_id = $2, user_agent = NULL, ip_address = NULL
       WHERE id = ANY(ARRAY(SELECT id FROM snippets WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }

  async removeSome(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_snippets',
      `DELETE FROM snippets
       WHERE id = ANY(ARRAY(SELECT id FROM snippets WHERE author_id = $1 LIMIT $2)) RETURNING id`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
