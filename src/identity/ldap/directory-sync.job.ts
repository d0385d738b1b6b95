import { DomainError } from '#libs/errors';
import { defineQueue, JobHandler, type JobRun, type Queue } from '#libs/jobs';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { AccountSync } from './account-sync.service';
import type { GroupListings } from './directory-groups';
import { GroupSyncRepository } from './group-sync.repository';
import { GroupSync } from './group-sync.service';

const GROUPS_AT_ONCE = 100;

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

  /** One group or directory in trouble does not keep the others back. */
  async run(_data: object, { signal }: JobRun): Promise<void> {
    const listings: GroupListings = new Map();
    const failures: unknown[] = [];
    await this.accounts.syncAll(signal, listings).catch((error: unknown) => failures.push(error));
    const begin = new Date();
    const met: number[] = [];
    for (;;) {
      const due = await this.syncs.due(begin, met, GROUPS_AT_ONCE);
      if (due.length === 0) break;
      for (const groupId of due) {
        signal.throwIfAborted();
        met.push(groupId);
        await this.groups.sync(groupId, signal, listings).catch((error: unknown) => failures.push(error));
      }
    }
    // Where another process is at a group, it needs no second look.
    const real = failures.filter((error) => !(error instanceof DomainError));
    if (real.length > 0)
      throw new AggregateError(real.slice(0, 10), `${real.length} comparisons with directories failed`);
    this.logger.debug({ groups: met.length }, 'accounts and groups were compared with their directories');
  }
}
