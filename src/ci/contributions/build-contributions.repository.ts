import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** Pipelines that somebody has started and statuses they have reported. */
@Injectable()
export class BuildContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  handOverSome(userId: number, ghostId: number): Promise<boolean> {
    return this.giveSome(userId, ghostId);
  }

  /** What was built is the project's, so it stays and only forgets who did it. */
  removeSome(userId: number): Promise<boolean> {
    return this.giveSome(userId, null);
  }

  private async giveSome(userId: number, newId: number | null): Promise<boolean> {
    const statuses = await this.database.prepared(
      'give_commit_statuses',
      `UPDATE commit_statuses SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM commit_statuses WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, newId, AT_ONCE],
    );
    if (statuses.length > 0) return true;
    const pipelines = await this.database.prepared(
      'give_pipelines',
      `UPDATE pipelines SET user_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM pipelines WHERE user_id = $1 LIMIT $3)) RETURNING id`,
      [userId, newId, AT_ONCE],
    );
    return pipelines.length > 0;
  }
}
