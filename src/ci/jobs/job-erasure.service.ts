import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { JobArtifactsRepository } from '../artifacts/job-artifacts.repository';
import { JobFileRemovals } from '../artifacts/job-file-removals';
import { JobFiles } from '../artifacts/job-files';
import { JobEndings } from './job-endings.service';
import type { Job } from './job.entity';
import { JobsRepository } from './jobs.repository';

/** Takes away what jobs have left behind. */
@Injectable()
export class JobErasure {
  constructor(
    private readonly endings: JobEndings,
    private readonly jobs: JobsRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly files: JobFiles,
    private readonly removals: JobFileRemovals,
  ) {}

  /** The log and all artifacts. Throws 403 where there is nothing that could be erased. */
  async erase(jobId: number, userId: number): Promise<void> {
    await this.endings.change(jobId, async (job) => {
      if (!(await this.isErasable(job))) throw forbidden('Job is not erasable!');
      job.erase(userId, new Date());
      await this.jobs.save([job]);
      await this.artifacts.removeOf(job.id);
      await this.removals.plan([this.files.folderOf(job)]);
      return false;
    });
  }

  /** The artifacts alone; where there are none, there is nothing to do. */
  async removeArtifacts(jobId: number): Promise<void> {
    await this.endings.change(jobId, async (job) => {
      job.artifactsExpireAt = null;
      await this.jobs.save([job]);
      await this.removals.plan(await this.artifacts.removeOf(job.id));
      return false;
    });
  }

  private async isErasable(job: Job): Promise<boolean> {
    if (!job.isFinished) return false;
    return job.traceBytes > 0 || (await this.artifacts.byJobs([job.id])).size > 0;
  }
}
