import { Database, hydrate, paginateStatement, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../users/user-directory.repository';
import { Member, type Membership } from './member.entity';
import { LIVE_MEMBER } from './live-member';
import { directMembers, effectiveMembers, MATCHING_USERS } from './member-lists';
import type { MemberSearch } from './member-search';
import type { MemberSource } from './member-source';

export interface NewMember {
  readonly userId: number;
  readonly accessLevel: number;
  readonly expiresAt?: string | null;
  /** Null: an identity provider brought them. */
  readonly createdById: number | null;
}

interface MembershipRow {
  readonly user_id: number;
  readonly access_level: number;
  readonly expires_at: string | null;
}

/** Users are looked up in a source one by one up to this number. */
const FEW_MATCHES = 5_000;

@Injectable()
export class MembersRepository {
  constructor(
    private readonly database: Database,
    private readonly directory: UserDirectory,
  ) {}

  /** In the order of user ids. Costs four queries at most. */
  async page(source: MemberSource, search: MemberSearch, request: PageRequest): Promise<Page<Membership>> {
    const { pattern, userIds } = await this.narrowed(search);
    const statement = (search.withInherited ? effectiveMembers : directMembers)(pattern !== null);
    const values = [
      source.kind,
      source.id,
      source.namespaceId,
      userIds,
      ...(pattern === null ? [] : [pattern]),
    ];
    const page = await paginateStatement<MembershipRow>(this.database, statement, values, request);
    return { ...page, rows: await this.withUsers(page.rows) };
  }

  async find(source: MemberSource, userId: number, withInherited: boolean): Promise<Membership | null> {
    const page = await this.page(source, { withInherited, userIds: [userId] }, { page: 1, perPage: 1 });
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
         access_level = excluded.access_level, expires_at = excluded.expires_at, requested_at = NULL, ldap = false,
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

  /** Removes at most so many memberships that have ended; answers how many. Those that somebody changes are left alone. */
  async removeExpired(most: number): Promise<number> {
    const rows = await this.database.prepared(
      'remove_expired_members',
      `DELETE FROM members WHERE id = ANY (ARRAY(
         SELECT m.id FROM members m WHERE m.expires_at <= current_date
         ORDER BY m.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING id`,
      [most],
    );
    return rows.length;
  }

  /** Makes changes of a group's members wait for each other until the transaction ends, so that one owner stays. */
  async lockGroup(groupId: number): Promise<void> {
    const text = 'SELECT 1 FROM namespaces WHERE id = $1 FOR NO KEY UPDATE';
    await this.database.prepared('lock_group', text, [groupId]);
  }

  /** Whether the group has an owner besides the user, in itself or above it: one who is neither blocked nor leaving. */
  async hasOtherOwner(groupId: number, userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'other_group_owner',
      `SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
       WHERE m.source_kind = 'namespace' AND m.access_level = 50 AND m.user_id <> $2 AND ${LIVE_MEMBER}
         AND u.state NOT IN ('blocked', 'ldap_blocked') AND NOT u.pending_delete
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

  /** Whether a group around the namespace keeps the projects in it from getting members of their own. */
  async isLocked(namespaceId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'member_lock',
      `SELECT 1 FROM namespaces n JOIN namespaces around ON around.id = ANY(n.traversal_ids)
       WHERE n.id = $1 AND around.membership_lock LIMIT 1`,
      [namespaceId],
    );
    return rows.length > 0;
  }

  /** A search that few users match is one for these users; for one that many match, members are tested one by one. */
  private async narrowed(
    search: MemberSearch,
  ): Promise<{ pattern: string | null; userIds: readonly number[] | null }> {
    const { query, userIds = null } = search;
    if (!query) return { pattern: null, userIds };
    const pattern = substringPattern(query);
    const rows: { id: number }[] = await this.database.manager.query(MATCHING_USERS, [
      pattern,
      FEW_MATCHES + 1,
    ]);
    if (rows.length > FEW_MATCHES) return { pattern, userIds };
    const found = rows.map(({ id }) => id);
    const wanted = userIds && new Set(userIds);
    return { pattern: null, userIds: wanted ? found.filter((id) => wanted.has(id)) : found };
  }

  private async withUsers(rows: readonly MembershipRow[]): Promise<Membership[]> {
    const users = await this.directory.byIds(rows.map((row) => row.user_id));
    return rows.flatMap(({ user_id: userId, access_level: accessLevel, expires_at: expiresAt }) => {
      const user = users.get(userId);
      return user ? [{ user, accessLevel, expiresAt }] : [];
    });
  }
}
