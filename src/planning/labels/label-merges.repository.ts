import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Label } from './label.entity';

/** Of several labels on one thing that become one, a single one stays. */
const duplicates = (column: string): string => `
  DELETE FROM label_links WHERE id IN (
    SELECT link.id FROM (
      SELECT id, row_number() OVER (PARTITION BY ${column} ORDER BY label_id <> $2, id) AS place
      FROM label_links WHERE ${column} IS NOT NULL AND label_id = ANY($1::bigint[] || $2::bigint)) AS link
    WHERE link.place > 1)`;

/** Makes one label of several; all in a transaction that holds them. */
@Injectable()
export class LabelMergesRepository {
  constructor(private readonly database: Database) {}

  /** Locks the titles of a group: others who would make or merge labels there wait. False when it is gone. */
  async holdGroup(groupId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'hold_group_of_labels',
      `SELECT 1 FROM namespaces WHERE id = $1 AND kind = 'group' AND NOT pending_delete FOR NO KEY UPDATE`,
      [groupId],
    );
    return rows.length > 0;
  }

  /** The projects right in the group that have a label of this title. */
  async projectsWith(groupId: number, title: string): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'projects_with_label',
      `SELECT p.id FROM labels l JOIN projects p ON p.id = l.project_id WHERE p.namespace_id = $1 AND l.title = $2`,
      [groupId, title],
    );
    return rows.map(({ id }) => id);
  }

  /** The labels of this title of these projects, as far as they are right in the group; nobody puts them on anything until the end. */
  async holdNamesakes(groupId: number, title: string, projectIds: readonly number[]): Promise<Label[]> {
    const rows = await this.database.prepared(
      'hold_labels_of_projects',
      `SELECT l.* FROM labels l JOIN projects p ON p.id = l.project_id
       WHERE p.namespace_id = $1 AND l.title = $2 AND p.id = ANY($3::bigint[]) ORDER BY l.id FOR UPDATE OF l`,
      [groupId, title, projectIds],
    );
    return rows.map((row) => hydrate(Label, row));
  }

  /** Whatever has, had or thinks of the labels has the other one afterwards; they themselves are gone. */
  async merge(fromIds: readonly number[], toId: number): Promise<void> {
    const values = [[...fromIds], toId];
    const run = (text: string): Promise<unknown> => this.database.manager.query(text, values);
    // Rows are changed rather than made anew: a new one would wait for whoever changes the issue, and they for us.
    for (const column of ['issue_id', 'merge_request_id', 'epic_id']) await run(duplicates(column));
    await run('UPDATE label_links SET label_id = $2 WHERE label_id = ANY($1::bigint[])');
    await run('UPDATE label_events SET label_id = $2 WHERE label_id = ANY($1::bigint[])');
    await run(`
      INSERT INTO label_priorities (project_id, label_id, priority)
      SELECT project_id, $2, min(priority) FROM label_priorities WHERE label_id = ANY($1::bigint[])
      GROUP BY project_id ON CONFLICT DO NOTHING`);
    await run(`
      INSERT INTO subscriptions (user_id, label_id, project_id, subscribed)
      SELECT DISTINCT ON (s.user_id, l.project_id) s.user_id, $2, l.project_id, s.subscribed
      FROM subscriptions s JOIN labels l ON l.id = s.label_id
      WHERE s.label_id = ANY($1::bigint[]) ORDER BY s.user_id, l.project_id, s.id ON CONFLICT DO NOTHING`);
    await this.database.manager.query('DELETE FROM labels WHERE id = ANY($1::bigint[])', [[...fromIds]]);
  }
}
