import { isNativeError } from 'node:util/types';
import { Database } from '#libs/database';
import { Injectable, Logger } from '@nestjs/common';
import { Directories } from './directories';
import { DirectoryConnection } from './directory-connection';
import { DirectoryGroups, type GroupListings } from './directory-groups';
import { GroupSyncRepository } from './group-sync.repository';
import { LdapAccountsRepository } from './ldap-accounts.repository';
import type { LdapGroupLink } from './ldap-group-link.entity';
import { LdapGroupLinksRepository } from './ldap-group-links.repository';
import { membershipChanges } from './membership-changes';

/** Rows of one statement. */
const BATCH = 2_000;
/** Whoever waits longer than this comes too late: another process is at it. */
const LOCK_WAIT_MS = 1_000;

/** Makes members of groups those that their directories tell. */
@Injectable()
export class GroupSync {
  private readonly logger = new Logger('Ldap');

  constructor(
    private readonly database: Database,
    private readonly directories: Directories,
    private readonly syncs: GroupSyncRepository,
    private readonly links: LdapGroupLinksRepository,
    private readonly accounts: LdapAccountsRepository,
  ) {}

  /**
   * Compares one group; no two of it run at once. All directories are read before anything changes, and all changes
   * are one transaction: a group is never left half-way. Throws what went wrong, after noting it at the group, and
   * `unavailable` when another process is at it.
   */
  async sync(groupId: number, signal: AbortSignal, listings: GroupListings = new Map()): Promise<void> {
    await this.database.holdLock(
      `ldap group ${groupId}`,
      async (lost) => {
        if (!(await this.syncs.begin(groupId))) return;
        try {
          await this.compare(groupId, AbortSignal.any([signal, lost]), listings);
        } catch (error) {
          await this.syncs.end(groupId, isNativeError(error) ? error.message : 'unknown');
          throw error;
        }
        await this.syncs.end(groupId, null);
      },
      { timeoutMs: LOCK_WAIT_MS },
    );
  }

  private async compare(groupId: number, signal: AbortSignal, listings: GroupListings): Promise<void> {
    const links = await this.links.of(groupId);
    const wanted = await this.wantedBy(links, signal, listings);
    await this.database.transaction(async () => {
      const group = await this.syncs.lockGroup(groupId);
      if (!group) return;
      if (!isSame(links, await this.links.of(groupId))) throw new Error('the links have changed meanwhile');
      signal.throwIfAborted();
      const changes = membershipChanges(await this.syncs.members(groupId), wanted, group.hasOwnerAbove);
      for (const some of batches(changes.kept)) await this.syncs.keep(groupId, some);
      for (const some of batches(changes.removed)) await this.syncs.remove(some);
      const { kept, removed, lastOwner } = changes;
      if (kept.length + removed.length > 0)
        this.logger.log(
          { groupId, kept: kept.length, removed: removed.length },
          'a group follows its directory',
        );
      if (lastOwner !== null)
        this.logger.warn(
          { groupId, userId: lastOwner },
          'a group keeps its last owner against its directory',
        );
    });
  }

  /** The highest level by user id; people who have never signed in here have no account to be members with. */
  private async wantedBy(
    links: readonly LdapGroupLink[],
    signal: AbortSignal,
    listings: GroupListings,
  ): Promise<ReadonlyMap<number, number>> {
    const wanted = new Map<number, number>();
    for (const name of new Set(links.map(({ provider }) => provider))) {
      const provider = this.directories.named(name);
      const groups = provider?.groups;
      if (!provider || !groups) throw new Error(`no groups of ${name} are configured`);
      await DirectoryConnection.use(provider, async (directory) => {
        const reader = new DirectoryGroups(provider, groups, directory, listings, signal);
        for (const { cn, groupAccess } of links.filter((link) => link.provider === name)) {
          signal.throwIfAborted();
          const members = await reader.membersOf(cn);
          if (!members) this.logger.warn({ provider: name, cn }, 'a linked group is not in the directory');
          for (const { userId } of await this.accounts.byExternUids(name, [...(members ?? [])]))
            wanted.set(userId, Math.max(groupAccess, wanted.get(userId) ?? 0));
        }
      });
    }
    return wanted;
  }
}

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

const isSame = (before: readonly LdapGroupLink[], now: readonly LdapGroupLink[]): boolean =>
  before.length === now.length && before.every(({ id }, index) => id === now[index]?.id);
