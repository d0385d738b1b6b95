import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** When something has happened in projects last. */
@Injectable()
export class ProjectActivity {
  constructor(private readonly database: Database) {}

  /** Once in an hour at most, as the reference has it; with the project's other counters, so that nobody waits for it. */
  async note(projectId: number): Promise<void> {
    await this.database.beforeCommit(projectId, async () => {
      await this.database.prepared(
        'project_is_talked_about',
        `UPDATE projects SET last_activity_at = now()
         WHERE id = $1 AND last_activity_at < now() - interval '1 hour'`,
        [projectId],
      );
    });
  }
}
