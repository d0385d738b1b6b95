import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import {
  GroupIdentities,
  ProvisionedAccounts,
  ProvisionedEmails,
  type User,
} from '../../identity/identity.api';
import type { ScimGroup } from '../gate/scim-group';
import { clash, externalIdTaken } from './clashes';
import { planOf, type PatchOperation, type PatchPlan } from './patch-plan';
import { ScimMembership } from './scim-membership.service';
import { nameParts, type ScimUser } from './scim-user';
import { unknownResource } from './scim-users.service';
import { ScimUsersRepository } from './scim-users.repository';

/** What became of a request: for the audit log. */
type Outcome = Record<string, unknown>;

/** Changes users as their identity provider says, all of a request or nothing. */
@Injectable()
export class ScimChanges {
  constructor(
    private readonly database: Database,
    private readonly users: ScimUsersRepository,
    private readonly accounts: ProvisionedAccounts,
    private readonly emails: ProvisionedEmails,
    private readonly identities: GroupIdentities,
    private readonly membership: ScimMembership,
  ) {}

  /**
   * Name and username of accounts that this provider has not opened stay as they are. Throws 404 for somebody whom it
   * has not brought, `conflict` for what is taken, `precondition_failed` for the last owner.
   */
  async patch(
    group: ScimGroup,
    id: string,
    operations: readonly PatchOperation[],
    address: string,
  ): Promise<void> {
    const plan = planOf(operations);
    await this.change(group, id, (user, account) => this.apply(group, user, account, plan, address));
  }

  /** Takes the user out of the group for good, as far as the provider sees; the account stays. */
  async remove(group: ScimGroup, id: string, address: string): Promise<void> {
    await this.change(group, id, (user) => this.membership.end(group, user, 'removed', address));
  }

  private async change(
    group: ScimGroup,
    id: string,
    work: (user: ScimUser, account: User) => Promise<void>,
  ): Promise<void> {
    try {
      await this.database.transaction(async () => {
        await this.users.lock(group, id);
        const user = await this.users.find(group, 'id', id);
        const account = user && (await this.accounts.hold(user.userId));
        if (!user || !account) throw unknownResource(id);
        await work(user, account);
      });
    } catch (error) {
      throw clash(error);
    }
  }

  private async apply(
    group: ScimGroup,
    user: ScimUser,
    account: User,
    plan: PatchPlan,
    address: string,
  ): Promise<void> {
    const externUid = await this.moveId(group, user, plan.externUid);
    const outcome: Outcome = {
      ...(externUid !== user.externUid && { externUid }),
      ...(await this.rename(group, { ...user, externUid }, account, plan)),
      ...(await this.moveEmail(user, account, plan.email)),
    };
    if (Object.keys(outcome).length > 0)
      await this.membership.note('scim.user_changed', group, user.userId, address, outcome);
    const moved = { ...user, externUid };
    if (plan.active === false && user.active) await this.membership.deactivate(group, moved, address);
    if (plan.active === true && !user.active) await this.membership.reactivate(group, moved, address);
  }

  private async moveId(group: ScimGroup, user: ScimUser, wanted: string | undefined): Promise<string> {
    if (wanted === undefined || wanted === user.externUid) return user.externUid;
    if (await this.users.idIsTaken(group, wanted, user.userId)) throw externalIdTaken();
    if (user.active) await this.identities.link(group.samlProviderId, user.userId, wanted);
    await this.users.note(group, { ...user, externUid: wanted }, user.active ? 'active' : 'inactive');
    return wanted;
  }

  private async rename(group: ScimGroup, user: ScimUser, account: User, plan: PatchPlan): Promise<Outcome> {
    const name = plan.name ?? composedName(user, plan);
    // The same word again asks for nothing, though a number may have been put behind it.
    const userName = plan.userName === user.sentUserName ? undefined : plan.userName;
    if (name === undefined && userName === undefined) return {};
    if (!user.provisioned)
      return ignored(
        { ...(name !== undefined && { name }), ...(userName !== undefined && { userName }) },
        account,
      );
    const changes = await this.accounts.rename(account, {
      ...(name !== undefined && { name }),
      ...(userName !== undefined && { userName }),
    });
    const { givenName, familyName } = plan;
    await this.users.note(group, user, user.active ? 'active' : 'inactive', {
      userName,
      givenName,
      familyName,
    });
    return changes;
  }

  private async moveEmail(user: ScimUser, account: User, email: string | undefined): Promise<Outcome> {
    if (email === undefined || email.toLowerCase() === account.email.toLowerCase()) return {};
    const move = await this.emails.move(account, email, user.provisioned);
    return move === 'asked' ? { emailAsked: email } : { email };
  }
}

/** What was asked of an account that is not the provider's to change. */
function ignored(wanted: Pick<PatchPlan, 'name' | 'userName'>, { name, username }: User): Outcome {
  const names = [
    ...(wanted.name !== undefined && wanted.name !== name ? ['name'] : []),
    ...(wanted.userName !== undefined && wanted.userName !== username ? ['userName'] : []),
  ];
  return names.length > 0 ? { ignored: names } : {};
}

/** The name with one of its parts, or both, exchanged; undefined where neither is. */
function composedName(user: ScimUser, { givenName, familyName }: PatchPlan): string | undefined {
  if (givenName === undefined && familyName === undefined) return undefined;
  const { given, family } = nameParts(user);
  const name = [givenName ?? given, familyName ?? family].filter((part) => part.trim() !== '').join(' ');
  return name === '' ? undefined : name;
}
