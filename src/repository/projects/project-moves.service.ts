import { Database, uniqueViolation } from '#libs/database';
import { invalid, notFound, type DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../../identity/identity.api';
import { withinVisibility } from './project-visibility';
import { MovedProjects } from './moved-projects';
import { ProjectTransferRepository } from './project-transfer.repository';
import { ProjectsRepository } from './projects.repository';

const IN_THE_WAY = 'The project is being worked on, please try again';

/** Moves projects from one namespace to another. The repository stays where it is: its place follows from the id. */
@Injectable()
export class ProjectMoves {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly transfers: ProjectTransferRepository,
    private readonly namespaces: Namespaces,
    private readonly moved: MovedProjects,
  ) {}

  /**
   * Checks no rights. A project that is more visible than the group it comes into becomes as visible as that. Throws
   * "404 Namespace Not Found", "404 Project Not Found", `validation` where the project cannot be there, and `unavailable`
   * where somebody does not let go of what is in it.
   */
  async into(projectId: number, namespaceId: number): Promise<void> {
    try {
      await this.database.patientTransaction(IN_THE_WAY, () => this.move(projectId, namespaceId));
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      throw transferFailed('Project with same name or path in target namespace already exists');
    }
  }

  private async move(projectId: number, namespaceId: number): Promise<void> {
    const namespace = await this.namespaces.hold(namespaceId);
    if (!namespace) throw notFound('Namespace');
    await this.moved.settle({ id: projectId, namespaceId });
    await this.transfers.lock(projectId);
    const project = await this.projects.find(projectId);
    if (!project) throw notFound('Project');
    if (project.namespaceId === namespaceId) throw transferFailed('Project is already in this namespace.');
    const limit = namespace.kind === 'group' ? namespace.visibility : 'public';
    await this.transfers.move(project, namespace, withinVisibility(project.visibility, limit));
  }
}

export const transferFailed = (sentence: string): DomainError => invalid({ new_namespace: [sentence] });
