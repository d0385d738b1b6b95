import type { EventDelivery } from './event-delivery';
import type { NewEvent } from './outbox';

/** Which subscribers are to be told of which events of a batch; forgotten with it. */
export class BatchHearers {
  /** What subscribers have said, by the type of the event and what their answer depends on. */
  private readonly answers = new Map<EventDelivery, Map<string, Promise<boolean>>>();

  constructor(private readonly interestedIn: (eventName: string) => readonly EventDelivery[]) {}

  async of(event: NewEvent): Promise<EventDelivery[]> {
    const hearers: EventDelivery[] = [];
    for (const delivery of this.interestedIn(event.name)) {
      if (await this.concerns(delivery, event)) hearers.push(delivery);
    }
    return hearers;
  }

  private concerns(delivery: EventDelivery, event: NewEvent): Promise<boolean> {
    const { subscriber } = delivery;
    const concern = subscriber.concernOf(event);
    if (concern === undefined) return subscriber.concerns(event);
    const known = this.answers.get(delivery) ?? new Map<string, Promise<boolean>>();
    this.answers.set(delivery, known);
    const key = `${event.name} ${concern}`;
    const answer = known.get(key) ?? subscriber.concerns(event);
    known.set(key, answer);
    return answer;
  }
}
