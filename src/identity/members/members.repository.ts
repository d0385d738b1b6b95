import { Database, hydrate, paginateStatement, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../users/user-directory.repository';
import { Member, type Membership } from './member.entity';
import type { MemberSource } from './member-source';
import { LIVE_MEMBER } from './live-member';

export interface NewMember {
  readonly userId: number;
  readonly accessLevel: number;
  readonly expiresAt?: string | null;
  readonly createdById: number;
}

export interface MemberSearch {
  /** Inherited and shared memberships count too. */
  readonly withInherited: boolean;
  /** Part of the name or username. */
  readonly query?: string | undefined;
  readonly userId?: number | undefined;
}

interface MembershipRow {
  readonly user_id: number;
  readonly access_level: number;
  readonly expires_at: string | null;
}

const DIRECT = `
  SELECT m.user_id, m.access_level, m.expires_at FROM members m
  WHERE m.source_kind = $1 AND m.source_id = $2 AND ${LIVE_MEMBER} AND $3::bigint IS NOT NULL`;

/** The greatest level of each user: direct, from above, through a share that caps it, or as the owner of the namespace. */
const EFFECTIVE = `
  SELECT DISTINCT ON (one.user_id) one.user_id, one.access_level, one.expires_at FROM (
    SELECT m.user_id, m.access_level, m.expires_at FROM members m
    WHERE m.source_kind = $1 AND m.source_id = $2 AND ${LIVE_MEMBER}
    UNION ALL
    SELECT m.user_id, m.access_level, m.expires_at FROM members m
    WHERE m.source_kind = 'namespace' AND ${LIVE_MEMBER}
      AND m.source_id = ANY((SELECT n.traversal_ids FROM namespaces n WHERE n.id = $3)::bigint[])
    UNION ALL
    SELECT m.user_id, least(share.group_access, m.access_level), least(share.expires_at, m.expires_at)
    FROM project_shares share
    JOIN namespaces g ON g.id = share.group_id
    JOIN members m ON m.source_kind = 'namespace' AND m.source_id = ANY(g.traversal_ids) AND ${LIVE_MEMBER}
    WHERE $1 = 'project' AND share.project_id = $2
      AND (share.expires_at IS NULL OR share.expires_at > current_date)
    UNION ALL
    SELECT n.owner_id, 50, NULL FROM namespaces n WHERE n.id = $3 AND n.owner_id IS NOT NULL
  ) AS one ORDER BY one.user_id, one.access_level DESC, one.expires_at DESC NULLS FIRST`;

@Injectable()
export class MembersRepository {
  constructor(
    private readonly database: Database,
    private readonly directory: UserDirectory,
  ) {}

  /** In the order of user ids. Costs three queries at most. */
  async page(source: MemberSource, search: MemberSearch, request: PageRequest): Promise<Page<Membership>> {
    const text = `
      SELECT members.* FROM (${search.withInherited ? EFFECTIVE : DIRECT}) AS members
      JOIN users u ON u.id = members.user_id
      WHERE ($4::bigint IS NULL OR u.id = $4)
        AND ($5::text IS NULL OR lower(u.name) LIKE $5 OR lower(u.username) LIKE $5)
      ORDER BY members.user_id`;
    const pattern = search.query ? substringPattern(search.query) : null;
    const values = [source.kind, source.id, source.namespaceId, search.userId ?? null, pattern];
    const page = await paginateStatement<MembershipRow>(this.database, text, values, request);
    return { ...page, rows: await this.withUsers(page.rows) };
  }

  async find(source: MemberSource, userId: number, withInherited: boolean): Promise<Membership | null> {
    const page = await this.page(source, { withInherited, userId }, { page: 1, perPage: 1 });
    return page.rows[0] ?? null;
  }

  /** The direct live membership, locked until the transaction ends. */
  async findForChange({ kind, id }: MemberSource, userId: number): Promise<Member | null> {
    const text = `SELECT m.* FROM members m
      WHERE m.source_kind = $1 AND m.source_id = $2 AND m.user_id = $3 AND ${LIVE_MEMBER} FOR UPDATE`;
    const [row] = await this.database.prepared('member_for_change', text, [kind, id, userId]);
    return row ? hydrate(Member, row) : null;
  }

  /** A request for access or an expired membership is replaced. False where there is a live membership. */
  async insert({ kind, id }: Pick<MemberSource, 'kind' | 'id'>, member: NewMember): Promise<boolean> {
    const rows = await this.database.prepared(
      'insert_member',
      `INSERT INTO members AS m (source_kind, source_id, user_id, access_level, expires_at, created_by_id)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (source_kind, source_id, user_id) DO UPDATE SET
         access_level = excluded.access_level, expires_at = excluded.expires_at, requested_at = NULL,
         created_by_id = excluded.created_by_id, created_at = now(), updated_at = now()
       WHERE NOT (${LIVE_MEMBER}) RETURNING m.id`,
      [kind, id, member.userId, member.accessLevel, member.expiresAt ?? null, member.createdById],
    );
    return rows.length > 0;
  }

  async update(member: Member): Promise<void> {
    const { id, accessLevel, expiresAt } = member;
    await this.database.manager.update(Member, { id }, { accessLevel, expiresAt, updatedAt: new Date() });
  }

  async remove({ id }: Member): Promise<void> {
    await this.database.manager.delete(Member, { id });
  }

  /** Makes changes of a group's members wait for each other until the transaction ends, so that one owner stays. */
  async lockGroup(groupId: number): Promise<void> {
    const text = 'SELECT 1 FROM namespaces WHERE id = $1 FOR NO KEY UPDATE';
    await this.database.prepared('lock_group', text, [groupId]);
  }

  /** Whether the group has a live owner besides the user, in itself or above it. */
  async hasOtherOwner(groupId: number, userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'other_group_owner',
      `SELECT 1 FROM members m
       WHERE m.source_kind = 'namespace' AND m.access_level = 50 AND m.user_id <> $2 AND ${LIVE_MEMBER}
         AND m.source_id = ANY((SELECT n.traversal_ids FROM namespaces n WHERE n.id = $1)::bigint[]) LIMIT 1`,
      [groupId, userId],
    );
    return rows.length > 0;
  }

  /** The greatest membership that the user has from above the source, and the name of the group it comes from. */
  async inherited(
    source: MemberSource,
    userId: number,
  ): Promise<{ accessLevel: number; groupName: string } | null> {
    const [row] = await this.database.prepared<{ access_level: number; name: string }>(
      'inherited_membership',
      `SELECT m.access_level, g.name FROM namespaces n
       JOIN members m ON m.source_kind = 'namespace' AND m.source_id = ANY(n.traversal_ids)
         AND m.user_id = $2 AND ${LIVE_MEMBER}
       JOIN namespaces g ON g.id = m.source_id
       WHERE n.id = $1 AND NOT ($3 = 'namespace' AND m.source_id = n.id)
       ORDER BY m.access_level DESC, m.id LIMIT 1`,
      [source.namespaceId, userId, source.kind],
    );
    return row ? { accessLevel: row.access_level, groupName: row.name } : null;
  }

  private async withUsers(rows: readonly MembershipRow[]): Promise<Membership[]> {
    const users = await this.directory.byIds(rows.map((row) => row.user_id));
    return rows.flatMap(({ user_id: userId, access_level: accessLevel, expires_at: expiresAt }) => {
      const user = users.get(userId);
      return user ? [{ user, accessLevel, expiresAt }] : [];
    });
  }
}
