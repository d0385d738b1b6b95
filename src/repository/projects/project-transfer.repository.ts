import type { Visibility } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { RoutesRepository, type Namespace } from '../../identity/identity.api';
import { PROJECT_LEVEL } from '../callers/caller-statement';
import { ForkRelationsRepository } from '../forks/fork-relations.repository';
import type { Project } from './project.entity';

/** The level of the user `a.user_id` in the project $1. */
const LEVEL = `(
  SELECT ${PROJECT_LEVEL} FROM (SELECT a.user_id AS user_id) AS c, (
    SELECT p.id, n.owner_id AS namespace_owner_id, n.traversal_ids AS namespace_traversal_ids
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1) AS s)`;

/**
 * Takes groups that the project is not shared with, and users without access to it, out of its rules on branches. What
 * then nobody would be allowed to do is maintainers' to do.
 */
const FORGET_OUTSIDERS = `
  WITH gone AS (
    DELETE FROM protected_branch_access a USING protected_branches b
    WHERE b.id = a.protected_branch_id AND b.project_id = $1 AND (
      (a.group_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM project_shares share WHERE share.project_id = $1 AND share.group_id = a.group_id))
      OR (a.user_id IS NOT NULL AND ${LEVEL} = 0))
    RETURNING a.id, a.protected_branch_id, a.action)
  INSERT INTO protected_branch_access (protected_branch_id, action, access_level)
  SELECT DISTINCT gone.protected_branch_id, gone.action, 40 FROM gone
  WHERE NOT EXISTS (
    SELECT 1 FROM protected_branch_access stays
    WHERE stays.protected_branch_id = gone.protected_branch_id AND stays.action = gone.action
      AND stays.id NOT IN (SELECT id FROM gone))`;

/** Moves of projects between namespaces; all in a transaction. */
@Injectable()
export class ProjectTransferRepository {
  constructor(
    private readonly database: Database,
    private readonly routes: RoutesRepository,
    private readonly forks: ForkRelationsRepository,
  ) {}

  /** Keeps others from changing the project, and its forks, which may become less visible with it. */
  async lock(projectId: number): Promise<void> {
    await this.forks.holdFamily(projectId);
  }

  /**
   * With its route; the former path leads there. What only made sense where the project was is forgotten: that it is a
   * group's templates, that it is shared with a group that now owns it, and people in its rules who have no access any
   * more. Throws the driver's error when a name is taken.
   */
  async move(
    { id, path }: Pick<Project, 'id' | 'path'>,
    to: Pick<Namespace, 'id' | 'traversalIds'>,
    visibility: Visibility,
  ): Promise<void> {
    const { manager } = this.database;
    await manager.query(
      'UPDATE projects SET namespace_id = $2, visibility = $3, updated_at = now() WHERE id = $1',
      [id, to.id, visibility],
    );
    await this.forks.limitVisibility(id, visibility);
    await this.routes.moveProject(id, { namespaceId: to.id, path });
    await manager.query(
      'UPDATE namespaces SET file_template_project_id = NULL WHERE file_template_project_id = $1',
      [id],
    );
    await manager.query('DELETE FROM project_shares WHERE project_id = $1 AND group_id = ANY($2::bigint[])', [
      id,
      to.traversalIds,
    ]);
    await manager.query(FORGET_OUTSIDERS, [id]);
  }
}
