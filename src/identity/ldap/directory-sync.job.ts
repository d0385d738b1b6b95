import { DomainError } from '#libs/errors';
import { defineQueue, JobHandler, Jobs, type JobRun, type Queue } from '#libs/jobs';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { AccountSync } from './account-sync.service';
import type { GroupListings } from './directory-groups';
import { groupSyncs } from './group-sync.queue';
import { GroupSyncRepository } from './group-sync.repository';
import { GroupSync } from './group-sync.service';

const GROUPS_AT_ONCE = 100;
const RETRY_MS = 60_000;
/** So many groups that fail one after another fail for one reason, which need not be waited for each time. */
const MOST_FAILURES = 20;

/** The recurring comparison of all accounts and groups with the directories: accounts first, as members need them. */
@Injectable()
export class SyncDirectories extends JobHandler {
  readonly queue: Queue<object>;
  private readonly logger = new Logger('Ldap');

  constructor(
    @Inject(SETTINGS) settings: Pick<Settings, 'ldapProviders' | 'ldapSyncMinutes'>,
    private readonly accounts: AccountSync,
    private readonly groups: GroupSync,
    private readonly syncs: GroupSyncRepository,
    private readonly jobs: Jobs,
  ) {
    super();
    this.queue = defineQueue('identity.sync_directories', {
      expireInSeconds: 3_000,
      retryLimit: 2,
      retryDelaySeconds: 60,
      onePerKey: true,
      ...(settings.ldapProviders.length > 0 && { everyMinutes: settings.ldapSyncMinutes }),
    });
  }

  /** One group or directory in trouble does not keep the others back; a group is tried again by itself. */
  async run(_data: object, { signal }: JobRun): Promise<void> {
    const listings: GroupListings = new Map();
    try {
      await this.accounts.syncAll(signal, listings);
    } finally {
      await this.syncGroups(signal, listings);
    }
  }

  private async syncGroups(signal: AbortSignal, listings: GroupListings): Promise<void> {
    const begin = new Date();
    const met: number[] = [];
    let inARow = 0;
    for (;;) {
      const due = await this.syncs.due(begin, met, GROUPS_AT_ONCE);
      if (due.length === 0) return;
      for (const groupId of due) {
        signal.throwIfAborted();
        met.push(groupId);
        inARow = (await this.syncOne(groupId, signal, listings)) ? 0 : inARow + 1;
        if (inARow === MOST_FAILURES)
          throw new Error(`${MOST_FAILURES} groups in a row could not be compared`);
      }
    }
  }

  private async syncOne(groupId: number, signal: AbortSignal, listings: GroupListings): Promise<boolean> {
    try {
      await this.groups.sync(groupId, signal, listings);
      return true;
    } catch (error) {
      // Where another process is at the group, it needs no second look.
      if (error instanceof DomainError) return true;
      this.logger.error({ err: error, groupId }, 'a group was not compared with its directory');
      const startAfter = new Date(Date.now() + RETRY_MS);
      await this.jobs.enqueue(groupSyncs, { groupId }, { key: String(groupId), startAfter });
      return false;
    }
  }
}
