import { EventSubscriber, on, type DomainEvent, type EventReaction, type NewEvent } from '#libs/events';
import { Injectable, Logger } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository';
import { chainOf } from './hook-chain';
import { HookDeliveries } from './hook-deliveries.service';
import type { HookCall, HookEvent, InProject } from './hook-event';
import { HookEvents } from './hook-events';
import { HooksRepository } from './hooks.repository';
import type { ProjectHook } from './project-hook.entity';

/** A push of more branches and tags than this calls no hook, as the reference has it for a smaller number. */
const MOST_CALLS = 100;

/** Has the hooks of a project called that want to know of an event. */
@Injectable()
export class HookDispatch extends EventSubscriber {
  readonly name = 'hooks';
  override readonly delivery = { expireInSeconds: 120, concurrency: 4 };
  private made: readonly EventReaction[] | undefined;
  private readonly logger = new Logger('Hooks');

  constructor(
    private readonly events: HookEvents,
    private readonly hooks: HooksRepository,
    private readonly projects: ProjectsRepository,
    private readonly deliveries: HookDeliveries,
  ) {
    super();
  }

  get reactions(): readonly EventReaction[] {
    this.made ??= this.events.all.map((hookEvent) =>
      on(hookEvent.type, (event, signal) => this.dispatch(hookEvent, event, signal)),
    );
    return this.made;
  }

  /** Most projects have no hooks, and most hooks want few kinds of calls. */
  override async concerns(event: NewEvent): Promise<boolean> {
    const projectId = this.concernOf(event);
    const kinds = this.events.all.flatMap(({ type, kinds }) => (type.name === event.name ? kinds : []));
    return projectId !== undefined && this.hooks.hasAny(projectId, kinds);
  }

  override concernOf({ payload }: NewEvent): number | undefined {
    const projectId: unknown = 'projectId' in payload ? payload.projectId : null;
    return typeof projectId === 'number' ? projectId : undefined;
  }

  private async dispatch(
    hookEvent: HookEvent,
    { id, payload, cause }: DomainEvent<InProject>,
    signal: AbortSignal,
  ): Promise<void> {
    const all = await this.hooks.ofProject(payload.projectId);
    const project = all.length > 0 ? await this.projects.find(payload.projectId) : null;
    if (!project) return;
    const calls = await hookEvent.calls(payload, project);
    if (calls.length > MOST_CALLS) {
      this.logger.warn({ event: id, calls: calls.length }, 'an event is too large to call hooks for');
      return;
    }
    for (const [place, call] of calls.entries()) {
      signal.throwIfAborted();
      const hooks = await this.deliveries.notRepeated(wanting(all, call), cause);
      if (hooks.length === 0) continue;
      const body = JSON.stringify(await call.body());
      const occurrence = { name: `event:${id}:${place}`, kind: call.kind, body, chain: chainOf(cause) };
      await this.deliveries.queue(hooks, occurrence);
    }
  }
}

const wanting = (hooks: readonly ProjectHook[], { kind, branch }: HookCall): ProjectHook[] =>
  hooks.filter((hook) => hook.wants(kind, branch));
