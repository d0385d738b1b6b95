import { Database, uniqueViolation } from '#libs/database';
import { DomainError, forbidden, invalid, notFound } from '#libs/errors';
import { Injectable, Logger } from '@nestjs/common';
import { Avatars, type CheckedPicture } from '../avatars/avatars.service';
import { AccountMails } from './account-mails';
import { AssignedPasswords } from './assigned-passwords.service';
import { changedColumns, newEmail, ruledFields, type ChangedAccount } from './changed-account';
import { refuseLastAdministrator } from './last-administrator';
import { refuseInvalidFields } from './new-account';
import { PersonalNamespaces } from './personal-namespaces.service';
import type { User } from './user.entity';
import { UsersRepository } from './users.repository';

/** What could be made ready before the transaction, since it takes its time. */
interface Prepared {
  readonly picture: CheckedPicture | null;
  readonly passwordDigest: string | null;
}

/** Changes accounts, for administrators. */
@Injectable()
export class AccountChanges {
  private readonly logger = new Logger(AccountChanges.name);

  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly namespaces: PersonalNamespaces,
    private readonly passwords: AssignedPasswords,
    private readonly avatars: Avatars,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Answers the user as they are afterwards, with their identities. `by` is the administrator's id, who may be the user.
   * Throws 404 where e-mail or username are taken, `validation` when a field is wrong, 403 for the last administrator
   * who would be none any more.
   */
  async apply(user: User, changes: ChangedAccount, by: number): Promise<User> {
    if (user.isInternal) throw forbidden('An internal user cannot be changed');
    await this.refuse(user, changes);
    const prepared: Prepared = {
      picture: changes.avatar ? await this.avatars.check(changes.avatar) : null,
      passwordDigest: changes.password === undefined ? null : await this.passwords.digest(changes.password),
    };
    try {
      const isOwn = by === user.id;
      const changed = await this.database.transaction(() =>
        this.applyPrepared(user.id, changes, prepared, isOwn),
      );
      this.logger.log({ user: user.id, by, changed: namesOf(changes) }, 'an account was changed');
      return changed;
    } catch (error) {
      throw takenMeanwhile(uniqueViolation(error)) ?? error;
    }
  }

  private async refuse(user: User, changes: ChangedAccount): Promise<void> {
    const email = newEmail(user, changes);
    if (email !== undefined && (await this.users.emailIsTaken(email, user.id))) throw taken('Email');
    const { username } = changes;
    if (username !== undefined && (await this.namespaces.isTaken(username, user))) throw taken('Username');
    const own = await this.mails.addressesOf(user);
    const ownAfterwards = changes.isReconfirmed && email !== undefined ? [...own, email] : own;
    refuseInvalidFields(ruledFields(user, changes), ownAfterwards);
  }

  private async applyPrepared(
    id: number,
    changes: ChangedAccount,
    { picture, passwordDigest }: Prepared,
    isOwn: boolean,
  ): Promise<User> {
    if (changes.isAdmin === false) refuseLastAdministrator(id, await this.users.lockAdministrators());
    const user = await this.users.findForChange(id);
    if (!user) throw notFound('User');
    await this.namespaces.follow(user, changes);
    const columns = changedColumns(user, changes);
    if (Object.keys(columns).length > 0) await this.users.update(id, columns);
    const { identity } = changes;
    if (identity) {
      const { provider, externUid, samlProviderId = null } = identity;
      await this.users.setIdentity(id, { provider, externUid, samlProviderId });
    }
    if (picture) await this.avatars.keep({ kind: 'user', id }, picture);
    if (passwordDigest !== null) await this.passwords.assign(id, passwordDigest, { isOwn });
    return this.changed(id, newEmail(user, changes) !== undefined && !changes.isReconfirmed);
  }

  private async changed(id: number, mustConfirm: boolean): Promise<User> {
    const user = await this.users.find(id);
    if (!user) throw new Error('the user is locked in this transaction');
    if (mustConfirm) await this.mails.confirm(user);
    await this.users.attachIdentities([user]);
    return user;
  }
}

/** What was changed, without what it was changed to. */
const namesOf = ({ details = {}, ...fields }: ChangedAccount): string[] =>
  Object.entries({ ...fields, ...details }).flatMap(([name, value]) => (value === undefined ? [] : [name]));

/** Specification, User modification rules: 404 also where 409 would be more apt. */
const taken = (what: 'Email' | 'Username'): DomainError =>
  new DomainError({ kind: 'not_found', message: `404 Not Found - ${what} has already been taken` });

/** Somebody else was faster between the look and the change. */
function takenMeanwhile(index: string | null): Error | null {
  if (index === 'users_email') return taken('Email');
  if (index === 'users_username' || index === 'routes_path') return taken('Username');
  if (index === 'identities_extern_uid') return invalid({ extern_uid: ['has already been taken'] });
  return null;
}
