import { isAdmin, Level, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { RunnersTokens } from '../installation/runners-tokens';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { GroupCreation } from './group-creation.service';
import type { GroupDetails } from './group-details';
import { GroupProjects } from './group-projects';
import { groupScope } from './group-scope';
import type { CreateGroup, ListGroups, ReadGroup } from './group.params';
import { GroupsRepository } from './groups.repository';

/** The reference's bound on the projects in a group's details. */
const MAX_PROJECTS = 100;

const NOTHING = { projects: [], sharedProjects: [] };

@Injectable()
export class Groups {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly projects: GroupProjects,
    private readonly runnersTokens: RunnersTokens,
    private readonly creation: GroupCreation,
  ) {}

  list(actor: Actor, params: ParamsOf<typeof ListGroups>, page: PageRequest): Promise<Page<Namespace>> {
    const { skip_groups: without = [], search, order_by: orderBy, sort } = params;
    return this.groups.page({ scope: groupScope(actor, params), without, search, orderBy, sort }, page);
  }

  /** The runners' token is for owners and administrators alone. */
  async show(actor: Actor, group: Namespace, params: ParamsOf<typeof ReadGroup>): Promise<GroupDetails> {
    await this.namespaces.attachNames([group]);
    const contents = params.with_projects
      ? await this.projects.contents(actor, group.id, MAX_PROJECTS)
      : null;
    const mayAdminister = isAdmin(actor) || actor.level >= Level.owner;
    return {
      group,
      contents,
      runnersToken: mayAdminister ? this.runnersTokens.for('group', group.id) : null,
    };
  }

  async create(actor: Actor, params: ParamsOf<typeof CreateGroup>): Promise<GroupDetails> {
    const group = await this.creation.create(actor, params);
    return { group, contents: NOTHING, runnersToken: this.runnersTokens.for('group', group.id) };
  }
}
