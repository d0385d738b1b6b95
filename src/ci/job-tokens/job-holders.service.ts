import { timingSafeEqual } from 'node:crypto';
import { forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../../identity/identity.api';
import type { Job } from '../jobs/job.entity';
import { JobsRepository } from '../jobs/jobs.repository';

/** Runners that work on a job, known by the token that came with it. */
@Injectable()
export class JobHolders {
  constructor(private readonly jobs: JobsRepository) {}

  /**
   * The job, running or not. With `held` it is locked until the transaction ends. Throws "404 Not found" for no job,
   * 403 for whoever does not hold it, and for one whose project is deleted or that is erased.
   */
  async require(jobId: number, token: string, hold: 'held' | 'free' = 'free'): Promise<Job> {
    const job = await this.jobs.find(jobId, hold);
    if (!job) throw notFound();
    if (!isTokenOf(job, token)) throw forbidden();
    if (await this.jobs.isProjectGone(job.projectId)) throw forbidden('Project has been deleted!');
    if (job.isErased) throw forbidden('Job has been erased!');
    return job;
  }

  /** The running job whose token it is may have what another of its pipeline has left behind. */
  async requireReader(jobId: number, token: string): Promise<Job> {
    const wanted = await this.jobs.find(jobId);
    if (!wanted) throw notFound();
    const reader = isTokenOf(wanted, token)
      ? wanted
      : await this.jobs.runningBy(wanted.pipelineId, digestOf(token));
    if (!reader?.isRunning) throw forbidden();
    await this.require(reader.id, token);
    return wanted;
  }
}

function isTokenOf({ jobTokenDigest }: Job, token: string): boolean {
  const shown = digestOf(token);
  return jobTokenDigest?.length === shown.length && timingSafeEqual(jobTokenDigest, shown);
}
