import { field, presenter } from '#libs/presenting';
import { humanDuration } from './duration';
import type { TimeStats } from './time-stats';

export const TimeStatsRecord = field.object({
  time_estimate: field.int(),
  total_time_spent: field.int(),
  human_time_estimate: field.string().nullable(),
  human_total_time_spent: field.string().nullable(),
});

/** Of issues and merge requests, in their records and by themselves. */
export const presentTimeStats = presenter(TimeStatsRecord, ({ timeEstimate, totalTimeSpent }: TimeStats) => ({
  time_estimate: timeEstimate,
  total_time_spent: totalTimeSpent,
  human_time_estimate: humanDuration(timeEstimate),
  human_total_time_spent: humanDuration(totalTimeSpent),
}));
