import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { AuditEvent } from './audit-event';

/** Who has done what, to whom, when, and from where. Outlives the users and groups it tells of. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** In the caller's transaction, so that what is undone is not logged either. */
  async record({ actor, action, groupId, userId, details = {}, address }: AuditEvent): Promise<void> {
    await this.database.prepared(
      'record_audit_event',
      `INSERT INTO audit_events (actor_kind, actor_id, action, group_id, user_id, details, address)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [actor.kind, actor.id, action, groupId, userId ?? null, JSON.stringify(details), address],
    );
  }
}
