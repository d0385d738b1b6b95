import { isAdmin, Level, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { GroupProjects } from './group-projects';
import type { UpdateGroup } from './group.params';
import { belowContents, fullPathProblem, problemsOf, refuse, type Clashes } from './group-rules';
import { GroupsRepository, type GroupColumns } from './groups.repository';
import { changedLimits, limitProblems } from './minutes-limits';
import { takenMeanwhile } from './taken-group';

type UpdateParams = ParamsOf<typeof UpdateGroup>;

const LOCKED_ABOVE =
  'cannot be disabled when the parent group "Share with group lock" is enabled, except by the owner of the parent group';

/** Changes the settings of groups. */
@Injectable()
export class GroupChanges {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesRepository,
    private readonly tree: NamespaceTreeRepository,
    private readonly groups: GroupsRepository,
    private readonly projects: GroupProjects,
    private readonly license: License,
  ) {}

  /**
   * All of the changes or none. A new path moves everything inside of the group with it. What this licence does not
   * have is passed over. Answers the group as it then is.
   */
  async update(actor: Actor, { id }: Namespace, params: UpdateParams): Promise<Namespace> {
    try {
      return await this.database.transaction(() => this.change(actor, id, params));
    } catch (error) {
      throw takenMeanwhile(error);
    }
  }

  private async change(actor: Actor, id: number, params: UpdateParams): Promise<Namespace> {
    const group = await this.tree.holdForChange(id);
    if (!group) throw notFound('Group');
    const limits = changedLimits(actor, this.license, params, group);
    const columns = { ...this.columnsOf(params), ...limits };
    await this.requireValid(actor, group, params, columns);
    if (Object.keys(columns).length > 0) await this.groups.update(id, columns);
    if (params.path !== undefined && params.path !== group.path) await this.tree.rename(group, params.path);
    if (columns.shareWithGroupLock && !group.shareWithGroupLock) await this.tree.lockSharingBelow(id);
    const changed = await this.namespaces.find(id);
    if (!changed) throw new Error('the group is held in this transaction');
    return changed;
  }

  private columnsOf(params: UpdateParams): GroupColumns {
    const template = this.license.has('custom_file_templates') ? params.file_template_project_id : undefined;
    const isLocked = this.license.has('member_lock') ? params.membership_lock : undefined;
    return {
      ...(params.name !== undefined && { name: params.name }),
      ...(params.description !== undefined && { description: params.description }),
      ...(params.visibility !== undefined && { visibility: params.visibility }),
      ...(params.lfs_enabled !== undefined && { lfsEnabled: params.lfs_enabled }),
      ...(params.request_access_enabled !== undefined && {
        requestAccessEnabled: params.request_access_enabled,
      }),
      ...(params.share_with_group_lock !== undefined && { shareWithGroupLock: params.share_with_group_lock }),
      ...(isLocked !== undefined && { membershipLock: isLocked }),
      ...(template !== undefined && { fileTemplateProjectId: template }),
    };
  }

  private async requireValid(
    actor: Actor,
    group: Namespace,
    params: UpdateParams,
    columns: GroupColumns,
  ): Promise<void> {
    const parent = group.parentId === null ? null : await this.namespaces.find(group.parentId);
    const { name, description, visibility } = params;
    // A path from before some word was reserved may stay.
    const path = params.path === group.path ? undefined : params.path;
    const plan = { name, path, description, visibility };
    const problems = problemsOf(plan, parent, await this.clashes(group, parent, plan));
    refuse(
      problems,
      {
        path: problems['path'] ?? (await this.lengthProblem(group, path)),
        visibility_level: problems['visibility_level'] ?? (await this.visibilityProblem(group, params)),
        share_with_group_lock: await this.lockProblem(actor, group, parent, params),
        file_template_project_id: await this.templateProblem(group, columns.fileTemplateProjectId),
      },
      limitProblems(columns, parent !== null),
    );
  }

  private async clashes(
    { id, parentId, fullPath }: Namespace,
    parent: Namespace | null,
    { name, path }: { name: string | undefined; path: string | undefined },
  ): Promise<Clashes> {
    const moved = parent ? `${parent.fullPath}/${path ?? ''}` : (path ?? '');
    const isOther = path !== undefined && moved.toLowerCase() !== fullPath.toLowerCase();
    return {
      name: name !== undefined && (await this.groups.nameIsTaken(name, parentId, id)),
      path: isOther && (await this.namespaces.pathIsTaken(moved)),
    };
  }

  /** The group itself may be short and what is deep inside of it become too long. */
  private async lengthProblem(group: Namespace, path: string | undefined): Promise<string | null> {
    if (path === undefined || path.length <= group.path.length) return null;
    return fullPathProblem((await this.tree.longestPath(group)) + path.length - group.path.length);
  }

  private async visibilityProblem({ id }: Namespace, { visibility }: UpdateParams): Promise<string | null> {
    if (visibility === undefined) return null;
    const projects = await this.projects.mostVisible(id);
    return belowContents(visibility, { projects, groups: await this.groups.mostVisibleInside(id) });
  }

  private async lockProblem(
    actor: Actor,
    group: Namespace,
    parent: Namespace | null,
    { share_with_group_lock: wished }: UpdateParams,
  ): Promise<string | null> {
    if (wished !== false || !group.shareWithGroupLock || !parent?.shareWithGroupLock) return null;
    const mayUnlock =
      isAdmin(actor) || (await this.namespaces.levelOf(signedIn(actor).id, parent)) >= Level.owner;
    return mayUnlock ? null : LOCKED_ABOVE;
  }

  private async templateProblem(
    { id }: Namespace,
    projectId: number | null | undefined,
  ): Promise<string | null> {
    if (projectId === undefined || projectId === null) return null;
    return (await this.projects.isIn(id, projectId)) ? null : 'is not a project of this group';
  }
}
