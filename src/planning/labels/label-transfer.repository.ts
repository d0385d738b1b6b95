import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Label } from './label.entity';

/** SQL for the ids of what in the project $1 can have labels, by the column of label links and events. */
const INSIDE = {
  issue_id: 'SELECT i.id FROM issues i WHERE i.project_id = $1',
  merge_request_id: 'SELECT mr.id FROM merge_requests mr WHERE mr.project_id = $1',
} as const;

const COLUMNS = ['issue_id', 'merge_request_id'] as const;

/** SQL over a row `l` of labels: a group lends it, but not to what is in the namespace $2. */
const IS_LOST = `l.group_id IS NOT NULL AND NOT l.group_id = ANY(
  (SELECT above.traversal_ids FROM namespaces above WHERE above.id = $2)::bigint[])`;

/** What a project has of the labels of groups that it is not in any more; all in the transaction of its move. */
@Injectable()
export class LabelTransferRepository {
  constructor(private readonly database: Database) {}

  /** Those that something has, or that the project gives a priority; nobody removes them until the end. */
  async lost(projectId: number, namespaceId: number): Promise<Label[]> {
    const rows = await this.database.manager.query<object[]>(
      `SELECT l.* FROM labels l WHERE ${IS_LOST} AND l.id IN (
         SELECT link.label_id FROM label_links link WHERE link.issue_id IN (${INSIDE.issue_id})
         UNION SELECT link.label_id FROM label_links link WHERE link.merge_request_id IN (${INSIDE.merge_request_id})
         UNION SELECT ranked.label_id FROM label_priorities ranked WHERE ranked.project_id = $1)
       ORDER BY l.id FOR KEY SHARE OF l`,
      [projectId, namespaceId],
    );
    return rows.map((row) => hydrate(Label, row));
  }

  /** What in the project has, had or thinks of the one label has the other afterwards. */
  async replace(projectId: number, fromId: number, toId: number): Promise<void> {
    const values = [projectId, fromId, toId];
    const { manager } = this.database;
    for (const column of COLUMNS) {
      const mine = `label_id = $2 AND ${column} IN (${INSIDE[column]})`;
      // Rows are changed rather than made anew: a new one would wait for whoever changes the issue.
      await manager.query(
        `DELETE FROM label_links link WHERE link.${mine} AND EXISTS (
           SELECT 1 FROM label_links other WHERE other.${column} = link.${column} AND other.label_id = $3)`,
        values,
      );
      await manager.query(`UPDATE label_links SET label_id = $3 WHERE ${mine}`, values);
      await manager.query(`UPDATE label_events SET label_id = $3 WHERE ${mine}`, values);
    }
    await manager.query(
      `INSERT INTO label_priorities (project_id, label_id, priority)
       SELECT project_id, $3, priority FROM label_priorities WHERE project_id = $1 AND label_id = $2
       ON CONFLICT DO NOTHING`,
      values,
    );
    await manager.query(
      `INSERT INTO subscriptions (user_id, label_id, project_id, subscribed)
       SELECT s.user_id, $3, CASE WHEN l.group_id IS NOT NULL THEN $1::bigint END, s.subscribed
       FROM subscriptions s, labels l WHERE s.project_id = $1 AND s.label_id = $2 AND l.id = $3
       ON CONFLICT DO NOTHING`,
      values,
    );
  }

  /** The rest says nothing any more about labels that people here may not know. */
  async forget(projectId: number, namespaceId: number): Promise<void> {
    const values = [projectId, namespaceId];
    const { manager } = this.database;
    const lost = `label_id IN (SELECT l.id FROM labels l WHERE ${IS_LOST})`;
    await manager.query(`DELETE FROM label_priorities WHERE project_id = $1 AND ${lost}`, values);
    await manager.query(`DELETE FROM subscriptions WHERE project_id = $1 AND ${lost}`, values);
    for (const column of COLUMNS) {
      await manager.query(
        `UPDATE label_events SET label_id = NULL WHERE ${column} IN (${INSIDE[column]}) AND ${lost}`,
        values,
      );
    }
  }
}
