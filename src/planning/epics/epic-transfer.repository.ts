import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What becomes of the epics of issues whose project leaves its groups. */
@Injectable()
export class EpicTransfer {
  constructor(private readonly database: Database) {}

  /** Takes them out of epics of groups that the project is in no longer. Call it in the transaction of the move. */
  async settle({ id, namespaceId }: { readonly id: number; readonly namespaceId: number }): Promise<void> {
    await this.database.prepared(
      'release_issues_of_moved_project',
      `DELETE FROM epic_issues link USING issues i, epics e
       WHERE i.id = link.issue_id AND e.id = link.epic_id AND i.project_id = $1
         AND e.group_id <> ALL((SELECT n.traversal_ids FROM namespaces n WHERE n.id = $2)::bigint[])`,
      [id, namespaceId],
    );
  }
}
