export { causedBy, currentCause } from './cause';
export { EventSubscriber, on, type DeliveryOptions, type EventReaction } from './event-subscriber';
export { defineEvent, type DomainEvent, type EventType } from './event-type';
export { Events } from './events';
export { INSERT_EVENT, type NewEvent } from './outbox';
export { EventsModule } from './events.module';
