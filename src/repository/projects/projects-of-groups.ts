import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { GroupProjects, type ContentsOfGroup, type PresentableProject } from '../../identity/identity.api';
import { ProjectDescriptions } from './project-descriptions.service';
import type { ProjectSearch } from './project-search';
import { ProjectSearchRepository } from './project-search.repository';
import { presentProject } from './project.presenter';
import { ProjectsRepository } from './projects.repository';

/** The projects that a group's own record shows. */
@Injectable()
export class ProjectsOfGroups extends GroupProjects {
  constructor(
    private readonly searches: ProjectSearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly descriptions: ProjectDescriptions,
  ) {
    super();
  }

  async contents(actor: Actor, groupId: number, limit: number): Promise<ContentsOfGroup> {
    const newest = { viewer: actor.user, orderBy: 'createdAt', sort: 'desc' } as const;
    return {
      projects: await this.newest(actor, { ...newest, namespaceId: groupId }, limit),
      sharedProjects: await this.newest(actor, { ...newest, sharedWithGroupId: groupId }, limit),
    };
  }

  private async newest(actor: Actor, search: ProjectSearch, limit: number): Promise<PresentableProject[]> {
    const { rows: ids } = await this.searches.page(search, { page: 1, perPage: limit });
    const described = await this.descriptions.describe(actor, await this.projects.findMany(ids), {
      form: 'full',
    });
    return described.map((details) => ({ present: (view) => presentProject(details, view) }));
  }
}
