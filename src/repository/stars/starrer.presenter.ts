import { field, presenter, presentTime } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { Starrer } from './starrer';

const StarrerRecord = field.object({ starred_since: field.string(), user: UserSummaryRecord });

export const presentStarrer = presenter(StarrerRecord, ({ user, starredSince }: Starrer, view) => ({
  starred_since: presentTime(starredSince),
  user: presentUserSummary(user, view),
}));
