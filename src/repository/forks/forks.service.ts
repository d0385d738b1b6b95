import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, conflict, DomainError, notFound } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects } from '../callers/accessible-projects';
import type { ProjectDetails } from '../projects/project-details';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { ProjectsService } from '../projects/projects.service';
import { forkSeparations } from './fork-separation.job';
import { ForkRelationsRepository } from './fork-relations.repository';

/** Relations between projects that are there already. */
@Injectable()
export class Forks {
  constructor(
    private readonly database: Database,
    private readonly accessible: AccessibleProjects,
    private readonly projects: ProjectsRepository,
    private readonly relations: ForkRelationsRepository,
    private readonly details: ProjectsService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Makes the project a fork of another one whose code the caller may read. Throws "404 Project Not Found" for any other,
   * 409 for a project that is a fork already, and `bad_request` for one that the other was forked from.
   */
  async relate(actor: Actor, project: Project, sourceIdOrPath: number | string): Promise<ProjectDetails> {
    const { project: source, actor: there } = await this.accessible.require(actor, sourceIdOrPath);
    if (!PROJECT_POLICY.download_code(there, source)) throw notFound('Project');
    await this.database.transaction(() => this.attach(project.id, source.id));
    const related = await this.projects.find(project.id);
    if (!related) throw notFound('Project');
    return this.details.describe(actor, related);
  }

  /**
   * Merge requests between the project and its former network are closed after the answer. Throws `not_modified` for a
   * project that is no fork.
   */
  async end(actor: Actor, { id: projectId }: Project): Promise<void> {
    const { id: actorId } = signedIn(actor);
    const wasFork = await this.database.transaction(async () => {
      if (!(await this.relations.detach(projectId))) return false;
      await this.jobs.enqueue(forkSeparations, { projectId, actorId });
      return true;
    });
    if (!wasFork) throw new DomainError({ kind: 'not_modified' });
  }

  private async attach(forkId: number, sourceId: number): Promise<void> {
    const there = await this.relations.lock([forkId, sourceId]);
    if (!there.has(forkId) || !there.has(sourceId)) throw notFound('Project');
    if ((await this.relations.sourceOf(forkId)) !== null) throw conflict('Project already forked');
    if (await this.relations.descends(sourceId, forkId)) {
      throw badRequest('A project cannot be a fork of itself or of one of its own forks');
    }
    await this.relations.attach(forkId, sourceId);
  }
}
