import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Which projects are forks of one another. */
@Injectable()
export class ForkNetworksRepository {
  constructor(private readonly database: Database) {}

  /** One comes from the other, or both from a third, be it through forks in between. */
  async areRelated(one: number, other: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'projects_of_one_fork_network',
      `SELECT 1 FROM fork_network_members a JOIN fork_network_members b ON b.network_id = a.network_id
       WHERE a.project_id = $1 AND b.project_id = $2`,
      [one, other],
    );
    return rows.length > 0;
  }
}
