import { Database } from '#libs/database';
import { JobRunner, Jobs, type NewJob } from '#libs/jobs';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { currentCause } from './cause';
import { BatchHearers } from './batch-hearers';
import { deliveryId, EventDelivery } from './event-delivery';
import { EventSubscriber } from './event-subscriber';
import type { EventType } from './event-type';
import { Outbox, type NewEvent } from './outbox';

/**
 * Tells what happened. The event and one job for each subscriber are written in the transaction of the change:
 * either all of it is there or nothing, a crash loses no delivery, and any node makes them.
 */
@Injectable()
export class Events implements OnModuleInit {
  private deliveries: readonly EventDelivery[] = [];
  /** By the names of events, of which there are as many as the code has. */
  private readonly interested = new Map<string, readonly EventDelivery[]>();

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly runner: JobRunner,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    const instances = this.discovery.getProviders().map((provider): unknown => provider.instance);
    const subscribers = new Set(instances.filter((instance) => instance instanceof EventSubscriber));
    this.deliveries = [...subscribers].map((subscriber) => new EventDelivery(subscriber, this.outbox));
    for (const delivery of this.deliveries) this.runner.add(delivery);
  }

  /** Call it inside the transaction of the change. The payload is kept as JSON: no dates, no class instances. */
  emit<Payload extends object>(type: EventType<Payload>, payload: Payload): Promise<void> {
    return this.emitAll([{ name: type.name, payload }]);
  }

  /** Whether an event whose payload contains `part` (as PostgreSQL's @> has it) was emitted at that time or later. */
  wasEmitted<Payload extends object>(
    type: EventType<Payload>,
    since: Date,
    part: Partial<Payload>,
  ): Promise<boolean> {
    return this.outbox.has(type.name, since, part);
  }

  /** Whether anybody is told of such an event. */
  async isHeard<Payload extends object>(type: EventType<Payload>, payload: Payload): Promise<boolean> {
    const hearers = new BatchHearers((name) => this.interestedIn(name));
    return (await hearers.of({ name: type.name, payload })).length > 0;
  }

  /**
   * Has an event delivered that a statement of the caller's own has written (by INSERT_EVENT). Call it in the same
   * transaction; where nobody hears the event there is nothing to do, and no transaction needed.
   */
  deliver(event: NewEvent, eventId: number): Promise<void> {
    return this.queue([event], [eventId]);
  }

  /** Several events, in order, in two statements. */
  emitAll(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve();
    return this.database.transaction(async () => {
      await this.queue(events, await this.outbox.add(events));
    });
  }

  /** One job for each event and each subscriber that it concerns. */
  private async queue(events: readonly NewEvent[], ids: readonly number[]): Promise<void> {
    const jobs: NewJob<object>[] = [];
    const hearers = new BatchHearers((name) => this.interestedIn(name));
    for (const [index, event] of events.entries()) {
      const eventId = ids[index];
      if (eventId === undefined) throw new Error('every event written has an id');
      const data = { eventId, eventName: event.name };
      for (const { queue } of await hearers.of(event)) jobs.push({ queue, data, id: deliveryId(eventId) });
    }
    const cause = currentCause();
    if (cause !== null && jobs.length > 0) await this.outbox.noteCause(ids, cause);
    await this.jobs.enqueueAll(jobs);
  }

  /** Subscribers are asked what they react to with the first event of a name, when all of them are made. */
  private interestedIn(name: string): readonly EventDelivery[] {
    const found = this.interested.get(name) ?? this.deliveries.filter((delivery) => delivery.wants(name));
    this.interested.set(name, found);
    return found;
  }
}
