import { signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Namespaces, type Namespace } from '../../identity/identity.api';
import { AccessibleProjects } from '../callers/accessible-projects';
import type { ProjectDetails } from './project-details';
import { ProjectMoves, transferFailed } from './project-moves.service';
import { ProjectPlaces } from './project-places.service';
import type { Project } from './project.entity';
import { ProjectsRepository } from './projects.repository';
import { ProjectsService } from './projects.service';

/** Lets people move projects to where they may have them. */
@Injectable()
export class ProjectTransfer {
  constructor(
    private readonly accessible: AccessibleProjects,
    private readonly namespaces: Namespaces,
    private readonly places: ProjectPlaces,
    private readonly moves: ProjectMoves,
    private readonly projects: ProjectsRepository,
    private readonly details: ProjectsService,
  ) {}

  /**
   * For administrators: checks no rights beyond that the caller sees the project. Throws "404 Project Not Found", and
   * `validation` where the project cannot be in the group.
   */
  async transfer(actor: Actor, idOrPath: number | string, group: Namespace): Promise<void> {
    const { project } = await this.accessible.require(actor, idOrPath);
    await this.moves.into(project.id, group.id);
  }

  /**
   * For the project's owner, who must be allowed to make projects where it goes. Throws "404 Namespace Not Found" also
   * for a namespace that the caller has no say in, and `validation` where the project cannot be there.
   */
  async transferOwn(
    actor: Actor,
    project: Project,
    namespaceIdOrPath: number | string,
  ): Promise<ProjectDetails> {
    const target = await this.namespaces.show(actor, namespaceIdOrPath);
    if (target.id !== project.namespaceId && !(await this.places.find(signedIn(actor), target.id))) {
      throw transferFailed('You may not create projects in this namespace.');
    }
    await this.moves.into(project.id, target.id);
    const moved = await this.projects.find(project.id);
    if (!moved) throw notFound('Project');
    return this.details.describe(actor, moved);
  }
}
