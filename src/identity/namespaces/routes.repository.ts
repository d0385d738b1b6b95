import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** The path `$1` and everything below it. The index finds them by the beginning of the path. */
export const PATHS_FROM = `(lower(path) = lower($1) OR lower(path) LIKE replace(lower($1), '_', '\\_') || '/%')`;

/** What was moved leaves a redirect behind, unless only the letter case has changed. */
const LEAVE_REDIRECTS = `
  INSERT INTO route_redirects (path, namespace_id, project_id)
  SELECT former.path, former.namespace_id, former.project_id FROM former
  JOIN moved ON moved.id = former.id AND lower(moved.path) <> lower(former.path)
  ON CONFLICT (lower(path)) DO UPDATE
    SET namespace_id = excluded.namespace_id, project_id = excluded.project_id, created_at = now()`;

/**
 * Full paths that change. A former path leads to where its owner went until somebody else takes it. All in a
 * transaction; what moves is locked first, so that the path it is left with is the one it really had.
 */
@Injectable()
export class RoutesRepository {
  constructor(private readonly database: Database) {}

  /** A namespace and everything inside. Throws the driver's error when a path is taken, see `uniqueViolation`. */
  async moveTree(from: string, to: string): Promise<void> {
    await this.database.manager.query(
      `WITH former AS (SELECT id, path, namespace_id, project_id FROM routes WHERE ${PATHS_FROM} FOR UPDATE),
       moved AS (
         UPDATE routes SET path = $2::text || substr(former.path, length($1) + 1) FROM former
         WHERE routes.id = former.id RETURNING routes.id, routes.path)
       ${LEAVE_REDIRECTS}`,
      [from, to],
    );
    await this.claim(to);
  }

  /**
   * A project, to its path in a namespace that the caller holds. Throws the driver's error when the path is taken, see
   * `uniqueViolation`.
   */
  async moveProject(projectId: number, to: { namespaceId: number; path: string }): Promise<void> {
    const { manager } = this.database;
    await manager.query(
      `WITH former AS (SELECT id, path, namespace_id, project_id FROM routes WHERE project_id = $1 FOR UPDATE),
       moved AS (
         UPDATE routes SET path = namespace.path || '/' || $3::text FROM former, routes namespace
         WHERE routes.id = former.id AND namespace.namespace_id = $2 RETURNING routes.id, routes.path)
       ${LEAVE_REDIRECTS}`,
      [projectId, to.namespaceId, to.path],
    );
    const [route]: { path: string }[] = await manager.query('SELECT path FROM routes WHERE project_id = $1', [
      projectId,
    ]);
    if (route) await this.claim(route.path);
  }

  /** For whoever has just got the path: what led from it, and from below it, to somewhere else does so no longer. */
  async claim(fullPath: string): Promise<void> {
    await this.database.manager.query(`DELETE FROM route_redirects WHERE ${PATHS_FROM}`, [fullPath]);
  }
}
