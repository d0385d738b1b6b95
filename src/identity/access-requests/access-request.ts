import type { UserSummary } from '../users/user-summary';

/** Somebody outside who asks to become a member; grants nothing until it is approved. */
export interface AccessRequest {
  readonly user: UserSummary;
  readonly requestedAt: Date;
}
