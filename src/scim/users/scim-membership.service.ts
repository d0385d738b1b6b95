import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, GroupAdmission, GroupIdentities } from '../../identity/identity.api';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import type { ScimGroup } from '../gate/scim-group';
import { ScimProvisioning } from './scim-provisioning.service';
import type { ScimUser } from './scim-user';
import { ScimUsersRepository } from './scim-users.repository';

type Known = Pick<ScimUser, 'userId' | 'externUid'>;

/** Takes users out of a group and lets them in again. All in the caller's transaction. */
@Injectable()
export class ScimMembership {
  constructor(
    private readonly users: ScimUsersRepository,
    private readonly identities: GroupIdentities,
    private readonly members: GroupAdmission,
    private readonly provisioning: ScimProvisioning,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'scimKeepInactive'>,
  ) {}

  /** Of who is out, the provider sees nothing any more, or that they are inactive, as the installation has it. */
  deactivate(group: ScimGroup, user: Known, address: string): Promise<void> {
    return this.end(group, user, this.settings.scimKeepInactive ? 'inactive' : 'removed', address);
  }

  reactivate(group: ScimGroup, { userId, externUid }: Known, address: string): Promise<void> {
    return this.provisioning.restore(group, userId, { externUid, names: {} }, address);
  }

  /** Identity and membership go; the account stays, and is known again by its id. Throws for the last owner. */
  async end(group: ScimGroup, user: Known, state: 'inactive' | 'removed', address: string): Promise<void> {
    await this.members.dismiss(group.id, user.userId);
    await this.identities.unlink(group.samlProviderId, user.userId);
    await this.users.note(group, user, state);
    const action = state === 'removed' ? 'scim.user_removed' : 'scim.user_deactivated';
    await this.note(action, group, user.userId, address);
  }

  note(
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
