import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuthoredContributions } from '../../identity/identity.api';

/** Epics that somebody has written, or closed. */
@Injectable()
export class EpicContributions extends AuthoredContributions {
  constructor(database: Database) {
    super(database, { table: 'epics', deeds: [['epics', 'closed_by_id']] });
  }
}
