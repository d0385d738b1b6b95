import { exceedsVisibility, type Actor } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { badRequest, notFound, type DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Namespaces, type Namespace } from '../../identity/identity.api';
import { AccessibleProjects } from '../callers/accessible-projects';
import { ProjectTransferRepository } from './project-transfer.repository';
import { ProjectsRepository } from './projects.repository';

/** Moves projects from one namespace to another. The repository stays where it is: its place follows from the id. */
@Injectable()
export class ProjectTransfer {
  constructor(
    private readonly database: Database,
    private readonly accessible: AccessibleProjects,
    private readonly projects: ProjectsRepository,
    private readonly transfers: ProjectTransferRepository,
    private readonly namespaces: Namespaces,
  ) {}

  /**
   * Checks no rights beyond that the caller sees the project. Throws "404 Project Not Found", and `bad_request` where
   * the project cannot be in the namespace.
   */
  async transfer(actor: Actor, idOrPath: number | string, { id: namespaceId }: Namespace): Promise<void> {
    const { project } = await this.accessible.require(actor, idOrPath);
    try {
      await this.database.transaction(() => this.move(project.id, namespaceId));
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      throw failed('Project with same name or path in target namespace already exists');
    }
  }

  private async move(projectId: number, namespaceId: number): Promise<void> {
    const namespace = await this.namespaces.hold(namespaceId);
    if (!namespace) throw notFound('Group');
    await this.transfers.lock(projectId);
    const project = await this.projects.find(projectId);
    if (!project) throw notFound('Project');
    if (project.namespaceId === namespaceId) throw failed('Project is already in this namespace.');
    if (namespace.kind === 'group' && exceedsVisibility(project.visibility, namespace.visibility)) {
      throw failed(`${project.visibility} is not allowed in a ${namespace.visibility} group.`);
    }
    await this.transfers.move(projectId, namespace);
  }
}

const failed = (sentence: string): DomainError => badRequest(`Failed to transfer project: ${sentence}`);
