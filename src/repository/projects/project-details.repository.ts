import type { ActorUser } from '#libs/access';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { User } from '../../identity/identity.api';
import { levelAlong, PROJECT_LEVEL } from '../callers/caller-statement';
import type { ProjectAccess, ProjectOwner, ProjectShare, ProjectStatistics } from './project-details';

interface AccessRow extends ProjectAccess {
  readonly id: number;
}

interface ShareRow extends ProjectShare {
  readonly projectId: number;
}

interface StatisticsRow extends ProjectStatistics {
  readonly projectId: number;
}

const ACCESS = `
  WITH c AS (SELECT $1::bigint AS user_id)
  SELECT s.id, ${PROJECT_LEVEL}::int AS level,
    (SELECT m.access_level FROM members m
     WHERE m.source_kind = 'project' AND m.source_id = s.id AND m.user_id = c.user_id AND ${LIVE_MEMBER}) AS direct,
    ${levelAlong('s.namespace_traversal_ids')} AS inherited
  FROM c, (
    SELECT p.id, n.owner_id AS namespace_owner_id, n.traversal_ids AS namespace_traversal_ids
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY($2::bigint[])) AS s`;

const SHARES = `
  SELECT share.project_id AS "projectId", g.id AS "groupId", g.name AS "groupName", r.path AS "groupFullPath",
    share.group_access AS "groupAccess", share.expires_at::text AS "expiresAt"
  FROM project_shares share JOIN namespaces g ON g.id = share.group_id JOIN routes r ON r.namespace_id = g.id
  WHERE share.project_id = ANY($1::bigint[]) AND NOT g.pending_delete
    AND (share.expires_at IS NULL OR share.expires_at > current_date)
    AND (g.visibility = 'public' OR (g.visibility = 'internal' AND $3::boolean) OR $4::boolean
      OR EXISTS (SELECT 1 FROM members m WHERE m.source_kind = 'namespace' AND m.source_id = ANY(g.traversal_ids)
        AND m.user_id = $2 AND ${LIVE_MEMBER}))
  ORDER BY share.id`;

const STATISTICS = `
  SELECT project_id AS "projectId", commit_count AS "commitCount", repository_size AS "repositorySize",
    wiki_size AS "wikiSize", lfs_objects_size AS "lfsObjectsSize", job_artifacts_size AS "jobArtifactsSize",
    packages_size AS "packagesSize"
  FROM project_statistics WHERE project_id = ANY($1::bigint[])`;

/** What records of projects tell beside the projects' own columns: a query of each kind, however many projects. */
@Injectable()
export class ProjectDetailsRepository {
  constructor(private readonly database: Database) {}

  async accessOf(userId: number, projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectAccess>> {
    const rows = await this.database.prepared<AccessRow>('access_to_projects', ACCESS, [userId, projectIds]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Shares with groups that the user may know of, by project. */
  async sharesOf(
    user: ActorUser,
    projectIds: readonly number[],
  ): Promise<ReadonlyMap<number, ProjectShare[]>> {
    const values = [projectIds, user.id, !user.isExternal, user.isAdmin];
    const rows = await this.database.prepared<ShareRow>('shares_of_projects', SHARES, values);
    const shares = new Map<number, ProjectShare[]>(projectIds.map((id) => [id, []]));
    for (const row of rows) shares.get(row.projectId)?.push(row);
    return shares;
  }

  async ownersOf(userIds: readonly number[]): Promise<ReadonlyMap<number, ProjectOwner>> {
    if (userIds.length === 0) return new Map();
    const text =
      'SELECT id, username, name, state, avatar, created_at FROM users WHERE id = ANY($1::bigint[])';
    const rows = await this.database.prepared('owners_of_projects', text, [userIds]);
    return new Map(rows.map((row) => hydrate(User, row)).map((user) => [user.id, user]));
  }

  async statisticsOf(projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectStatistics>> {
    const rows = await this.database.prepared<StatisticsRow>('statistics_of_projects', STATISTICS, [
      projectIds,
    ]);
    return new Map(rows.map((row) => [row.projectId, row]));
  }

  async keepFigures(
    projectId: number,
    figures: { commitCount: number; repositorySize: number; wikiSize: number; readmePath: string | null },
  ) {
    await this.database.prepared(
      'keep_project_figures',
      `WITH readme AS (
         UPDATE projects SET readme_path = $4 WHERE id = $1 AND readme_path IS DISTINCT FROM $4)
       INSERT INTO project_statistics (project_id, commit_count, repository_size, wiki_size)
       SELECT id, $2, $3, $5 FROM projects WHERE id = $1
       ON CONFLICT (project_id) DO UPDATE
         SET commit_count = excluded.commit_count, repository_size = excluded.repository_size,
           wiki_size = excluded.wiki_size, updated_at = now()`,
      [projectId, figures.commitCount, figures.repositorySize, figures.readmePath, figures.wikiSize],
    );
  }
}
