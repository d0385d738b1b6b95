import { conflict, DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Accounts, USERNAME_TAKEN } from '../users/accounts.service';
import { refuseInvalidFields } from '../users/new-account';
import { PersonalNamespaces } from '../users/personal-namespaces.service';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { GROUP_SAML } from './group-saml';
import { usernameCandidates, usernameOf } from './provisioned-username';
import { TrustedDomains } from './trusted-domains';

/** Somebody whom an identity provider knows and this service does not. */
export interface Newcomer {
  /** In the words of the provider: the username is made of it. */
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly samlProviderId: number;
  readonly externUid: string;
  /** Others have taken such a username while this one was about to. */
  readonly isContended: boolean;
}

/** Accounts that identity providers of groups open and keep up to date. All in the caller's transaction. */
@Injectable()
export class ProvisionedAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly users: UsersRepository,
    private readonly namespaces: PersonalNamespaces,
    private readonly domains: TrustedDomains,
  ) {}

  /**
   * Without a password. The e-mail waits for its owner's confirmation, unless the operator vouches for its domain. A
   * username that is taken gets a number. Throws `conflict` for an e-mail that is taken, `validation` for a wrong field.
   */
  async open(newcomer: Newcomer): Promise<User> {
    const { name, email, samlProviderId, externUid } = newcomer;
    return this.accounts.open({
      username: await this.freeUsername(newcomer),
      name,
      email,
      password: null,
      hasNoPassword: true,
      isAdmin: false,
      isConfirmed: this.domains.trusts(email),
      identity: { provider: GROUP_SAML, externUid, samlProviderId },
    });
  }

  /** Whether an account could not be opened only because somebody took its username at the same moment. */
  lostUsername(error: unknown): boolean {
    return (
      error instanceof DomainError &&
      error.detail.kind === 'conflict' &&
      error.detail.message === USERNAME_TAKEN
    );
  }

  /** The user, locked until the transaction ends; null for somebody who is deleted. */
  hold(userId: number): Promise<User | null> {
    return this.users.findForChange(userId);
  }

  /**
   * Another name or username. Throws `conflict` for a username that is taken, `validation` for what no account may have.
   * Answers what has changed.
   */
  async rename(
    user: User,
    wanted: { readonly name?: string; readonly userName?: string },
  ): Promise<{ name?: string; username?: string }> {
    const { name, userName } = wanted;
    const username = userName === undefined ? undefined : usernameOf(userName);
    const changes = {
      ...(name !== undefined && name !== user.name && { name }),
      ...(username !== undefined && username.toLowerCase() !== user.username.toLowerCase() && { username }),
    };
    if (Object.keys(changes).length === 0) return {};
    refuseInvalidFields(changes, []);
    if (changes.username !== undefined && (await this.namespaces.isTaken(changes.username, user)))
      throw conflict(USERNAME_TAKEN);
    await this.namespaces.follow(user, changes);
    await this.users.update(user.id, changes);
    return changes;
  }

  private async freeUsername({ userName, isContended }: Newcomer): Promise<string> {
    for (const username of usernameCandidates(userName, isContended))
      if (!(await this.namespaces.isTaken(username, { username: '' }))) return username;
    throw conflict(USERNAME_TAKEN);
  }
}
