import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';
import { StarsRepository } from '../stars/stars.repository';

const AT_ONCE = 1000;

/** Projects that somebody has made in groups, and releases they have described: both stay, as the ghost's. Stars go. */
@Injectable()
export class ProjectContributions extends Contributions {
  constructor(
    private readonly database: Database,
    private readonly stars: StarsRepository,
  ) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    if ((await this.stars.removeSome(userId, AT_ONCE)) > 0) return true;
    const releases = await this.database.prepared(
      'hand_over_releases',
      `UPDATE releases SET author_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM releases WHERE author_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    if (releases.length > 0) return true;
    const projects = await this.database.prepared(
      'hand_over_projects',
      `UPDATE projects SET creator_id = $2
       WHERE id = ANY(ARRAY(SELECT id FROM projects WHERE creator_id = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return projects.length > 0;
  }

  /** Releases and projects are the group's: its other members keep them. */
  removeSome(userId: number, ghostId: number): Promise<boolean> {
    return this.handOverSome(userId, ghostId);
  }
}
