import type { UserSummary } from '../../identity/identity.api';
import type { Award } from './award.entity';
import type { AwardTarget } from './award-target';

/** An award with what its record tells besides. */
export interface AwardedEmoji {
  readonly award: Award;
  readonly target: AwardTarget;
  /** Null where the account is just being removed. */
  readonly user: UserSummary | null;
}
