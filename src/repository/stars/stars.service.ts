import { signedIn, type Actor } from '#libs/access';
import { DomainError, notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { ProjectDetails } from '../projects/project-details';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { ProjectsService } from '../projects/projects.service';
import type { Starrer } from './starrer';
import { StarsRepository } from './stars.repository';

/** Which projects people have marked as worth remembering. */
@Injectable()
export class Stars {
  constructor(
    private readonly stars: StarsRepository,
    private readonly projects: ProjectsRepository,
    private readonly details: ProjectsService,
  ) {}

  /** Throws `not_modified` where the caller has starred it already. */
  async star(actor: Actor, project: Project): Promise<ProjectDetails> {
    return this.changed(actor, project, await this.stars.add(signedIn(actor).id, project.id));
  }

  /** Throws `not_modified` where the caller has not starred it. */
  async unstar(actor: Actor, project: Project): Promise<ProjectDetails> {
    return this.changed(actor, project, await this.stars.remove(signedIn(actor).id, project.id));
  }

  starrers(
    actor: Actor,
    project: Project,
    search: string | undefined,
    page: PageRequest,
  ): Promise<Page<Starrer>> {
    return this.stars.starrers(project.id, actor.user, search, page);
  }

  private async changed(actor: Actor, { id }: Project, hasChanged: boolean): Promise<ProjectDetails> {
    if (!hasChanged) throw new DomainError({ kind: 'not_modified' });
    const project = await this.projects.find(id);
    if (!project) throw notFound('Project');
    return this.details.describe(actor, project);
  }
}
