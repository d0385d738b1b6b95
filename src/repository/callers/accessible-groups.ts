import { GROUP_POLICY, type Actor } from '#libs/access';
import { CallerResolver } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';

/** Groups that a request names besides the project in its path. */
@Injectable()
export class AccessibleGroups {
  constructor(private readonly resolver: CallerResolver) {}

  /** Null both where there is none and where the caller may not see it. */
  async find(actor: Actor, id: number): Promise<Namespace | null> {
    const caller = actor.user ? { by: 'name' as const, idOrUsername: String(actor.user.id) } : null;
    const { group, level } = await this.resolver.resolve(caller, { kind: 'group', id });
    return group && GROUP_POLICY.reader({ ...actor, level }, group) ? group : null;
  }
}
