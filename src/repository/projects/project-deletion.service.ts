import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound, requireUnmodified } from '#libs/errors';
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

  /** Throws `precondition_failed` for one that has changed since, "404 Project Not Found" for the second of two at once. */
  async delete(actor: Actor, { id }: Pick<Project, 'id'>, unmodifiedSince: Date | null): Promise<Accepted> {
    const { id: actorId } = signedIn(actor);
    await this.database.transaction(async () => {
      await this.projects.holdFamily(id);
      const project = await this.projects.find(id);
      if (!project) throw notFound('Project');
      requireUnmodified(project.updatedAt, unmodifiedSince);
      await this.projects.markDeleted(id);
      await this.jobs.enqueue(projectRemovals, { projectId: id, actorId });
    });
    return ACCEPTED;
  }
}
