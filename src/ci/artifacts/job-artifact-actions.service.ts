import { forbidden, notFound } from '#libs/errors';
import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { JobDetails } from '../jobs/job-details';
import { JobEndings } from '../jobs/job-endings.service';
import { JobErasure } from '../jobs/job-erasure.service';
import { JobsRepository } from '../jobs/jobs.repository';
import { JobsService } from '../jobs/jobs.service';
import { RefRights } from '../pipelines/ref-rights';
import { JobArtifactsRepository } from './job-artifacts.repository';

/** What people do with what jobs have left behind. */
@Injectable()
export class JobArtifactActions {
  constructor(
    private readonly jobs: JobsService,
    private readonly rows: JobsRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly endings: JobEndings,
    private readonly erasure: JobErasure,
    private readonly rights: RefRights,
  ) {}

  /** It stays whatever its configuration says. Throws 404 where there is nothing, 403 for protected refs. */
  async keep(actor: Actor, project: Project, jobId: number): Promise<JobDetails> {
    const job = await this.jobs.require(project, jobId);
    if (!(await this.rights.mayRun(actor, project, await this.jobs.pipelineOf(job)))) throw forbidden();
    await this.endings.change(jobId, async (held) => {
      if (!(await this.artifacts.byJobs([held.id])).has(held.id)) throw notFound();
      await this.artifacts.keep(held.id);
      held.artifactsExpireAt = null;
      await this.rows.save([held]);
      return false;
    });
    return this.jobs.show(project, jobId);
  }

  /** Throws 404 for what is no job of the project. */
  async remove(project: Project, jobId: number): Promise<void> {
    const { id } = await this.jobs.require(project, jobId);
    await this.erasure.removeArtifacts(id);
  }
}
