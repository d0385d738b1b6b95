import { ParticipantsRepository } from './participants.repository';
import { StateEvents } from './state-events.repository';
import { TimeTrackingRepository } from './time-tracking.repository';
import { TimeTracking } from './time-tracking.service';

/** What issues and merge requests have in common, as the planning module takes it up. */
export const ISSUABLES = {
  published: [ParticipantsRepository, StateEvents, TimeTracking],
  providers: [TimeTrackingRepository],
} as const;
