import { uniqueViolation } from '#libs/database';
import { DomainError } from '#libs/errors';
import { Injectable, Logger } from '@nestjs/common';
import type { LdapProvider } from '../../settings/settings';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { Accounts } from '../users/accounts.service';
import { refuseInvalidFields } from '../users/new-account';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import type { DirectoryPerson } from './directory-person';
import { usernames } from './directory-username';
import { LdapAccountsRepository, type LdapAccount } from './ldap-accounts.repository';

/** How often a name may be snatched away by somebody who signs in at the same moment. */
const MOST_ATTEMPTS = 5;
const MAX_NAME_LENGTH = 128;

/** Keeps the users here that people of directories are. */
@Injectable()
export class LdapAccounts {
  private readonly logger = new Logger('Ldap');

  constructor(
    private readonly accounts: LdapAccountsRepository,
    private readonly users: UsersRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly opening: Accounts,
  ) {}

  /**
   * The user of somebody whose password their directory has accepted, brought up to date; opened at the first time.
   * Null where no account can be had: without e-mail, or with one that belongs to somebody else here.
   */
  async of(provider: LdapProvider, person: DirectoryPerson): Promise<User | null> {
    const [known] = await this.accounts.byExternUids(provider.name, [person.externUid]);
    if (known) {
      await this.refresh(known, person);
      await this.accounts.admit(known.userId);
      return this.users.find(known.userId);
    }
    return (await this.link(provider, person)) ?? (await this.openAccount(provider, person));
  }

  /** Takes name and e-mail over where they differ. What is refused here (a taken e-mail) stays as it was. */
  async refresh(account: LdapAccount, person: DirectoryPerson): Promise<void> {
    const name = fittingName(person.name ?? account.name);
    const email = person.email?.trim() ?? account.email;
    if (name === account.name && email.toLowerCase() === account.email.toLowerCase()) return;
    try {
      refuseInvalidFields({ name, email }, []);
      await this.accounts.change(account.userId, { name, email });
    } catch (error) {
      if (!(error instanceof DomainError) && uniqueViolation(error) === null) throw error;
      this.logger.warn(
        { userId: account.userId, provider: person.provider },
        'an account keeps its old e-mail',
      );
    }
  }

  /** Only the owner of a confirmed address is linked: others could have waited here under somebody's address. */
  private async link(provider: LdapProvider, person: DirectoryPerson): Promise<User | null> {
    if (!provider.autoLinkUsers || person.email === null) return null;
    const userId = await this.accounts.userIdByEmail(person.email.trim());
    if (userId === null) return null;
    // Two accounts of the directory may share an address: the second one does not take the first one's place.
    if ((await this.accounts.identitiesOf(userId, [provider.name])).length > 0) return null;
    try {
      await this.users.insertIdentity(userId, provider.name, person.externUid);
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      return null;
    }
    await this.accounts.admit(userId);
    return this.users.find(userId);
  }

  private async openAccount(provider: LdapProvider, person: DirectoryPerson): Promise<User | null> {
    const email = person.email?.trim();
    if (email === undefined) return this.refuse(person, 'the directory tells no e-mail');
    for (let attempt = 1; ; attempt++) {
      const username = await this.freeUsername(person.username ?? person.externUid);
      try {
        return username === null
          ? this.refuse(person, 'no username is free')
          : await this.open(provider, person, username, email);
      } catch (error) {
        if (!(error instanceof DomainError) || error.detail.kind === 'unavailable') throw error;
        // Somebody was faster: the same person on another node, or another one with the same name.
        const [known] = await this.accounts.byExternUids(provider.name, [person.externUid]);
        if (known) return this.users.find(known.userId);
        if (await this.users.emailIsTaken(email))
          return this.refuse(person, 'the e-mail belongs to another account');
        if (error.detail.kind !== 'conflict' || attempt === MOST_ATTEMPTS)
          return this.refuse(person, 'its fields are not accepted');
      }
    }
  }

  private open(
    provider: LdapProvider,
    person: DirectoryPerson,
    username: string,
    email: string,
  ): Promise<User> {
    return this.opening.open({
      username,
      name: fittingName(person.name ?? username),
      email,
      password: null,
      isAdmin: false,
      isConfirmed: true,
      isBlocked: provider.blockAutoCreatedUsers,
      identity: { provider: provider.name, externUid: person.externUid },
    });
  }

  private async freeUsername(name: string): Promise<string | null> {
    for (const username of usernames(name)) {
      if (!(await this.namespaces.pathIsTaken(username))) return username;
    }
    return null;
  }

  private refuse({ provider }: DirectoryPerson, reason: string): null {
    this.logger.warn({ provider, reason }, 'no account was opened for somebody of a directory');
    return null;
  }
}

const fittingName = (name: string): string => name.trim().slice(0, MAX_NAME_LENGTH);
