import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { projectLevel } from '../../repository/repository.api';
import type { MergeRequest } from './merge-request.entity';

const LEVEL = projectLevel({
  user: '$2::bigint',
  project: 'p.id',
  owner: 'n.owner_id',
  traversal: 'n.traversal_ids',
});

/** What authors have brought to projects. */
@Injectable()
export class ContributionsRepository {
  constructor(private readonly database: Database) {}

  /** Nothing of the author was ever merged there, and they are no member that could push. */
  async isFirst({ projectId, authorId }: MergeRequest): Promise<boolean> {
    if (authorId === null) return false;
    const [row] = await this.database.prepared<{ first: boolean }>(
      'is_first_contribution',
      `SELECT ${LEVEL} <= ${Level.guest} AND NOT EXISTS (
         SELECT 1 FROM merge_requests mr WHERE mr.author_id = $2 AND mr.project_id = $1 AND mr.state = 'merged') AS first
       FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1`,
      [projectId, authorId],
    );
    return row?.first ?? false;
  }
}
