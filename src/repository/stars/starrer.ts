import type { UserSummary } from '../../identity/identity.api';

/** Somebody who has starred a project. */
export interface Starrer {
  readonly user: UserSummary;
  readonly starredSince: Date;
}
