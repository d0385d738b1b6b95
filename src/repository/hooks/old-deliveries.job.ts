import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { HookDeliveriesRepository } from './hook-deliveries.repository';

const KEEP_DAYS = 7;
const BATCH = 1_000;

/** Clears the log of deliveries once an hour, in batches so that no statement is long. */
@Injectable()
export class ClearOldDeliveries extends JobHandler {
  readonly queue = defineQueue('hooks.clear_deliveries', {
    expireInSeconds: 600,
    everyMinutes: 60,
    onePerKey: true,
  });

  constructor(private readonly deliveries: HookDeliveriesRepository) {
    super();
  }

  run(_: object, { signal }: JobRun): Promise<void> {
    return clearInBatches(BATCH, signal, (limit) => this.deliveries.clear(KEEP_DAYS, limit));
  }
}
