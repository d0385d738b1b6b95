import { UserCounting } from './user-counting.service';
import { UserCountsController } from './user-counts.controller';

/** Counts of a user's open work, as the collaboration module takes them up. */
export const USER_COUNTS = {
  controllers: [UserCountsController],
  providers: [UserCounting],
} as const;
