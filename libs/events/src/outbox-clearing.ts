import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { Outbox } from './outbox';

/** Longer than any delivery waits: an undelivered job is kept for 14 days. */
const KEEP_DAYS = 15;
const BATCH = 5_000;

/** Clears old events once an hour, in batches so that no statement is long. */
@Injectable()
export class OutboxClearing extends JobHandler {
  readonly queue = defineQueue('events.clear_outbox', {
    expireInSeconds: 600,
    everyMinutes: 60,
    onePerKey: true,
  });

  constructor(private readonly outbox: Outbox) {
    super();
  }

  run(_: object, { signal }: JobRun): Promise<void> {
    return clearInBatches(BATCH, signal, (limit) => this.outbox.clear(KEEP_DAYS, limit));
  }
}
