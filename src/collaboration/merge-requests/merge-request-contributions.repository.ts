import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuthoredContributions } from '../../identity/identity.api';

/**
 * The changes that somebody has proposed, each of which takes versions, commits, notes and marks with it; and what they
 * did to those of others.
 */
@Injectable()
export class MergeRequestContributions extends AuthoredContributions {
  constructor(database: Database) {
    const deeds = [
      ['merge_requests', 'merged_by_id'],
      ['merge_requests', 'closed_by_id'],
      ['merge_requests', 'updated_by_id'],
    ] as const;
    super(database, { table: 'merge_requests', removedAtOnce: 100, deeds });
  }
}
