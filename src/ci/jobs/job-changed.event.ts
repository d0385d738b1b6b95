import { defineEvent } from '#libs/events';
import type { CiStatus } from '../pipelines/status';

/** A job was made, or has another status. */
export interface JobChanged {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly jobId: number;
  readonly status: CiStatus;
}

export const jobChanged = defineEvent<JobChanged>()('ci.job_changed');
