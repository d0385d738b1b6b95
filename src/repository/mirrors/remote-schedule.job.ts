import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { MirrorPulls } from './mirror-pulls.service';
import { remoteSchedule } from './remote-update.queues';

const AT_ONCE = 100;
/** The rest has its turn a minute later. */
const MOST_ROUNDS = 50;

/** Queues the updates of mirrors that are due. Idempotent: a queued one is due no longer. */
@Injectable()
export class RemoteSchedule extends JobHandler {
  readonly queue = remoteSchedule;

  constructor(private readonly pulls: MirrorPulls) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !signal.aborted; round += 1) {
      if ((await this.pulls.scheduleDue(AT_ONCE)) < AT_ONCE) return;
    }
  }
}
