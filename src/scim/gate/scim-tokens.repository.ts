import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A token that was shown, with the group it is of and the one that the path names. */
export interface ShownToken {
  readonly id: number;
  readonly digest: Buffer;
  readonly groupId: number;
  readonly fullPath: string;
  /** The group still is where it was when the token was issued: a transfer makes other people its owners. */
  readonly isInPlace: boolean;
  readonly isUseStale: boolean;
  /** Null for a group without single sign-on. */
  readonly samlProviderId: number | null;
  readonly isSsoEnabled: boolean | null;
  /** Null where nobody has the path, nor had it. */
  readonly askedId: number | null;
}

const SHOWN = `
  SELECT t.id, t.digest, t.group_id AS "groupId", r.path AS "fullPath", t.traversal_ids = n.traversal_ids AS "isInPlace",
    coalesce(t.last_used_at < now() - interval '10 minutes', true) AS "isUseStale",
    p.id AS "samlProviderId", p.enabled AS "isSsoEnabled",
    coalesce(
      (SELECT asked.namespace_id FROM routes asked WHERE lower(asked.path) = lower($2)),
      (SELECT former.namespace_id FROM route_redirects former WHERE lower(former.path) = lower($2))) AS "askedId"
  FROM scim_tokens t
  JOIN namespaces n ON n.id = t.group_id AND NOT n.pending_delete
  JOIN routes r ON r.namespace_id = n.id
  LEFT JOIN saml_providers p ON p.group_id = n.id
  WHERE t.digest = $1`;

@Injectable()
export class ScimTokensRepository {
  constructor(private readonly database: Database) {}

  async shown(digest: Buffer, groupPath: string): Promise<ShownToken | null> {
    const [row] = await this.database.prepared<ShownToken & Record<string, unknown>>(
      'shown_scim_token',
      SHOWN,
      [digest, groupPath],
    );
    return row ?? null;
  }

  async noteUse(id: number): Promise<void> {
    const text = 'UPDATE scim_tokens SET last_used_at = now() WHERE id = $1';
    await this.database.prepared('note_scim_token_use', text, [id]);
  }

  /** Replaces the group's token; bound to where the group is now. */
  async issue(groupId: number, digest: Buffer, createdById: number): Promise<void> {
    await this.database.prepared(
      'issue_scim_token',
      `INSERT INTO scim_tokens (group_id, digest, traversal_ids, created_by_id)
       SELECT n.id, $2, n.traversal_ids, $3 FROM namespaces n WHERE n.id = $1
       ON CONFLICT (group_id) DO UPDATE SET digest = excluded.digest, traversal_ids = excluded.traversal_ids,
         created_by_id = excluded.created_by_id, created_at = now(), last_used_at = NULL`,
      [groupId, digest, createdById],
    );
  }

  /** A token that no longer may be used; one issued in its place meanwhile stays. */
  async discard({ id, digest }: Pick<ShownToken, 'id' | 'digest'>): Promise<void> {
    const text = 'DELETE FROM scim_tokens WHERE id = $1 AND digest = $2';
    await this.database.prepared('discard_scim_token', text, [id, digest]);
  }

  async revoke(groupId: number): Promise<void> {
    await this.database.prepared('revoke_scim_token', 'DELETE FROM scim_tokens WHERE group_id = $1', [
      groupId,
    ]);
  }

  /** Whether the group has a token that still opens something. */
  async isIssued(groupId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'scim_token_is_issued',
      `SELECT 1 FROM scim_tokens t JOIN namespaces n ON n.id = t.group_id
       WHERE t.group_id = $1 AND t.traversal_ids = n.traversal_ids`,
      [groupId],
    );
    return rows.length > 0;
  }
}
