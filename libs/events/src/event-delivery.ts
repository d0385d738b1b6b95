import { defineQueue, type JobHandler, type JobRun, type Queue } from '#libs/jobs';
import { Logger } from '@nestjs/common';
import type { EventSubscriber } from './event-subscriber';
import type { Outbox } from './outbox';

export interface Delivery {
  readonly eventId: number;
  readonly eventName: string;
}

const EXPIRE_SECONDS = 60;
const RETRIES = 5;

/** Hands the events of one subscriber to it: a queue of its own, so that a slow subscriber delays nobody else. */
export class EventDelivery implements JobHandler<Delivery> {
  readonly queue: Queue<Delivery>;
  private readonly logger = new Logger(EventDelivery.name);

  constructor(
    readonly subscriber: EventSubscriber,
    private readonly outbox: Outbox,
  ) {
    this.queue = defineQueue<Delivery>(`events.${subscriber.name}`, {
      expireInSeconds: EXPIRE_SECONDS,
      retryLimit: RETRIES,
      ...subscriber.delivery,
    });
  }

  wants(eventName: string): boolean {
    return this.subscriber.reactions.some((reaction) => reaction.eventName === eventName);
  }

  async run({ eventId, eventName }: Delivery, { signal }: JobRun): Promise<void> {
    const reactions = this.subscriber.reactions.filter((reaction) => reaction.eventName === eventName);
    for (const reaction of reactions) {
      const delivered = await reaction.react(this.outbox, eventId, signal);
      if (!delivered) this.logger.warn({ eventId, subscriber: this.subscriber.name }, 'an event is gone');
    }
  }
}

/**
 * The job's id, made of the event's: an event is queued for a subscriber once at most, and jobs of one transaction
 * run in the order of their events, since equally old jobs run in the order of their ids.
 */
export function deliveryId(eventId: number): string {
  const digits = eventId.toString(16).padStart(32, '0');
  return [8, 12, 16, 20, 32]
    .map((end, part, ends) => digits.slice(part === 0 ? 0 : ends[part - 1], end))
    .join('-');
}
