import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What projects take up beside their repositories, as those tell who keep it for them. */
@Injectable()
export class StorageFigures {
  constructor(private readonly database: Database) {}

  /**
   * So many bytes of job artifacts more, or fewer, by project. In the transaction that adds or removes them, once that
   * holds the jobs: the figures are locked last, in the order of the projects. Projects that are gone count for nothing.
   */
  async addArtifacts(bytes: ReadonlyMap<number, number>): Promise<void> {
    if (bytes.size === 0) return;
    await this.database.prepared(
      'add_artifacts_to_figures',
      `INSERT INTO project_statistics (project_id, job_artifacts_size)
       SELECT p.id, change.bytes FROM unnest($1::bigint[], $2::bigint[]) AS change(project_id, bytes)
       JOIN projects p ON p.id = change.project_id ORDER BY p.id
       ON CONFLICT (project_id) DO UPDATE SET updated_at = now(),
         job_artifacts_size = project_statistics.job_artifacts_size + excluded.job_artifacts_size`,
      [[...bytes.keys()], [...bytes.values()]],
    );
  }
}
