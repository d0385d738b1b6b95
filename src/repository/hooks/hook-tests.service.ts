import { randomUUID } from 'node:crypto';
import { signedIn, type Actor } from '#libs/access';
import { currentCause } from '#libs/events';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { chainOf } from './hook-chain';
import { HookDeliveriesRepository } from './hook-deliveries.repository';
import { HookDeliveries } from './hook-deliveries.service';
import type { HookDelivery } from './hook-delivery.entity';
import type { HookCall } from './hook-event';
import { HookEvents } from './hook-events';
import { kindOf } from './hook-kinds';
import type { TestHook } from './hook.params';
import { HooksService } from './hooks.service';
import { refusedHook } from './refused-hook';
import { TEST_STARTED, type TestStart } from './test-start';

/** Trying hooks out, and looking at what came of their calls. */
@Injectable()
export class HookTests {
  constructor(
    private readonly hooks: HooksService,
    private readonly log: HookDeliveriesRepository,
    private readonly deliveries: HookDeliveries,
    private readonly events: HookEvents,
  ) {}

  /** The latest first. Throws "404 Not found" for what is no hook of this project. */
  async deliveriesOf(project: Project, hookId: number, page: PageRequest): Promise<Page<HookDelivery>> {
    const { id } = await this.hooks.find(project, hookId);
    return this.log.page(id, page);
  }

  /**
   * Has the hook called, whatever it wants to know of, as if the caller had just done the latest thing of the kind.
   * Throws "404 Not found", and `unprocessable` where the project has nothing of the kind to tell.
   */
  async start(actor: Actor, project: Project, params: ParamsOf<typeof TestHook>): Promise<TestStart> {
    const hook = await this.hooks.find(project, params.hook_id);
    const cause = currentCause();
    const [left] = await this.deliveries.notRepeated([hook], cause);
    if (!left) throw refusedHook('A hook cannot test itself');
    const call = await this.sampleOf(actor, project, params.trigger);
    if (!call) throw refusedHook('The project has no such event yet');
    const body = JSON.stringify(await call.body());
    const occurrence = { name: `test:${randomUUID()}`, kind: call.kind, body, chain: chainOf(cause) };
    await this.deliveries.queue([hook], occurrence);
    return TEST_STARTED;
  }

  /** Of the first event of the kind that has something to tell: notes stand on several sorts of things. */
  private async sampleOf(actor: Actor, project: Project, trigger: string): Promise<HookCall | null> {
    const kind = kindOf(trigger);
    for (const event of this.events.all.filter(({ kinds }) => kinds.includes(kind))) {
      const call = await event.sample(kind, project, signedIn(actor));
      if (call) return call;
    }
    return null;
  }
}
