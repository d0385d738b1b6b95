import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { SeparatedForks } from '../forks/separated-forks';
import { UploadStorage } from '../uploads/upload-storage';
import { ProjectsRepository } from './projects.repository';
import { RepositoryRemoval } from './repository-removal.service';

const IN_THE_WAY = 'The project is still being written to';

/** Removes what deleted projects held: the repository first, the rows after it, so that a crash forgets nothing. */
@Injectable()
export class ProjectRemoval {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly separated: SeparatedForks,
    private readonly repositories: RepositoryRemoval,
    private readonly uploads: UploadStorage,
  ) {}

  /**
   * Does nothing for a project that is not deleted, or is removed already. `actorId` is whoever deleted it, null for
   * the system itself.
   */
  async remove(projectId: number, actorId: number | null): Promise<void> {
    const project = await this.projects.findDeleted(projectId);
    if (!project) return;
    await this.separated.settle(projectId, actorId);
    await this.repositories.remove(project);
    await this.uploads.removeAll(projectId);
    await this.database.patientTransaction(IN_THE_WAY, () => this.projects.remove(projectId));
  }
}
