import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuthoredContributions } from '../../identity/identity.api';

/** The changes that somebody has proposed; each takes versions, commits, notes and marks with it. */
@Injectable()
export class MergeRequestContributions extends AuthoredContributions {
  constructor(database: Database) {
    super(database, { table: 'merge_requests', removedAtOnce: 100 });
  }
}
