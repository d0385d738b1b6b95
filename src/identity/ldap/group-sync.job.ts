import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { groupSyncs } from './group-sync.queue';
import { GroupSync } from './group-sync.service';

/** Idempotent: a group that is as its directory wants it is left alone. */
@Injectable()
export class SyncLdapGroup extends JobHandler<{ readonly groupId: number }> {
  readonly queue = groupSyncs;

  constructor(private readonly groups: GroupSync) {
    super();
  }

  run({ groupId }: { readonly groupId: number }, { signal }: JobRun): Promise<void> {
    return this.groups.sync(groupId, signal);
  }
}
