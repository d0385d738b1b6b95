import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { NoteSource } from '../noteables/system-notes';

const TABLES = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Epic: 'epics',
  Commit: 'projects',
} as const satisfies Record<NoteSource['kind'], string>;

/** What issues are closed by; it may be deleted before they are. */
@Injectable()
export class ClosingSourcesRepository {
  constructor(private readonly database: Database) {}

  /** Keeps it, of a commit the project, from being deleted until the transaction ends; false where it is gone. */
  async keep(source: NoteSource): Promise<boolean> {
    const table = TABLES[source.kind];
    const id = source.kind === 'Commit' ? source.projectId : source.id;
    const text = `SELECT 1 FROM ${table} WHERE id = $1 FOR KEY SHARE`;
    return (await this.database.prepared(`keep_closing_${table}`, text, [id])).length > 0;
  }
}
