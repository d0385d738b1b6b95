import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

const LOCK_WAIT = '200ms';
/** What issues have which milestone, and what becomes of it; all in transactions. */
@Injectable()
export class MilestoneMovesRepository {
  constructor(private readonly database: Database) {}

  /** The milestones of this title of all projects right in the group. */
  async namesakes(groupId: number, title: string): Promise<{ id: number; projectId: number }[]> {
    return this.database.prepared(
      'milestones_of_projects',
      `SELECT m.id, m.project_id AS "projectId" FROM milestones m JOIN projects p ON p.id = m.project_id
       WHERE p.namespace_id = $1 AND m.title = $2 ORDER BY m.id`,
      [groupId, title],
    );
  }

  /** Gives issues that have one of the milestones the other, or none, which is a change of theirs. Answers their ids. */
  async repointIssues(fromIds: readonly number[], toId: number | null): Promise<number[]> {
    // In the order of their ids, so that two who do the same do not wait for each other.
    const rows = await this.database.prepared<{ id: number }>(
      'repoint_issues_to_milestone',
      `UPDATE issues SET milestone_id = $2, updated_at = CASE WHEN $2::bigint IS NULL THEN now() ELSE updated_at END
       WHERE id IN (
         SELECT id FROM issues WHERE milestone_id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE)
       RETURNING id`,
      [[...fromIds], toId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * From now on nobody puts the milestones on anything. Who is about to has their issue locked and waits for us: so we
   * do not wait long for any issue any more, but fail.
   */
  async close(ids: readonly number[]): Promise<void> {
    const text = 'SELECT 1 FROM milestones WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE';
    await this.database.prepared('close_milestones', text, [[...ids]]);
    await this.database.manager.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.database.prepared('remove_milestones', 'DELETE FROM milestones WHERE id = ANY($1::bigint[])', [
      [...ids],
    ]);
  }
}
