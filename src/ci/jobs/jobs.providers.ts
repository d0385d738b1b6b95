import { JobHolders } from '../job-tokens/job-holders.service';
import { Traces } from '../traces/traces.service';
import { FailStuckJobs } from './fail-stuck-jobs.job';
import { JobActions } from './job-actions.service';
import { JobChanges } from './job-changes';
import { JobEndings } from './job-endings.service';
import { JobErasure } from './job-erasure.service';
import { JobHookEvent } from './job-hook-event';
import { JobMoves } from './job-moves';
import { JobQueueRepository } from './job-queue.repository';
import { JobRecords } from './job-records.service';
import { JobRelationsRepository } from './job-relations.repository';
import { Job } from './job.entity';
import { JobsController } from './jobs.controller';
import { JobsRepository } from './jobs.repository';
import { JobsService } from './jobs.service';
import { StartDelayedJobs } from './start-delayed-jobs.job';
import { StuckJobsRepository } from './stuck-jobs.repository';

/** Jobs, their logs and tokens, as the module takes them up. */
export const JOBS = {
  entities: [Job],
  controllers: [JobsController],
  providers: [
    FailStuckJobs,
    JobActions,
    JobChanges,
    JobEndings,
    JobErasure,
    JobHolders,
    JobHookEvent,
    JobMoves,
    JobQueueRepository,
    JobRecords,
    JobRelationsRepository,
    JobsRepository,
    JobsService,
    StartDelayedJobs,
    StuckJobsRepository,
    Traces,
  ],
} as const;
