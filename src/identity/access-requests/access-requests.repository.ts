import { Database, hydrate, paginateStatement } from '#libs/database';
import { Level } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../members/live-member';
import { managerLevel, type MemberSource } from '../members/member-source';
import { Member } from '../members/member.entity';
import { UserDirectory } from '../users/user-directory.repository';
import type { AccessRequest } from './access-request';

interface RequestRow {
  readonly user_id: number;
  readonly requested_at: Date;
}

/** A request that stands in the table as a membership without effect. */
const REQUESTS = `
  SELECT m.user_id, m.requested_at FROM members m
  WHERE m.source_kind = $1 AND m.source_id = $2 AND m.requested_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM users gone WHERE gone.id = m.user_id AND gone.pending_delete)
  ORDER BY m.id`;

const REACHABLE = `u.state = 'active' AND u.kind = 'human' AND NOT u.pending_delete AND u.confirmed_at IS NOT NULL`;

/** Managers of the source itself go before those from above it, and greater levels before lesser ones. */
const MANAGERS = `
  SELECT DISTINCT ON (one.nearness, one.access_level, one.user_id) u.email FROM (
    SELECT 1 AS nearness, 50 AS access_level, n.owner_id AS user_id
    FROM namespaces n WHERE n.id = $3 AND n.owner_id IS NOT NULL
    UNION ALL
    SELECT source.nearness, near.access_level, near.user_id
    FROM (
      SELECT $1::text AS kind, $2::bigint AS id, 0 AS nearness
      UNION ALL
      SELECT 'namespace', above.id, 1 FROM namespaces n CROSS JOIN unnest(n.traversal_ids) AS above (id)
      WHERE n.id = $3 AND NOT ($1 = 'namespace' AND above.id = $2)
    ) AS source,
    LATERAL (
      SELECT m.access_level, m.user_id FROM members m JOIN users u ON u.id = m.user_id AND ${REACHABLE}
      WHERE m.source_kind = source.kind AND m.source_id = source.id AND m.access_level >= 40
        AND m.access_level >= $4 AND ${LIVE_MEMBER}
      ORDER BY m.access_level DESC, m.user_id LIMIT $5
    ) AS near
  ) AS one JOIN users u ON u.id = one.user_id AND ${REACHABLE}
  ORDER BY one.nearness, one.access_level DESC, one.user_id LIMIT $5`;

@Injectable()
export class AccessRequestsRepository {
  constructor(
    private readonly database: Database,
    private readonly directory: UserDirectory,
  ) {}

  /** The oldest first. Costs three queries at most. */
  async page({ kind, id }: MemberSource, request: PageRequest): Promise<Page<AccessRequest>> {
    const page = await paginateStatement<RequestRow>(this.database, REQUESTS, [kind, id], request);
    const users = await this.directory.byIds(page.rows.map((row) => row.user_id));
    return {
      ...page,
      rows: page.rows.flatMap(({ user_id: userId, requested_at: requestedAt }) => {
        const user = users.get(userId);
        return user ? [{ user, requestedAt }] : [];
      }),
    };
  }

  /** When the request was made; null where there is one already, or a membership that counts. An ended one gives way. */
  async insert({ kind, id }: MemberSource, userId: number): Promise<Date | null> {
    const [row] = await this.database.prepared<{ requested_at: Date }>(
      'insert_access_request',
      `INSERT INTO members AS m (source_kind, source_id, user_id, access_level, requested_at)
       VALUES ($1, $2, $3, ${Level.developer}, now())
       ON CONFLICT (source_kind, source_id, user_id) DO UPDATE SET
         access_level = excluded.access_level, expires_at = NULL, requested_at = excluded.requested_at,
         ldap = false, created_by_id = NULL, created_at = now(), updated_at = now()
       WHERE m.requested_at IS NULL AND NOT (${LIVE_MEMBER})
       RETURNING m.requested_at`,
      [kind, id, userId],
    );
    return row?.requested_at ?? null;
  }

  /** Locked until the transaction ends. */
  async findForChange({ kind, id }: MemberSource, userId: number): Promise<Member | null> {
    const [row] = await this.database.prepared(
      'access_request_for_change',
      `SELECT m.* FROM members m
       WHERE m.source_kind = $1 AND m.source_id = $2 AND m.user_id = $3 AND m.requested_at IS NOT NULL FOR UPDATE`,
      [kind, id, userId],
    );
    return row ? hydrate(Member, row) : null;
  }

  /** The request becomes a membership. */
  async approve({ id }: Member, accessLevel: number, approverId: number): Promise<void> {
    const changes = { accessLevel, requestedAt: null, createdById: approverId, updatedAt: new Date() };
    await this.database.manager.update(Member, { id }, changes);
  }

  async remove({ id }: Member): Promise<void> {
    await this.database.manager.delete(Member, { id });
  }

  /** Confirmed addresses of at most so many people who can decide about requests. */
  async addressesOfManagers(source: MemberSource, most: number): Promise<string[]> {
    const rows = await this.database.prepared<{ email: string }>('managers_of_source', MANAGERS, [
      source.kind,
      source.id,
      source.namespaceId,
      managerLevel(source),
      most,
    ]);
    return [...new Set(rows.map(({ email }) => email))];
  }
}
