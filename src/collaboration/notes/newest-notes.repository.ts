import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** The newest note on the one of the project's things that changed last among those with notes: two index lookups. */
const NEWEST = (table: string, column: string, condition: string): string => `
  SELECT note.id FROM (
    SELECT id FROM ${table} WHERE project_id = $1 AND user_notes_count > 0 AND ${condition}
    ORDER BY updated_at DESC LIMIT 1) thing
  CROSS JOIN LATERAL (
    SELECT n.id FROM notes n WHERE n.${column} = thing.id AND NOT n.system ORDER BY n.created_at DESC LIMIT 1) note`;

const PLACES = {
  confidential: [NEWEST('issues', 'issue_id', 'confidential')],
  others: [
    NEWEST('issues', 'issue_id', 'NOT confidential'),
    NEWEST('merge_requests', 'merge_request_id', 'true'),
    NEWEST('snippets', 'snippet_id', 'true'),
    NEWEST('discussed_commits', 'commit_id', 'true'),
  ],
} as const;

/** For whoever tries a hook out. */
@Injectable()
export class NewestNotes {
  constructor(private readonly database: Database) {}

  /** Null where nobody has written any. */
  async inProject(
    projectId: number,
    { isConfidential }: { isConfidential: boolean },
  ): Promise<number | null> {
    for (const text of PLACES[isConfidential ? 'confidential' : 'others']) {
      const [row]: { id: number }[] = await this.database.manager.query(text, [projectId]);
      if (row) return row.id;
    }
    return null;
  }
}
