import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** The rows that go with namespaces which are to be removed. */
@Injectable()
export class NamespaceRemovalRepository {
  constructor(private readonly database: Database) {}

  /** Removes memberships in the namespace and below it, `limit` at most; answers how many. */
  async removeMembers(namespaceId: number, limit: number): Promise<number> {
    const rows = await this.database.prepared(
      'remove_members_of_tree',
      `DELETE FROM members WHERE id = ANY(ARRAY(
         SELECT m.id FROM namespaces n JOIN members m ON m.source_kind = 'namespace' AND m.source_id = n.id
         WHERE n.traversal_ids @> ARRAY[$1::bigint] AND n.pending_delete LIMIT $2))
       RETURNING id`,
      [namespaceId, limit],
    );
    return rows.length;
  }

  /** The deepest of what is hidden in the namespace, itself included; `limit` at most. */
  async deepest(namespaceId: number, limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'deepest_namespaces',
      `SELECT n.id FROM namespaces n WHERE n.traversal_ids @> ARRAY[$1::bigint] AND n.pending_delete
       ORDER BY cardinality(n.traversal_ids) DESC, n.id LIMIT $2`,
      [namespaceId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Removes namespaces in which nothing is left, with their routes and shares; call it in a transaction. Once they are
   * locked nothing can be put into them any more, so what was put there meanwhile is seen. Answers whose rows are gone.
   */
  async removeEmpty(ids: readonly number[]): Promise<number[]> {
    const { manager } = this.database;
    await manager.query('SELECT 1 FROM namespaces WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE', [
      ids,
    ]);
    const rows: { id: number }[] = await manager.query(
      `SELECT n.id FROM namespaces n
       WHERE n.id = ANY($1::bigint[]) AND n.pending_delete
         AND NOT EXISTS (
           SELECT 1 FROM namespaces inside WHERE inside.traversal_ids @> ARRAY[n.id] AND (
             inside.id <> ALL($1::bigint[])
             OR EXISTS (SELECT 1 FROM projects p WHERE p.namespace_id = inside.id)))`,
      [ids],
    );
    const empty = rows.map(({ id }) => id);
    await manager.query(
      `DELETE FROM internal_ids WHERE scope_kind = 'group' AND scope_id = ANY($1::bigint[])`,
      [empty],
    );
    await manager.query(
      `DELETE FROM members WHERE source_kind = 'namespace' AND source_id = ANY($1::bigint[])`,
      [empty],
    );
    await manager.query('DELETE FROM namespaces WHERE id = ANY($1::bigint[])', [empty]);
    return empty;
  }

  /** Namespaces that wait for their removal since before the moment, those inside others left out. */
  async forgotten(before: Date, limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'forgotten_removals',
      `SELECT n.id FROM namespaces n LEFT JOIN namespaces parent ON parent.id = n.parent_id
       WHERE n.pending_delete AND n.kind = 'group' AND n.updated_at < $1 AND NOT coalesce(parent.pending_delete, false)
       ORDER BY n.id LIMIT $2`,
      [before, limit],
    );
    return rows.map(({ id }) => id);
  }
}
