export { clearInBatches } from './clear-in-batches';
export { JobHandler, type JobRun } from './job-handler';
export { JobRunner } from './job-runner';
export { Jobs, type EnqueueOptions, type NewJob } from './jobs';
export { JobsModule } from './jobs.module';
export type { JobsOptions } from './jobs-options';
export { defineQueue, type Queue, type QueueOptions } from './queue';
