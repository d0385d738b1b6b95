import { authorize, isAdmin, Level, signedIn, type Actor } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { forbidden, invalid, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { MembersRepository } from '../members/members.repository';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespacesRepository, type NewNamespace } from '../namespaces/namespaces.repository';
import type { CreateGroup } from './group.params';
import { GroupsRepository } from './groups.repository';
import { refuseInvalidGroup, TAKEN } from './new-group';

@Injectable()
export class GroupCreation {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesRepository,
    private readonly groups: GroupsRepository,
    private readonly members: MembersRepository,
    private readonly license: License,
  ) {}

  /**
   * Makes a group whose owner is the caller. Throws 403 without the right to create, 404 for a parent that the
   * caller does not see, and `validation` for what is wrong with the group.
   */
  async create(actor: Actor, params: ParamsOf<typeof CreateGroup>): Promise<Namespace> {
    const owner = signedIn(actor);
    const parent = await this.parentOf(actor, params.parent_id);
    if (!parent && !owner.canCreateGroup && !isAdmin(actor)) throw forbidden();
    const group = this.newGroup(params);
    refuseInvalidGroup(group, parent, {
      name: await this.groups.nameIsTaken(group.name, parent?.id ?? null),
      path: await this.namespaces.pathIsTaken(parent ? `${parent.fullPath}/${group.path}` : group.path),
    });
    try {
      return await this.database.transaction(async () => {
        const made = await this.namespaces.insert(group, parent);
        const source = { kind: 'namespace', id: made.id } as const;
        await this.members.insert(source, {
          userId: owner.id,
          accessLevel: Level.owner,
          createdById: owner.id,
        });
        return made;
      });
    } catch (error) {
      throw takenMeanwhile(uniqueViolation(error)) ?? error;
    }
  }

  private async parentOf(actor: Actor, id: number | undefined): Promise<Namespace | null> {
    if (id === undefined) return null;
    const parent = await this.namespaces.find(id);
    if (parent?.kind !== 'group') throw notFound('Group');
    const level = await this.namespaces.levelOf(signedIn(actor).id, parent);
    authorize('group:owner', { ...actor, level }, { kind: 'group', facts: parent });
    return parent;
  }

  private newGroup(params: ParamsOf<typeof CreateGroup>): NewNamespace & { readonly description: string } {
    const { shared_runners_minutes_limit: minutes, extra_shared_runners_minutes_limit: extraMinutes } =
      params;
    const hasMinutes = this.license.has('shared_runner_minutes');
    return {
      kind: 'group',
      name: params.name,
      path: params.path,
      description: params.description ?? '',
      visibility: params.visibility ?? 'private',
      ...(params.lfs_enabled !== undefined && { lfsEnabled: params.lfs_enabled }),
      ...(params.request_access_enabled !== undefined && {
        requestAccessEnabled: params.request_access_enabled,
      }),
      ...(hasMinutes && minutes !== undefined && { sharedRunnersMinutesLimit: minutes }),
      ...(hasMinutes && extraMinutes !== undefined && { extraSharedRunnersMinutesLimit: extraMinutes }),
    };
  }
}

/** Somebody else was faster between the look and the insert. */
function takenMeanwhile(index: string | null): Error | null {
  if (index === 'routes_path') return invalid({ path: [TAKEN] });
  return index === 'namespaces_group_name' ? invalid({ name: [TAKEN] }) : null;
}
