import { field, presenter, presentTime } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord, type UserSummary } from '../../identity/identity.api';

/** Somebody who has starred a project. */
export interface Starrer {
  readonly user: UserSummary;
  readonly starredSince: Date;
}

const StarrerRecord = field.object({ starred_since: field.string(), user: UserSummaryRecord });

export const presentStarrer = presenter(StarrerRecord, ({ user, starredSince }: Starrer, view) => ({
  starred_since: presentTime(starredSince),
  user: presentUserSummary(user, view),
}));
