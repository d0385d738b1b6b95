import type { UserSummary } from '../../identity/identity.api';
import type { Votes } from '../noteables/awards';
import type { PlacedEpic } from './epic-references';
import type { MilestoneDays } from './epics.repository';

/** An epic with what its record tells besides. */
export interface DescribedEpic extends PlacedEpic {
  /** Null where the account is gone. */
  readonly author: UserSummary | null;
  /** Titles. */
  readonly labels: readonly string[];
  readonly votes: Votes;
  readonly milestoneDays: MilestoneDays;
  /** Whether the caller may change it, who then also sees where its dates come from. */
  readonly isManaged: boolean;
}
