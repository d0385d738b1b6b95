import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';

/** Moves of projects between namespaces; all in a transaction. */
@Injectable()
export class ProjectTransferRepository {
  constructor(private readonly database: Database) {}

  /** Keeps others from changing the project until the transaction ends. */
  async lock(projectId: number): Promise<void> {
    const text = 'SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE';
    await this.database.prepared('lock_project', text, [projectId]);
  }

  /**
   * With its route. What only made sense where the project was is forgotten: that it is a group's templates, and that
   * it is shared with the group that now owns it. Throws the driver's error when a name is taken.
   */
  async move(projectId: number, to: Pick<Namespace, 'id' | 'fullPath'>): Promise<void> {
    const { manager } = this.database;
    await manager.query('UPDATE projects SET namespace_id = $2, updated_at = now() WHERE id = $1', [
      projectId,
      to.id,
    ]);
    await manager.query(
      `UPDATE routes SET path = $2::text || '/' || p.path FROM projects p WHERE p.id = $1 AND routes.project_id = p.id`,
      [projectId, to.fullPath],
    );
    await manager.query(
      'UPDATE namespaces SET file_template_project_id = NULL WHERE file_template_project_id = $1',
      [projectId],
    );
    await manager.query('DELETE FROM project_shares WHERE project_id = $1 AND group_id = $2', [
      projectId,
      to.id,
    ]);
  }
}
