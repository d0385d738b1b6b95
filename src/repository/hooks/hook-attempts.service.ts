import { Database } from '#libs/database';
import { Jobs, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { HookCalls } from './hook-calls.service';
import { HookDeliveriesRepository } from './hook-deliveries.repository';
import { slowHookCalls, type HookCallJob } from './hook-deliveries.queue';

/** Seconds to wait after each attempt that found no connection; after the last one the delivery is given up. */
const PAUSES = [10, 60, 300, 900];

/** Attempts to call hooks. */
@Injectable()
export class HookAttempts {
  constructor(
    private readonly database: Database,
    private readonly deliveries: HookDeliveriesRepository,
    private readonly calls: HookCalls,
    private readonly jobs: Jobs,
  ) {}

  /** Makes one attempt. A crash between the call and its record makes it twice. */
  async make({ deliveryId, attempt }: HookCallJob, { signal, isLastAttempt }: JobRun): Promise<void> {
    const delivery = await this.deliveries.findWaiting(deliveryId, attempt - 1);
    if (!delivery) return;
    try {
      const pause = PAUSES[attempt - 1];
      const { isWorthRepeating, ...outcome } = await this.calls.make(delivery, signal);
      const isFinal = !isWorthRepeating || pause === undefined;
      await this.database.transaction(async () => {
        const isOurs = await this.deliveries.record(deliveryId, attempt, { ...outcome, isFinal });
        if (isOurs && !isFinal) await this.enqueue(deliveryId, attempt + 1, pause);
      });
    } catch (error) {
      if (isLastAttempt) await this.deliveries.giveUp(deliveryId, 'The service could not make the call');
      throw error;
    }
  }

  private enqueue(deliveryId: number, attempt: number, seconds: number): Promise<void> {
    const startAfter = new Date(Date.now() + seconds * 1000);
    return this.jobs.enqueue(slowHookCalls, { deliveryId, attempt }, { startAfter });
  }
}
