import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../accepted/accepted';
import { Directories } from './directories';
import { groupSyncs } from './group-sync.queue';
import { GroupSyncRepository } from './group-sync.repository';

/** Takes requests to compare a group with its directory now. */
@Injectable()
export class GroupSyncRequests {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly syncs: GroupSyncRepository,
    private readonly directories: Directories,
  ) {}

  /** Throws 404 where no directory has groups. */
  async request(groupId: number): Promise<Accepted> {
    if (!this.directories.haveGroups) throw notFound();
    await this.database.transaction(async () => {
      await this.syncs.expect(groupId);
      await this.jobs.enqueue(groupSyncs, { groupId }, { key: String(groupId) });
    });
    return ACCEPTED;
  }
}
