import { Database, hydrate, paginate, substringPattern } from '#libs/database';
import type { Visibility } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { groupsOfMember } from '../members/groups-of-member';
import { LIVE_MEMBER } from '../members/live-member';
import { Namespace } from './namespace.entity';
import { RoutesRepository } from './routes.repository';

/** What a new namespace is made of; what is left out has the column's default. */
export interface NewNamespace {
  readonly kind: 'user' | 'group';
  /** The user of a personal namespace. */
  readonly ownerId?: number;
  readonly name: string;
  readonly path: string;
  readonly visibility: Visibility;
  readonly description?: string;
  readonly lfsEnabled?: boolean;
  readonly requestAccessEnabled?: boolean;
  readonly sharedRunnersMinutesLimit?: number | null;
  readonly extraSharedRunnersMinutesLimit?: number | null;
  readonly shareWithGroupLock?: boolean;
}

interface Named {
  readonly id: number;
  readonly full_path: string;
  readonly full_name: string;
}

const FULL_NAME = `(
  SELECT string_agg(a.name, ' / ' ORDER BY array_position(n.traversal_ids, a.id))
  FROM namespaces a WHERE a.id = ANY(n.traversal_ids))`;

const FROM_ROUTE = `SELECT n.*, r.path AS full_path, ${FULL_NAME} AS full_name
  FROM namespaces n JOIN routes r ON r.namespace_id = n.id WHERE NOT n.pending_delete`;

/** Groups and personal namespaces in which the user `:userId` has a say, by a membership in them or above them. */
const OF_USER = `
  SELECT own.id FROM namespaces own WHERE own.owner_id = :userId UNION ALL ${groupsOfMember(':userId', '0')}`;

@Injectable()
export class NamespacesRepository {
  constructor(
    private readonly database: Database,
    private readonly routes: RoutesRepository,
  ) {}

  async find(idOrPath: number | string): Promise<Namespace | null> {
    const [name, condition] =
      typeof idOrPath === 'number'
        ? ['namespace_by_id', 'n.id = $1']
        : ['namespace_by_path', 'lower(r.path) = lower($1)'];
    const [row] = await this.database.prepared<Named>(name, `${FROM_ROUTE} AND ${condition}`, [idOrPath]);
    return row ? namespaceOf(row) : null;
  }

  /** In the order of their ids. */
  async byIds(ids: readonly number[]): Promise<Namespace[]> {
    if (ids.length === 0) return [];
    const text = `${FROM_ROUTE} AND n.id = ANY($1::bigint[]) ORDER BY n.id`;
    return (await this.database.prepared<Named>('namespaces_by_ids', text, [ids])).map(namespaceOf);
  }

  /** All namespaces, or those of one user. */
  async page(
    userId: number | null,
    search: string | undefined,
    request: PageRequest,
  ): Promise<Page<Namespace>> {
    const query = this.database.manager
      .createQueryBuilder(Namespace, 'namespace')
      .where('NOT namespace.pendingDelete')
      .orderBy('namespace.id', 'ASC');
    if (userId !== null) query.andWhere(`namespace.id = ANY(ARRAY(${OF_USER}))`, { userId });
    if (search) {
      const pattern = substringPattern(search);
      query.andWhere('(lower(namespace.name) LIKE :pattern OR lower(namespace.path) LIKE :pattern)', {
        pattern,
      });
    }
    const page = await paginate(query, request);
    await this.attachNames(page.rows);
    return page;
  }

  /** Tells full paths and full names of namespaces that were loaded without them. */
  async attachNames(namespaces: readonly Namespace[]): Promise<void> {
    if (namespaces.length === 0) return;
    const rows: Named[] = await this.database.manager.query(
      `SELECT n.id, r.path AS full_path, ${FULL_NAME} AS full_name
       FROM namespaces n JOIN routes r ON r.namespace_id = n.id WHERE n.id = ANY($1::bigint[])`,
      [namespaces.map(({ id }) => id)],
    );
    const named = new Map(rows.map((row) => [row.id, row]));
    for (const namespace of namespaces) {
      const row = named.get(namespace.id);
      namespace.fullPath = row?.full_path ?? namespace.path;
      namespace.fullName = row?.full_name ?? namespace.name;
    }
  }

  /** Whether a user, group or project has the full path, in any letter case. */
  async pathIsTaken(fullPath: string): Promise<boolean> {
    const text = 'SELECT 1 FROM routes WHERE lower(path) = lower($1)';
    return (await this.database.prepared('path_is_taken', text, [fullPath])).length > 0;
  }

  /** The user's greatest live level in the namespace or above it; 0 outside of it. */
  async levelOf(userId: number, namespace: Pick<Namespace, 'traversalIds'>): Promise<number> {
    const [row] = await this.database.prepared<{ level: number }>(
      'level_in_namespace',
      `SELECT coalesce(max(m.access_level), 0)::int AS level FROM members m
       WHERE m.source_kind = 'namespace' AND m.source_id = ANY($2::bigint[]) AND m.user_id = $1
         AND ${LIVE_MEMBER}`,
      [userId, namespace.traversalIds],
    );
    return row?.level ?? 0;
  }

  /**
   * Inserts the namespace below its parent, with its route; call it in a transaction.
   * Throws the driver's error when path or name are taken, see `uniqueViolation`.
   */
  async insert(columns: NewNamespace, parent: Namespace | null): Promise<Namespace> {
    const id = await this.nextId();
    const { manager } = this.database;
    const traversalIds = [...(parent?.traversalIds ?? []), id];
    await manager.insert(Namespace, { ...columns, id, parentId: parent?.id ?? null, traversalIds });
    const fullPath = parent ? `${parent.fullPath}/${columns.path}` : columns.path;
    await manager.query('INSERT INTO routes (path, namespace_id) VALUES ($1, $2)', [fullPath, id]);
    await this.routes.claim(fullPath);
    const made = await this.find(id);
    if (!made) throw new Error('the namespace was inserted in this transaction');
    return made;
  }

  async setName(id: number, name: string): Promise<void> {
    await this.database.manager.update(Namespace, { id }, { name, updatedAt: new Date() });
  }

  private async nextId(): Promise<number> {
    const text = `SELECT nextval(pg_get_serial_sequence('namespaces', 'id')) AS id`;
    const [row] = await this.database.prepared<{ id: number }>('next_namespace_id', text);
    if (!row) throw new Error('a sequence always gives a number');
    return row.id;
  }
}

function namespaceOf(row: Named): Namespace {
  const facts = { fullPath: row.full_path, fullName: row.full_name, hasVisibleProject: false };
  return Object.assign(hydrate(Namespace, row), facts);
}
