import { conflict, invalid } from '#libs/errors';
import { Database, uniqueViolation } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Avatars, type CheckedPicture } from '../avatars/avatars.service';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { Passwords } from '../passwords/passwords';
import { AccountMails } from './account-mails';
import { given } from './given';
import { refuseInvalidAccount, type NewAccount } from './new-account';
import type { User } from './user.entity';
import { UsersRepository, type UserColumns } from './users.repository';

export const EMAIL_TAKEN = 'Email has already been taken';
export const USERNAME_TAKEN = 'Username has already been taken';

/** Opens accounts, for administrators, the command line and directories alike. */
@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly passwords: Passwords,
    private readonly avatars: Avatars,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Creates the user with their personal namespace and its route. Not in a transaction where there is a password to
   * hash, see Passwords.hash.
   * Throws `conflict` when e-mail or username (also as a group's path) are taken, `validation` when a field is wrong.
   */
  async open(account: NewAccount): Promise<User> {
    if (await this.users.emailIsTaken(account.email)) throw conflict(EMAIL_TAKEN);
    if (await this.namespaces.pathIsTaken(account.username)) throw conflict(USERNAME_TAKEN);
    refuseInvalidAccount(account);
    const picture = account.avatar ? await this.avatars.check(account.avatar) : null;
    const passwordDigest = await this.passwordOf(account);
    try {
      return await this.database.transaction(() => this.insert(account, passwordDigest, picture));
    } catch (error) {
      throw takenMeanwhile(uniqueViolation(error)) ?? error;
    }
  }

  private async passwordOf({ password, hasNoPassword = false }: NewAccount): Promise<string | null> {
    if (hasNoPassword) return null;
    return password === null ? this.passwords.unknown() : this.passwords.hash(password);
  }

  private async insert(
    account: NewAccount,
    passwordDigest: string | null,
    picture: CheckedPicture | null,
  ): Promise<User> {
    const id = await this.users.insert(columnsOf(account, passwordDigest));
    const { username, name, identity } = account;
    if (identity)
      await this.users.insertIdentity(id, identity.provider, identity.externUid, identity.samlProviderId);
    await this.namespaces.insert(
      { kind: 'user', ownerId: id, name, path: username, visibility: 'private' },
      null,
    );
    if (picture) await this.avatars.keep({ kind: 'user', id }, picture);
    const user = await this.users.find(id);
    if (!user) throw new Error('the user was inserted in this transaction');
    await this.users.attachIdentities([user]);
    await this.mails.welcome(user, { choosesPassword: account.choosesPassword ?? false });
    return user;
  }
}

function columnsOf(account: NewAccount, passwordDigest: string | null): UserColumns {
  const { username, name, email, isAdmin, isConfirmed, details = {} } = account;
  const isExternal = account.isExternal ?? false;
  const canCreateGroup = isExternal ? false : account.canCreateGroup;
  const projectsLimit = isExternal ? 0 : account.projectsLimit;
  return {
    ...given(details),
    ...given({ canCreateGroup, projectsLimit }),
    username,
    name,
    email,
    passwordDigest,
    isAdmin,
    isExternal,
    state: account.isBlocked ? 'blocked' : 'active',
    confirmedAt: isConfirmed ? new Date() : null,
  };
}

/** Somebody else was faster between the look and the insert. */
function takenMeanwhile(index: string | null): Error | null {
  if (index === 'users_email') return conflict(EMAIL_TAKEN);
  if (index === 'users_username' || index === 'routes_path') return conflict(USERNAME_TAKEN);
  if (index === 'identities_extern_uid') return invalid({ extern_uid: ['has already been taken'] });
  return null;
}
