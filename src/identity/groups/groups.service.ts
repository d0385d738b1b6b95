import { isAdmin, Level, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { CustomAttributes } from '../custom-attributes/custom-attributes.service';
import { RunnersTokens } from '../installation/runners-tokens';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { GroupChanges } from './group-changes.service';
import { GroupCreation } from './group-creation.service';
import type { GroupDetails } from './group-details';
import { GroupProjects } from './group-projects';
import type { CreateGroup, ReadGroup, UpdateGroup } from './group.params';

/** The reference's bound on the projects in a group's details. */
const MAX_PROJECTS = 100;

const ALL_OF_IT = { with_projects: true, with_custom_attributes: false };
const NOTHING = { projects: [], sharedProjects: [] };

@Injectable()
export class Groups {
  constructor(
    private readonly namespaces: NamespacesRepository,
    private readonly projects: GroupProjects,
    private readonly runnersTokens: RunnersTokens,
    private readonly creation: GroupCreation,
    private readonly changes: GroupChanges,
    private readonly attributes: CustomAttributes,
  ) {}

  /** The runners' token is for owners and administrators alone, custom attributes for administrators. */
  async show(
    actor: Actor,
    group: Namespace,
    params: ParamsOf<typeof ReadGroup> = ALL_OF_IT,
  ): Promise<GroupDetails> {
    await this.namespaces.attachNames([group]);
    const attributes =
      isAdmin(actor) && params.with_custom_attributes ? await this.attributes.of('group', [group.id]) : null;
    const contents = params.with_projects
      ? await this.projects.contents(actor, group.id, MAX_PROJECTS)
      : null;
    const mayAdminister = isAdmin(actor) || actor.level >= Level.owner;
    return {
      group,
      contents,
      customAttributes: attributes?.get(group.id) ?? null,
      runnersToken: mayAdminister ? this.runnersTokens.for('group', group.id) : null,
    };
  }

  async create(actor: Actor, params: ParamsOf<typeof CreateGroup>): Promise<GroupDetails> {
    const group = await this.creation.create(actor, params);
    const runnersToken = this.runnersTokens.for('group', group.id);
    return { group, contents: NOTHING, customAttributes: null, runnersToken };
  }

  async update(actor: Actor, group: Namespace, params: ParamsOf<typeof UpdateGroup>): Promise<GroupDetails> {
    return this.show(actor, await this.changes.update(actor, group, params));
  }
}
