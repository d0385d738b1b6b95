import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { HookAttempts } from './hook-attempts.service';
import { hookCalls, type HookCallJob } from './hook-deliveries.queue';

@Injectable()
export class CallHook extends JobHandler<HookCallJob> {
  readonly queue = hookCalls;

  constructor(private readonly attempts: HookAttempts) {
    super();
  }

  run(job: HookCallJob, run: JobRun): Promise<void> {
    return this.attempts.make(job, run);
  }
}
