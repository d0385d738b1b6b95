import type { Actor, Visibility } from '#libs/access';
import { Injectable } from '@nestjs/common';
import {
  GroupProjects,
  type ContentsOfGroup,
  type GroupStatistics,
  type PresentableProject,
} from '../../identity/identity.api';
import { GroupProjectsRepository } from './group-projects.repository';
import { ProjectDescriptions } from './project-descriptions.service';
import type { ProjectSearch } from './project-search';
import { ProjectSearchRepository } from './project-search.repository';
import { presentProject } from './project.presenter';
import { ProjectsRepository } from './projects.repository';

const NO_STATISTICS: GroupStatistics = {
  storageSize: 0,
  repositorySize: 0,
  wikiSize: 0,
  lfsObjectsSize: 0,
  jobArtifactsSize: 0,
  packagesSize: 0,
};

/** What groups tell of their projects. */
@Injectable()
export class ProjectsOfGroups extends GroupProjects {
  constructor(
    private readonly searches: ProjectSearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly descriptions: ProjectDescriptions,
    private readonly facts: GroupProjectsRepository,
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

  async statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatistics>> {
    const found = await this.facts.statistics(groupIds);
    return new Map(groupIds.map((id) => [id, found.get(id) ?? NO_STATISTICS]));
  }

  mostVisible(groupId: number): Promise<Visibility | null> {
    return this.facts.mostVisible(groupId);
  }

  isIn(groupId: number, projectId: number): Promise<boolean> {
    return this.facts.isIn(groupId, projectId);
  }

  private async newest(actor: Actor, search: ProjectSearch, limit: number): Promise<PresentableProject[]> {
    const { rows: ids } = await this.searches.page(search, { page: 1, perPage: limit });
    const described = await this.descriptions.describe(actor, await this.projects.findMany(ids), {
      form: 'full',
    });
    return described.map((details) => ({ present: (view) => presentProject(details, view) }));
  }
}
