import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import { Jobs } from './jobs';
import { JOBS_OPTIONS, withDefaults, type JobsOptions } from './jobs-options';
import { RecurringJobs } from './recurring-jobs';
import { Workers } from './workers';

/** Provides Jobs everywhere and runs every JobHandler among the application's providers. Needs DatabaseModule. */
@Module({})
export class JobsModule {
  static forRoot(options: JobsOptions): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: JOBS_OPTIONS, useValue: withDefaults(options) },
        ...[JobQueue, Workers, Jobs, RecurringJobs, JobRunner],
      ],
      exports: [Jobs, JobRunner],
    };
  }
}
