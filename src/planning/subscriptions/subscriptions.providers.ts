import { SubscriptionsRepository } from './subscriptions.repository';
import { Subscriptions } from './subscriptions.service';

/** Subscriptions, as the planning module takes them up. */
export const SUBSCRIPTIONS = {
  published: [Subscriptions],
  providers: [SubscriptionsRepository],
} as const;
