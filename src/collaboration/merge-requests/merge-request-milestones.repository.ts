import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MilestoneBearers, type NoteableRef } from '../../planning/planning.api';

@Injectable()
export class MergeRequestMilestones extends MilestoneBearers {
  constructor(private readonly database: Database) {
    super();
  }

  async repoint(fromIds: readonly number[], toId: number | null): Promise<NoteableRef[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'repoint_merge_requests_to_milestone',
      `UPDATE merge_requests SET milestone_id = $2,
         updated_at = CASE WHEN $2::bigint IS NULL THEN now() ELSE updated_at END
       WHERE milestone_id = ANY($1::bigint[]) RETURNING id`,
      [[...fromIds], toId],
    );
    return rows.map(({ id }) => ({ kind: 'MergeRequest', id }));
  }

  /** Ids of the milestones that merge requests into the project have. */
  async usedIn(projectId: number): Promise<number[]> {
    const rows = await this.database.prepared<{ milestone_id: number }>(
      'milestones_of_merge_requests_in_project',
      `SELECT DISTINCT milestone_id FROM merge_requests WHERE project_id = $1 AND milestone_id IS NOT NULL`,
      [projectId],
    );
    return rows.map((row) => row.milestone_id);
  }

  /** As `repoint`, for merge requests into one project; null takes the milestone off them. */
  async repointIn(projectId: number, fromId: number, toId: number | null): Promise<void> {
    await this.database.prepared(
      'repoint_merge_requests_in_project',
      'UPDATE merge_requests SET milestone_id = $3 WHERE project_id = $1 AND milestone_id = $2',
      [projectId, fromId, toId],
    );
  }
}
