import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Namespace } from './namespace.entity';
import { NamespacesRepository } from './namespaces.repository';
import { PATHS_FROM, RoutesRepository } from './routes.repository';

/** The namespace `$1` and all above it, from the top down: whoever locks along a tree does so in this order. */
const FROM_TOP = `
  SELECT n.id FROM namespaces n
  WHERE n.id = ANY((SELECT self.traversal_ids FROM namespaces self WHERE self.id = $1)::bigint[])`;

/**
 * Namespaces as a tree. What is put into a namespace, and what changes or deletes it, locks it first: so nothing is
 * made in a group that is deleted at the same moment, and no path is made of one that is just renamed.
 */
@Injectable()
export class NamespaceTreeRepository {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesRepository,
    private readonly routes: RoutesRepository,
  ) {}

  /**
   * Keeps the namespace and all above it as they are until the transaction ends; others may hold them too.
   * Answers the namespace as it now is, null where it is gone or about to be removed.
   */
  async hold(id: number): Promise<Namespace | null> {
    const text = `${FROM_TOP} ORDER BY cardinality(n.traversal_ids) FOR SHARE`;
    await this.database.prepared('hold_namespaces', text, [id]);
    return this.namespaces.find(id);
  }

  /** As `hold`, and keeps everybody else from holding the namespace itself. */
  async holdForChange(id: number): Promise<Namespace | null> {
    const above = `${FROM_TOP} AND n.id <> $1 ORDER BY cardinality(n.traversal_ids) FOR SHARE`;
    await this.database.prepared('hold_namespaces_above', above, [id]);
    await this.lockSelf(id);
    return this.namespaces.find(id);
  }

  /**
   * Gives the namespace another path, and with it all that is inside; the former paths lead there. The caller holds
   * it for a change.
   * Throws the driver's error when the path is taken, see `uniqueViolation`.
   */
  async rename(namespace: Pick<Namespace, 'id' | 'path' | 'fullPath'>, path: string): Promise<void> {
    const { id, path: old, fullPath } = namespace;
    const moved = `${fullPath.slice(0, fullPath.length - old.length)}${path}`;
    const text = 'UPDATE namespaces SET path = $2, updated_at = now() WHERE id = $1';
    await this.database.manager.query(text, [id, path]);
    await this.routes.moveTree(fullPath, moved);
  }

  /** Length of the longest full path of a group that is this namespace or inside of it. */
  async longestPath({ fullPath }: Pick<Namespace, 'fullPath'>): Promise<number> {
    const [row]: { longest: number | null }[] = await this.database.manager.query(
      `SELECT max(length(path)) AS longest FROM routes WHERE namespace_id IS NOT NULL AND ${PATHS_FROM}`,
      [fullPath],
    );
    return row?.longest ?? 0;
  }

  /** Every group inside locks the sharing of its projects too. */
  async lockSharingBelow(id: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE namespaces SET share_with_group_lock = true
       WHERE traversal_ids @> ARRAY[$1::bigint] AND id <> $1 AND NOT share_with_group_lock`,
      [id],
    );
  }

  /**
   * Makes the namespace, everything inside and all their projects unreachable, in this transaction. Their paths stay
   * taken. Answers how many namespaces there are, those that were hidden before included.
   */
  async hide(id: number): Promise<number> {
    await this.lockSelf(id);
    const [row]: { hidden: number }[] = await this.database.manager.query(
      `WITH hidden AS (
         UPDATE namespaces SET pending_delete = true, updated_at = now()
         WHERE traversal_ids @> ARRAY[$1::bigint] AND NOT pending_delete)
       SELECT count(*)::int AS hidden FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]`,
      [id],
    );
    return row?.hidden ?? 0;
  }

  private async lockSelf(id: number): Promise<void> {
    const text = 'SELECT 1 FROM namespaces WHERE id = $1 FOR NO KEY UPDATE';
    await this.database.prepared('lock_namespace', text, [id]);
  }
}
