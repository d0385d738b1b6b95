/** A kind of thing that happened, with the data that tells what. */
export interface EventType<Payload extends object, Name extends string = string> {
  readonly name: Name;
  /** Only for the type: never set. */
  readonly payload?: Payload;
}

/** `const milestoneClosed = defineEvent<{ milestoneId: number }>()('planning.milestone_closed')` */
export const defineEvent =
  <Payload extends object>() =>
  <const Name extends string>(name: Name): EventType<Payload, Name> => ({ name });

/** One thing that happened. */
export interface DomainEvent<Payload extends object = object> {
  /** Larger for later ones; the same whenever the event is delivered again. */
  readonly id: number;
  readonly name: string;
  readonly payload: Payload;
  readonly createdAt: Date;
  /** See `causedBy`; null for what nobody named a cause of. */
  readonly cause: string | null;
}
