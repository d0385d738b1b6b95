import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { HookAttempts } from './hook-attempts.service';
import { slowHookCalls, type HookCallJob } from './hook-deliveries.queue';

@Injectable()
export class CallSlowHook extends JobHandler<HookCallJob> {
  readonly queue = slowHookCalls;

  constructor(private readonly attempts: HookAttempts) {
    super();
  }

  run(job: HookCallJob, run: JobRun): Promise<void> {
    return this.attempts.make(job, run);
  }
}
