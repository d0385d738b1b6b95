import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../members/live-member';
import type { CurrentMember } from './membership-changes';

const MAX_ERROR = 500;

@Injectable()
export class GroupSyncRepository {
  constructor(private readonly database: Database) {}

  /** A comparison was asked for. */
  async expect(groupId: number): Promise<void> {
    await this.database.prepared(
      'expect_ldap_sync',
      `INSERT INTO ldap_group_syncs AS s (group_id, status) VALUES ($1, 'pending')
       ON CONFLICT (group_id) DO UPDATE SET status = 'pending' WHERE s.status <> 'started'`,
      [groupId],
    );
  }

  /** False where the group is gone. */
  async begin(groupId: number): Promise<boolean> {
    const begun = await this.database.prepared(
      'begin_ldap_sync',
      `INSERT INTO ldap_group_syncs (group_id, status, started_at)
       SELECT id, 'started', now() FROM namespaces WHERE id = $1 AND kind = 'group' AND NOT pending_delete
       ON CONFLICT (group_id) DO UPDATE SET status = 'started', started_at = now() RETURNING group_id`,
      [groupId],
    );
    return begun.length > 0;
  }

  /** `error` null: the group is as its directory wants it. */
  async end(groupId: number, error: string | null): Promise<void> {
    await this.database.prepared(
      'end_ldap_sync',
      `UPDATE ldap_group_syncs SET
         status = CASE WHEN $2::text IS NULL THEN 'ready' ELSE 'failed' END, last_error = $2, ended_at = now(),
         succeeded_at = CASE WHEN $2::text IS NULL THEN now() ELSE succeeded_at END
       WHERE group_id = $1`,
      [groupId, error === null ? null : error.slice(0, MAX_ERROR)],
    );
  }

  /** Groups with links, or with members that once came by one, which were not compared since; longest ago first. */
  async due(since: Date, without: readonly number[], limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'due_ldap_syncs',
      `SELECT n.id FROM namespaces n LEFT JOIN ldap_group_syncs s ON s.group_id = n.id
       WHERE n.kind = 'group' AND NOT n.pending_delete AND n.id <> ALL($2::bigint[])
         AND (s.ended_at IS NULL OR s.ended_at < $1)
         AND (EXISTS (SELECT 1 FROM ldap_group_links l WHERE l.group_id = n.id)
           OR EXISTS (SELECT 1 FROM members m WHERE m.source_id = n.id AND m.ldap AND m.source_kind = 'namespace'))
       ORDER BY s.ended_at NULLS FIRST, n.id LIMIT $3`,
      [since, without, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Changes of the group's members wait from here until the transaction ends. Null where the group is gone. */
  async lockGroup(groupId: number): Promise<{ readonly hasOwnerAbove: boolean } | null> {
    const text = `SELECT traversal_ids FROM namespaces WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE`;
    const [row] = await this.database.prepared<{ traversal_ids: number[] }>('lock_ldap_group', text, [
      groupId,
    ]);
    if (!row) return null;
    const above = row.traversal_ids.filter((id) => id !== groupId);
    const owners = await this.database.prepared(
      'owners_above_ldap_group',
      `SELECT 1 FROM members m WHERE m.source_kind = 'namespace' AND m.source_id = ANY($1::bigint[])
         AND m.access_level = 50 AND ${LIVE_MEMBER} LIMIT 1`,
      [above],
    );
    return { hasOwnerAbove: owners.length > 0 };
  }

  /** All direct memberships, requests for access and expired ones included. */
  members(groupId: number): Promise<CurrentMember[]> {
    return this.database.prepared<CurrentMember>(
      'members_of_ldap_group',
      `SELECT m.id, m.user_id AS "userId", m.access_level::int AS "accessLevel", m.ldap, (${LIVE_MEMBER}) AS "isLive"
       FROM members m WHERE m.source_kind = 'namespace' AND m.source_id = $1`,
      [groupId],
    );
  }

  /** Makes these memberships the directory's, with their levels. Users who are gone are passed over. */
  async keep(
    groupId: number,
    members: readonly { readonly userId: number; readonly accessLevel: number }[],
  ): Promise<void> {
    await this.database.prepared(
      'keep_ldap_members',
      `INSERT INTO members AS m (source_kind, source_id, user_id, access_level, ldap)
       SELECT 'namespace', $1, wanted.user_id, wanted.access_level, true
       FROM unnest($2::bigint[], $3::smallint[]) AS wanted (user_id, access_level)
       JOIN users u ON u.id = wanted.user_id AND NOT u.pending_delete
       ON CONFLICT (source_kind, source_id, user_id) DO UPDATE SET
         access_level = excluded.access_level, ldap = true, requested_at = NULL,
         expires_at = CASE WHEN m.expires_at > current_date THEN m.expires_at END, updated_at = now()`,
      [groupId, members.map(({ userId }) => userId), members.map(({ accessLevel }) => accessLevel)],
    );
  }

  async remove(memberIds: readonly number[]): Promise<void> {
    const text = 'DELETE FROM members WHERE id = ANY($1::bigint[])';
    await this.database.prepared('remove_ldap_members', text, [memberIds]);
  }
}
