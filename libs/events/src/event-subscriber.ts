import { causedBy } from './cause';
import type { DomainEvent, EventType } from './event-type';
import type { NewEvent, Outbox } from './outbox';

/** One event type and what to do about it; made by `on`. */
export interface EventReaction {
  readonly eventName: string;
  /** False when the event is no longer there. */
  react(outbox: Outbox, eventId: number, signal: AbortSignal): Promise<boolean>;
}

/** Ties an event type to a method that takes its payload. */
export const on = <Payload extends object>(
  type: EventType<Payload>,
  handle: (event: DomainEvent<Payload>, signal: AbortSignal) => Promise<void>,
): EventReaction => ({
  eventName: type.name,
  async react(outbox, eventId, signal) {
    const event = await outbox.read<Payload>(eventId);
    if (event?.cause) await causedBy(event.cause, () => handle(event, signal));
    else if (event) await handle(event, signal);
    return event !== null;
  },
});

/** How deliveries to one subscriber are run; see QueueOptions of libs/jobs. */
export interface DeliveryOptions {
  readonly expireInSeconds?: number;
  readonly retryLimit?: number;
  /** More than one gives up the order of events within this process. */
  readonly concurrency?: number;
}

/**
 * Reacts to events, after the transaction in which they happened and apart from it. Make it a provider of a
 * module, and it is found at start.
 *
 * Each event comes to each subscriber at least once: reactions must be idempotent (the event's id tells a
 * repetition). Events come in their order as long as nothing fails and one process works; several nodes, or a
 * failed delivery that is tried again later, may change it. Who needs the latest state reads it.
 */
export abstract class EventSubscriber {
  /** Unique, and kept for ever: deliveries under way carry it. */
  abstract readonly name: string;
  abstract readonly reactions: readonly EventReaction[];
  readonly delivery: DeliveryOptions = {};

  /**
   * Whether an event of one of its types is worth a delivery at all; asked when it is emitted. For subscribers that
   * most events do not concern, and that can tell by a query that costs less than a job.
   */
  concerns(_event: NewEvent): Promise<boolean> {
    return Promise.resolve(true);
  }

  /**
   * What the answer of `concerns` depends on beside the type of the event. Of many that are emitted together it is asked
   * about one of each kind; about each of them where this is undefined.
   */
  concernOf(_event: NewEvent): string | number | undefined {
    return undefined;
  }
}
