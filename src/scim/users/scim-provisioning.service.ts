import { Database } from '#libs/database';
import { conflict } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { AuditLog, GroupAdmission, GroupIdentities, ProvisionedAccounts } from '../../identity/identity.api';
import type { ScimGroup } from '../gate/scim-group';
import { clash, externalIdTaken } from './clashes';
import { sentUser, type SentUser } from './newcomer';
import type { ScimUser } from './scim-user';
import type { CreateScimUser } from './scim-users.params';
import { ScimUsersRepository } from './scim-users.repository';

/** How often a username may be snatched away by somebody who comes at the same moment. */
const MOST_ATTEMPTS = 5;
/** From this attempt on no neat username is tried. */
const CONTENDED = 3;

/** Brings users into a group, with an account where they have none. */
@Injectable()
export class ScimProvisioning {
  constructor(
    private readonly database: Database,
    private readonly users: ScimUsersRepository,
    private readonly accounts: ProvisionedAccounts,
    private readonly identities: GroupIdentities,
    private readonly members: GroupAdmission,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The user of this id, who is a guest of the group from then on: the one that it has already, the one that had it
   * before they were taken out, or a new one. Throws `conflict` for an e-mail that somebody else has.
   */
  async provision(
    group: ScimGroup,
    params: ParamsOf<typeof CreateScimUser>,
    address: string,
  ): Promise<ScimUser> {
    const sent = sentUser(params);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.database.transaction(() => this.bring(group, sent, address, attempt >= CONTENDED));
      } catch (error) {
        if (!this.accounts.lostUsername(error) || attempt === MOST_ATTEMPTS) throw clash(error);
      }
    }
  }

  private async bring(
    group: ScimGroup,
    sent: SentUser,
    address: string,
    isContended: boolean,
  ): Promise<ScimUser> {
    const { externUid } = sent;
    await this.users.lock(group, externUid);
    const known = await this.users.find(group, 'id', externUid);
    if (known?.active) await this.keep(group, known.userId, address);
    else {
      const former = await this.users.former(group, externUid);
      if (former) await this.restore(group, former.userId, sent, address);
      else await this.open(group, sent, address, isContended);
    }
    const user = await this.users.find(group, 'id', externUid);
    if (!user) throw new Error('the identity was linked in this transaction');
    return user;
  }

  /** Changes nothing of somebody who is there, but lets them in again whom an owner has taken out by hand. */
  private async keep(group: ScimGroup, userId: number, address: string): Promise<void> {
    if (await this.members.admit(group.id, userId))
      await this.note('scim.member_added', group, userId, address);
  }

  /** The same account again, as it is. */
  async restore(
    group: ScimGroup,
    userId: number,
    { externUid, names }: Pick<SentUser, 'externUid' | 'names'>,
    address: string,
  ): Promise<void> {
    if (!(await this.accounts.hold(userId))) throw conflict('The user is just being deleted');
    if (await this.users.idIsTaken(group, externUid, userId)) throw externalIdTaken();
    await this.identities.link(group.samlProviderId, userId, externUid);
    await this.users.note(group, { userId, externUid }, 'active', names);
    await this.members.admit(group.id, userId);
    await this.note('scim.user_restored', group, userId, address);
  }

  private async open(group: ScimGroup, sent: SentUser, address: string, isContended: boolean): Promise<void> {
    const { externUid, userName, name, email, names } = sent;
    if (await this.users.idIsTaken(group, externUid, 0)) throw externalIdTaken();
    const { samlProviderId } = group;
    const { id: userId } = await this.accounts.open({
      userName,
      name,
      email,
      samlProviderId,
      externUid,
      isContended,
    });
    await this.users.note(group, { userId, externUid }, 'active', names, true);
    await this.members.admit(group.id, userId);
    await this.note('scim.user_provisioned', group, userId, address, { externUid, userName, name, email });
  }

  private note(
    action: string,
    { id: groupId, tokenId }: ScimGroup,
    userId: number,
    address: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const actor = { kind: 'scim_token', id: tokenId } as const;
    return this.audit.record({ actor, action, groupId, userId, details, address });
  }
}
