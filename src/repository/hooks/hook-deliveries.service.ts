import { Database } from '#libs/database';
import { Jobs } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { chainOf } from './hook-chain';
import { HookDeliveriesRepository, type Occurrence } from './hook-deliveries.repository';
import { hookCalls, slowHookCalls } from './hook-deliveries.queue';
import type { ProjectHook } from './project-hook.entity';

/** Whatever hooks make of one occurrence by calling this service, it ends after so many calls. */
const MOST_IN_CHAIN = 100;

/** Queues calls of hooks. */
@Injectable()
export class HookDeliveries {
  private readonly logger = new Logger('Hooks');

  constructor(
    private readonly database: Database,
    private readonly deliveries: HookDeliveriesRepository,
    private readonly jobs: Jobs,
  ) {}

  /** Which of the hooks may be called for what had this cause: none twice in one chain, and none in too large a one. */
  async notRepeated(hooks: readonly ProjectHook[], cause: string | null): Promise<readonly ProjectHook[]> {
    const chain = chainOf(cause);
    if (chain === null) return hooks;
    const isFull = (await this.deliveries.countInChain(chain.root, MOST_IN_CHAIN)) >= MOST_IN_CHAIN;
    const left = isFull ? [] : hooks.filter(({ id }) => !chain.hookIds.includes(id));
    if (left.length < hooks.length)
      this.logger.warn({ chain }, 'hooks that lead to themselves are not called');
    return left;
  }

  /** Each hook is told of the occurrence once, however often this is called. */
  queue(hooks: readonly ProjectHook[], occurrence: Occurrence): Promise<void> {
    return this.database.transaction(async () => {
      const hookIds = hooks.map(({ id }) => id);
      const inserted = await this.deliveries.insert(hookIds, occurrence);
      await this.jobs.enqueueAll(
        inserted.map(({ id: deliveryId, isToSilence }) => ({
          queue: isToSilence ? slowHookCalls : hookCalls,
          data: { deliveryId, attempt: 1 },
        })),
      );
    });
  }
}
