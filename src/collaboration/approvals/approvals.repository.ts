import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DEFAULT_APPROVAL_SETTINGS, type ApprovalSettings } from './approval-state';

interface SettingsRow {
  reset_approvals_on_push: boolean;
  disable_overriding_approvers_per_merge_request: boolean;
  merge_requests_author_approval: boolean;
  merge_requests_disable_committers_approval: boolean;
}

/** Who has approved which merge request. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of users, in the order of their approvals. */
  async approversOf(mergeRequestId: number): Promise<number[]> {
    const rows = await this.database.prepared<{ user_id: number }>(
      'approvers_of_merge_request',
      'SELECT user_id FROM merge_request_approvals WHERE merge_request_id = $1 ORDER BY created_at, user_id',
      [mergeRequestId],
    );
    return rows.map((row) => row.user_id);
  }

  /** False where they had approved it before. */
  async add(mergeRequestId: number, userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'approve_merge_request',
      `INSERT INTO merge_request_approvals (merge_request_id, user_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING user_id`,
      [mergeRequestId, userId],
    );
    return rows.length > 0;
  }

  /** False where they had not approved it. */
  async remove(mergeRequestId: number, userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'unapprove_merge_request',
      'DELETE FROM merge_request_approvals WHERE merge_request_id = $1 AND user_id = $2 RETURNING user_id',
      [mergeRequestId, userId],
    );
    return rows.length > 0;
  }

  /** After a push, unless the project keeps approvals. */
  async resetAfterPush(mergeRequestId: number, projectId: number): Promise<void> {
    await this.database.prepared(
      'reset_approvals',
      `DELETE FROM merge_request_approvals WHERE merge_request_id = $1 AND NOT EXISTS (
         SELECT 1 FROM approval_settings WHERE project_id = $2 AND NOT reset_approvals_on_push)`,
      [mergeRequestId, projectId],
    );
  }

  async settings(projectId: number): Promise<ApprovalSettings> {
    const text = 'SELECT * FROM approval_settings WHERE project_id = $1';
    const [row] = await this.database.prepared<SettingsRow>('approval_settings', text, [projectId]);
    if (!row) return DEFAULT_APPROVAL_SETTINGS;
    return {
      resetOnPush: row.reset_approvals_on_push,
      disableOverriding: row.disable_overriding_approvers_per_merge_request,
      authorApproval: row.merge_requests_author_approval,
      disableCommittersApproval: row.merge_requests_disable_committers_approval,
    };
  }

  /** What is left out stays as it is. */
  async changeSettings(projectId: number, changes: Partial<ApprovalSettings>): Promise<void> {
    const { resetOnPush, disableOverriding, authorApproval, disableCommittersApproval } = changes;
    await this.database.prepared(
      'change_approval_settings',
      `INSERT INTO approval_settings AS known (project_id, reset_approvals_on_push,
         disable_overriding_approvers_per_merge_request, merge_requests_author_approval,
         merge_requests_disable_committers_approval)
       VALUES ($1, coalesce($2, true), coalesce($3, false), coalesce($4, false), coalesce($5, false))
       ON CONFLICT (project_id) DO UPDATE SET
         reset_approvals_on_push = coalesce($2, known.reset_approvals_on_push),
         disable_overriding_approvers_per_merge_request =
           coalesce($3, known.disable_overriding_approvers_per_merge_request),
         merge_requests_author_approval = coalesce($4, known.merge_requests_author_approval),
         merge_requests_disable_committers_approval =
           coalesce($5, known.merge_requests_disable_committers_approval)`,
      [projectId, resetOnPush, disableOverriding, authorApproval, disableCommittersApproval],
    );
  }
}
