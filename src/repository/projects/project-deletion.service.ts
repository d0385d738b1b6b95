import { Database } from '#libs/database';
import { requireUnmodified } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../../identity/identity.api';
import { projectRemovals } from './project-removal.job';
import type { Project } from './project.entity';
import { ProjectsRepository } from './projects.repository';

/** Deletes projects: at once for all who look, in the background for what they hold. */
@Injectable()
export class ProjectDeletion {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly jobs: Jobs,
  ) {}

  async delete(project: Project, unmodifiedSince: Date | null): Promise<Accepted> {
    requireUnmodified(project.updatedAt, unmodifiedSince);
    await this.database.transaction(async () => {
      await this.projects.markDeleted(project.id);
      await this.jobs.enqueue(projectRemovals, { projectId: project.id });
    });
    return ACCEPTED;
  }
}
