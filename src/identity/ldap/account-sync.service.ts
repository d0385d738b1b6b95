import { Database } from '#libs/database';
import { Injectable, Logger } from '@nestjs/common';
import type { LdapProvider } from '../../settings/settings';
import { Sessions } from '../sessions/sessions.service';
import { Directories } from './directories';
import { DirectoryConnection } from './directory-connection';
import type { DirectoryEntry } from './directory-entry';
import { DirectoryGroups, type GroupListings } from './directory-groups';
import { peopleFilter, personAttributes, personByDn, personOf } from './directory-person';
import { LdapAccountsRepository } from './ldap-accounts.repository';
import { LdapAccounts } from './ldap-accounts.service';

const BATCH = 1_000;
/** Accounts that one run may block: each is looked up once more by itself. The next run goes on. */
const MOST_GONE = 1_000;

/** Keeps accounts as their directories tell them: names, e-mails, who is blocked, administrator or external. */
@Injectable()
export class AccountSync {
  private readonly logger = new Logger('Ldap');

  constructor(
    private readonly directories: Directories,
    private readonly repository: LdapAccountsRepository,
    private readonly accounts: LdapAccounts,
    private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Goes through all directories. Users whom none of their directories has any more are blocked. A directory that fails
   * keeps its accounts as they are; the failures are thrown at the end.
   */
  async syncAll(signal: AbortSignal, listings: GroupListings): Promise<void> {
    const goneFrom = new Map<number, Set<string>>();
    const failures: unknown[] = [];
    for (const provider of this.directories.providers) {
      try {
        for (const userId of await this.sync(provider, signal, listings)) {
          goneFrom.set(userId, (goneFrom.get(userId) ?? new Set()).add(provider.name));
        }
      } catch (error) {
        this.logger.error(
          { err: error, provider: provider.name },
          'accounts of a directory were not compared',
        );
        failures.push(error);
      }
    }
    await this.block(goneFrom);
    if (failures.length > 0) throw new AggregateError(failures, 'not all directories could be compared');
  }

  private sync(
    provider: LdapProvider,
    signal: AbortSignal,
    listings: GroupListings,
  ): Promise<readonly number[]> {
    return DirectoryConnection.use(provider, async (directory) => {
      const present = await this.compare(provider, directory, signal);
      const { groups } = provider;
      const reader = groups && new DirectoryGroups(provider, groups, directory, listings, signal);
      await this.followGroups(provider, reader);
      return this.gone(provider, directory, present, signal);
    });
  }

  /** Ids of the users whom the directory has. */
  private async compare(
    provider: LdapProvider,
    directory: DirectoryConnection,
    signal: AbortSignal,
  ): Promise<ReadonlySet<number>> {
    const present = new Set<number>();
    let listed = 0;
    const asked = { filter: peopleFilter(provider), attributes: personAttributes(provider) };
    for await (const page of directory.pages(provider.base, asked)) {
      signal.throwIfAborted();
      listed += page.length;
      for (const userId of await this.comparePage(provider, page)) present.add(userId);
    }
    // A wrong base or filter, or a service account that lost its rights, must not lock everybody out.
    if (listed === 0) throw new Error('the directory lists nobody');
    return present;
  }

  private async comparePage(provider: LdapProvider, page: readonly DirectoryEntry[]): Promise<number[]> {
    const people = page.flatMap((entry) => {
      const person = personOf(provider, entry);
      return person && !person.isDisabled ? [person] : [];
    });
    const known = await this.repository.byExternUids(
      provider.name,
      people.map(({ externUid }) => externUid),
    );
    const byName = new Map(people.map((person) => [person.externUid, person]));
    for (const account of known) {
      const person = byName.get(account.externUid);
      if (person) await this.accounts.refresh(account, person);
    }
    const blocked = known.filter(({ state }) => state === 'ldap_blocked').map(({ userId }) => userId);
    if (blocked.length > 0) await this.repository.unblock(blocked);
    return known.map(({ userId }) => userId);
  }

  /** Not only missing from the listing, which a directory may cut short, but not found by name either. */
  private async gone(
    provider: LdapProvider,
    directory: DirectoryConnection,
    present: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<number[]> {
    const gone: number[] = [];
    let last = 0;
    for (;;) {
      const accounts = await this.repository.after(provider.name, last, BATCH);
      for (const { userId, externUid, state } of accounts) {
        last = userId;
        const counts = state === 'active' || state === 'deactivated';
        if (!counts || present.has(userId)) continue;
        signal.throwIfAborted();
        const person = await personByDn(provider, directory, externUid);
        if (person && !person.isDisabled) continue;
        gone.push(userId);
        if (gone.length === MOST_GONE) return gone;
      }
      if (accounts.length < BATCH) return gone;
    }
  }

  private async followGroups(provider: LdapProvider, reader: DirectoryGroups | null): Promise<void> {
    const { adminGroup = null, externalGroups = [] } = provider.groups ?? {};
    if (reader && adminGroup !== null) {
      const administrators = await this.usersIn(provider, reader, [adminGroup]);
      await this.repository.keepAdministrators(provider.name, administrators);
    }
    if (reader && externalGroups.length > 0) {
      const external = await this.usersIn(provider, reader, externalGroups);
      await this.repository.keepExternal(provider.name, external);
    }
  }

  /** A group that is not there is a mistake in the settings, and no reason to take rights from everybody. */
  private async usersIn(
    provider: LdapProvider,
    reader: DirectoryGroups,
    cns: readonly string[],
  ): Promise<number[]> {
    const externUids = new Set<string>();
    for (const cn of cns) {
      const members = await reader.membersOf(cn);
      if (!members) throw new Error(`the directory has no group ${cn}`);
      for (const dn of members) externUids.add(dn);
    }
    const accounts = await this.repository.byExternUids(provider.name, [...externUids]);
    return accounts.map(({ userId }) => userId);
  }

  /** Who is at several directories stays as long as one of them has them. */
  private async block(goneFrom: ReadonlyMap<number, ReadonlySet<string>>): Promise<void> {
    const names = this.directories.providers.map(({ name }) => name);
    const users: number[] = [];
    for (const [userId, providers] of goneFrom) {
      const identities = await this.repository.identitiesOf(userId, names);
      if (identities.every(({ provider }) => providers.has(provider))) users.push(userId);
    }
    if (users.length === 0) return;
    const blocked = await this.database.transaction(async () => {
      const ids = await this.repository.block(users);
      for (const id of ids) await this.sessions.endAll(id);
      return ids;
    });
    this.logger.warn(
      { userIds: blocked.slice(0, 100), count: blocked.length },
      'users have left their directory',
    );
  }
}
