import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuthoredContributions } from '../../identity/identity.api';

/** What somebody has said about commits. */
@Injectable()
export class CommentContributions extends AuthoredContributions {
  constructor(database: Database) {
    super(database, { table: 'commit_comments' });
  }
}
