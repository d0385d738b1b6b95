import { authorize, isAdmin, Level, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { MembersRepository } from '../members/members.repository';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { NamespacesRepository, type NewNamespace } from '../namespaces/namespaces.repository';
import type { CreateGroup } from './group.params';
import { placeProblems, problemsOf, refuse } from './group-rules';
import { GroupsRepository } from './groups.repository';
import { changedLimits, limitProblems } from './minutes-limits';
import { takenMeanwhile } from './taken-group';

type CreateParams = ParamsOf<typeof CreateGroup>;

@Injectable()
export class GroupCreation {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesRepository,
    private readonly tree: NamespaceTreeRepository,
    private readonly groups: GroupsRepository,
    private readonly members: MembersRepository,
    private readonly license: License,
  ) {}

  /**
   * Makes a group whose owner is the caller. Throws 403 without the right to create, 404 for a parent that the
   * caller does not see, and `validation` for what is wrong with the group.
   */
  async create(actor: Actor, params: CreateParams): Promise<Namespace> {
    const owner = signedIn(actor);
    if (params.parent_id === undefined) {
      if (!owner.canCreateGroup && !isAdmin(actor)) throw forbidden();
    } else {
      await this.requireParent(actor, params.parent_id);
    }
    const limits = changedLimits(actor, this.license, params);
    try {
      return await this.database.transaction(async () => {
        const parent = await this.hold(params.parent_id);
        const plan = { ...planOf(params), shareWithGroupLock: parent?.shareWithGroupLock ?? false };
        refuse(
          problemsOf(plan, parent, await this.clashes(plan, parent)),
          placeProblems(parent),
          limitProblems(limits, parent !== null),
        );
        const made = await this.namespaces.insert({ ...plan, ...limits }, parent);
        await this.members.insert(
          { kind: 'namespace', id: made.id },
          { userId: owner.id, accessLevel: Level.owner, createdById: owner.id },
        );
        return made;
      });
    } catch (error) {
      throw takenMeanwhile(error);
    }
  }

  private async requireParent(actor: Actor, id: number): Promise<void> {
    const parent = await this.namespaces.find(id);
    if (parent?.kind !== 'group') throw notFound('Group');
    const level = await this.namespaces.levelOf(signedIn(actor).id, parent);
    authorize('group:owner', { ...actor, level }, { kind: 'group', facts: parent });
  }

  /** The parent as it is, and stays, until the group is in it. */
  private async hold(parentId: number | undefined): Promise<Namespace | null> {
    if (parentId === undefined) return null;
    const parent = await this.tree.hold(parentId);
    if (!parent) throw notFound('Group');
    return parent;
  }

  private async clashes({ name, path }: NewNamespace, parent: Namespace | null) {
    return {
      name: await this.groups.nameIsTaken(name, parent?.id ?? null),
      path: await this.namespaces.pathIsTaken(parent ? `${parent.fullPath}/${path}` : path),
    };
  }
}

const planOf = (params: CreateParams): NewNamespace => ({
  kind: 'group',
  name: params.name,
  path: params.path,
  description: params.description ?? '',
  visibility: params.visibility ?? 'private',
  ...(params.lfs_enabled !== undefined && { lfsEnabled: params.lfs_enabled }),
  ...(params.request_access_enabled !== undefined && { requestAccessEnabled: params.request_access_enabled }),
});
