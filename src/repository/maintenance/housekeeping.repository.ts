import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** When projects were last packed because somebody asked for it. */
@Injectable()
export class HousekeepingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Answers false, and changes nothing, where somebody has begun it within the hour: on any node, however that one
   * ended.
   */
  async begin(projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'begin_housekeeping',
      `INSERT INTO project_housekeepings AS known (project_id, begun_at) VALUES ($1, now())
       ON CONFLICT (project_id) DO UPDATE SET begun_at = excluded.begun_at
         WHERE known.begun_at <= now() - interval '60 minutes'
       RETURNING project_id`,
      [projectId],
    );
    return rows.length > 0;
  }
}
