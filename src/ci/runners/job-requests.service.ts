import { randomBytes } from 'node:crypto';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { JobTaking, type RunnerFeatures } from './job-taking.service';
import type { TakenJob } from './job-payload';
import type { RequestJob } from './runner-jobs.params';
import { RunnerRegistration } from './runner-registration.service';
import { WaitingRunners } from './waiting-runners';

type Asked = ParamsOf<typeof RequestJob>;

/** A job, or what to bring along with the next request so that it waits for one. */
export type JobAnswer = { readonly job: TakenJob } | { readonly lastUpdate: string };

/** Shorter than a stopping process waits for its last answers. */
const LONGEST_WAIT_MS = 25_000;
const MARK_BYTES = 8;
/** It goes back in a header: nothing else than what was, or another node's, told. */
const MARK = /^[\w-]{1,64}$/;

/** Answers runners that ask for jobs. */
@Injectable()
export class JobRequests {
  constructor(
    private readonly registration: RunnerRegistration,
    private readonly taking: JobTaking,
    private readonly waiting: WaitingRunners,
  ) {}

  /**
   * A request that brings along what the last one was told waits for a while; any other is answered at once, so that
   * a runner which has just started, or has just ended a job, loses no time. Throws 403 for an unknown token.
   */
  async request(asked: Asked, address: string, signal: AbortSignal): Promise<JobAnswer> {
    const runner = await this.registration.hear(asked.token, asked.info ?? {}, address);
    const known = MARK.test(asked.last_update ?? '') ? asked.last_update : undefined;
    const deadline = Date.now() + (known === undefined ? 0 : LONGEST_WAIT_MS);
    const features = featuresOf(asked);
    while (runner.active && !hasLeft(signal)) {
      const job = await this.taking.next(runner, features);
      if (job && !hasLeft(signal)) return { job };
      if (job) await this.taking.giveBack(job);
      if (!(await this.waiting.wait(runner.id, deadline - Date.now(), signal))) break;
    }
    return { lastUpdate: known ?? randomBytes(MARK_BYTES).toString('hex') };
  }
}

/** A function, as it changes while others work. */
const hasLeft = (client: AbortSignal): boolean => client.aborted;

function featuresOf({ info }: Asked): RunnerFeatures {
  const features: unknown = info?.features;
  return typeof features === 'object' && features !== null ? { ...features } : {};
}
