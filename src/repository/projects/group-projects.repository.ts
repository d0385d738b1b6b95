import type { Visibility } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { GroupStatistics } from '../../identity/identity.api';

interface StatisticsRow {
  readonly id: number;
  readonly repositorySize: number;
  readonly wikiSize: number;
  readonly lfsObjectsSize: number;
  readonly jobArtifactsSize: number;
  readonly packagesSize: number;
}

const STATISTICS = `
  SELECT g.id,
    coalesce(sum(s.repository_size), 0)::bigint AS "repositorySize", coalesce(sum(s.wiki_size), 0)::bigint AS "wikiSize",
    coalesce(sum(s.lfs_objects_size), 0)::bigint AS "lfsObjectsSize",
    coalesce(sum(s.job_artifacts_size), 0)::bigint AS "jobArtifactsSize",
    coalesce(sum(s.packages_size), 0)::bigint AS "packagesSize"
  FROM unnest($1::bigint[]) AS g(id)
  JOIN projects p ON p.namespace_id = g.id AND NOT p.pending_delete
  JOIN project_statistics s ON s.project_id = p.id
  GROUP BY g.id`;

/** What groups ask about their projects. */
@Injectable()
export class GroupProjectsRepository {
  constructor(private readonly database: Database) {}

  /** Sums over each group's own projects, as in the reference, not those of its subgroups; groups without any are left out. */
  async statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatistics>> {
    const rows = await this.database.prepared<StatisticsRow>('statistics_of_groups', STATISTICS, [groupIds]);
    return new Map(rows.map((row) => [row.id, { ...row, storageSize: storageOf(row) }]));
  }

  async mostVisible(namespaceId: number): Promise<Visibility | null> {
    const [row] = await this.database.prepared<{ visibility: Visibility }>(
      'most_visible_project',
      `SELECT visibility FROM projects WHERE namespace_id = $1 AND visibility <> 'private' AND NOT pending_delete
       ORDER BY visibility = 'public' DESC LIMIT 1`,
      [namespaceId],
    );
    return row?.visibility ?? null;
  }

  async isIn(namespaceId: number, projectId: number): Promise<boolean> {
    const text = 'SELECT 1 FROM projects WHERE id = $2 AND namespace_id = $1 AND NOT pending_delete';
    return (await this.database.prepared('project_is_in', text, [namespaceId, projectId])).length > 0;
  }

  /** Some of the projects in the namespace and below it, hidden ones included; of those the oldest first. */
  async someIn(namespaceId: number, limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'some_projects_in',
      `SELECT p.id FROM namespaces n JOIN projects p ON p.namespace_id = n.id
       WHERE n.traversal_ids @> ARRAY[$1::bigint] LIMIT $2`,
      [namespaceId, limit],
    );
    return rows.map(({ id }) => id).sort((one, other) => one - other);
  }

  /** Keeps the project where it is until the transaction ends. False where it has been moved away meanwhile. */
  async holdIn(namespaceId: number, projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hold_project_in',
      `SELECT 1 FROM projects p JOIN namespaces n ON n.id = p.namespace_id
       WHERE p.id = $2 AND n.traversal_ids @> ARRAY[$1::bigint] FOR NO KEY UPDATE OF p`,
      [namespaceId, projectId],
    );
    return rows.length > 0;
  }
}

const storageOf = (row: StatisticsRow): number =>
  row.repositorySize + row.wikiSize + row.lfsObjectsSize + row.jobArtifactsSize + row.packagesSize;
