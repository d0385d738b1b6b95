import { atLeast, signedIn, type Actor } from '#libs/access';
import { badRequest, forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { PipelineProcessing } from '../pipelines/pipeline-processing';
import { RefRights } from '../pipelines/ref-rights';
import type { JobDetails } from './job-details';
import { JobEndings } from './job-endings.service';
import { JobErasure } from './job-erasure.service';
import type { Job } from './job.entity';
import { JobMoves } from './job-moves';
import { JobsService } from './jobs.service';

/**
 * What people do with single jobs. All of it throws "404 Not found" for what is no job of the project, and 403 where
 * the job's ref is protected from the caller.
 */
@Injectable()
export class JobActions {
  constructor(
    private readonly jobs: JobsService,
    private readonly moves: JobMoves,
    private readonly processing: PipelineProcessing,
    private readonly endings: JobEndings,
    private readonly erasure: JobErasure,
    private readonly rights: RefRights,
  ) {}

  /** One that has ended stays as it is. */
  async cancel(actor: Actor, project: Project, id: number): Promise<JobDetails> {
    await this.requireChangeable(actor, project, id);
    await this.endings.change(id, async (job) => {
      await this.moves.cancel([job.id]);
      return true;
    });
    return this.jobs.show(project, id);
  }

  /** Answers the copy that runs instead of it. Throws 403 for one that has not run. */
  async retry(actor: Actor, project: Project, id: number): Promise<JobDetails> {
    await this.requireChangeable(actor, project, id);
    return this.jobs.show(project, await this.repeat(actor, id));
  }

  /** Starts one that waits for it, or runs it again. Throws 400 for one that is not started by hand. */
  async play(actor: Actor, project: Project, id: number): Promise<JobDetails> {
    await this.requireChangeable(actor, project, id);
    let played = id;
    await this.endings.change(id, async (job) => {
      if (!job.isPlayable) throw badRequest('400 Bad request - Unplayable Job');
      if (job.may('enqueue')) {
        await this.moves.enqueue([job.id], signedIn(actor).id);
      } else played = await this.copy(actor, job);
      return true;
    });
    return this.jobs.show(project, played);
  }

  /** Its log and artifacts go for good. Throws 403 for one that has not ended, or left nothing behind. */
  async erase(actor: Actor, project: Project, id: number): Promise<JobDetails> {
    const { record } = await this.requireChangeable(actor, project, id);
    const user = signedIn(actor);
    if (!atLeast('maintainer')(actor, project) && record.authorId !== user.id) throw forbidden();
    await this.erasure.erase(id, user.id);
    return this.jobs.show(project, id);
  }

  private async repeat(actor: Actor, id: number): Promise<number> {
    let copyId = id;
    await this.endings.change(id, async (job) => {
      if (!job.isRetryable) throw forbidden('Job is not retryable');
      copyId = await this.copy(actor, job);
      return true;
    });
    return copyId;
  }

  private async copy(actor: Actor, { id, pipelineId }: Job): Promise<number> {
    const copies = await this.moves.repeat([id], signedIn(actor).id);
    await this.processing.reconsiderAfter(copies, pipelineId);
    return copies[0] ?? id;
  }

  private async requireChangeable(actor: Actor, project: Project, id: number): Promise<Job> {
    const job = await this.jobs.require(project, id);
    const { ref, tag } = await this.jobs.pipelineOf(job);
    if (!(await this.rights.mayRun(actor, project, { ref, tag }))) throw forbidden();
    return job;
  }
}
