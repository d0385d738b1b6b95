import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuditLog, digestOf, GroupSso, newSecret, type Namespace } from '../../identity/identity.api';
import { ScimTokensRepository } from '../gate/scim-tokens.repository';
import type { ScimSettings, SwitchedScim } from './scim-settings';

type Group = Pick<Namespace, 'id' | 'fullPath'>;

/** Which groups have SCIM, and their tokens. */
@Injectable()
export class ScimSettingsService {
  constructor(
    private readonly database: Database,
    private readonly tokens: ScimTokensRepository,
    private readonly sso: GroupSso,
    private readonly audit: AuditLog,
  ) {}

  async show({ id, fullPath }: Group): Promise<ScimSettings> {
    return { enabled: await this.tokens.isIssued(id), fullPath };
  }

  /**
   * A group without single sign-on gets one, with settings to be completed. One that its owners have switched off stays
   * off, and SCIM with it.
   */
  async switch(actor: Actor, group: Group, enabled: boolean, address: string): Promise<SwitchedScim> {
    const token = enabled ? newSecret() : null;
    const { id: userId } = signedIn(actor);
    await this.database.transaction(async () => {
      if (token === null) await this.tokens.revoke(group.id);
      else {
        await this.sso.ensure(group.id);
        await this.tokens.issue(group.id, digestOf(token), userId);
      }
      await this.audit.record({
        actor: { kind: 'user', id: userId },
        action: enabled ? 'scim.enabled' : 'scim.disabled',
        groupId: group.id,
        address,
      });
    });
    return { enabled, fullPath: group.fullPath, token };
  }
}
