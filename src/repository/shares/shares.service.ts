import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, conflict, DomainError, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Namespaces, type Namespace } from '../../identity/identity.api';
import { AccessibleGroups } from '../callers/accessible-groups';
import type { Project } from '../projects/project.entity';
import type { Share } from './share.entity';
import type { CreateShare } from './share.params';
import { SharesRepository } from './shares.repository';

/** Projects shared with groups. Who gains or loses access by it does so from their next request on. */
@Injectable()
export class Shares {
  constructor(
    private readonly database: Database,
    private readonly shares: SharesRepository,
    private readonly namespaces: Namespaces,
    private readonly groups: AccessibleGroups,
  ) {}

  /**
   * Throws 400 where a group keeps its projects from being shared, 404 for a group that the caller does not see, 409
   * for one that has the project already, by a share or because the project is in it.
   */
  create(
    actor: Actor,
    { id: projectId }: Pick<Project, 'id'>,
    params: ParamsOf<typeof CreateShare>,
  ): Promise<Share> {
    return this.database.transaction(async () => {
      const namespace = await this.holdNamespaceOf(projectId);
      if (!namespace.allowsSharing) throw badRequest('The project sharing with group is disabled');
      const group = await this.requireGroup(actor, params.group_id);
      if (namespace.traversalIds.includes(group.id)) {
        throw conflict('Project cannot be shared with the group it is in or one of its ancestors.');
      }
      const { group_access: groupAccess, expires_at: expiresAt = null } = params;
      const share = await this.shares.insert({ projectId, groupId: group.id, groupAccess, expiresAt });
      if (!share) throw conflict('Group already shared with this group');
      return share;
    });
  }

  delete(
    { id: projectId }: Pick<Project, 'id'>,
    groupId: number,
    unmodifiedSince: Date | null,
  ): Promise<void> {
    return this.database.transaction(async () => {
      const share = await this.shares.findForChange(projectId, groupId);
      if (!share) throw notFound('Group Link');
      requireUnmodified(share.updatedAt, unmodifiedSince);
      await this.shares.remove(share.id);
    });
  }

  /** Project and namespace stay as they are until the transaction ends. */
  private async holdNamespaceOf(projectId: number): Promise<Namespace> {
    const namespaceId = await this.shares.holdProject(projectId);
    const namespace = namespaceId === null ? null : await this.namespaces.hold(namespaceId);
    if (!namespace) throw notFound('Project');
    return namespace;
  }

  private async requireGroup(actor: Actor, id: number): Promise<Namespace> {
    const group = (await this.groups.find(actor, id)) && (await this.namespaces.hold(id));
    if (!group) throw new DomainError({ kind: 'not_found', message: 'Not Found' });
    return group;
  }
}
