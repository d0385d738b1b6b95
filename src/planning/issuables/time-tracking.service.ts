import { Database } from '#libs/database';
import { invalid, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { SystemNotes } from '../noteables/system-notes';
import { humanDuration, parseDuration } from './duration';
import type { IssuableRef } from './issuable-tables';
import type { TimeStats } from './time-stats';
import { TimeTrackingRepository } from './time-tracking.repository';

const LARGEST = 2_147_483_647;

export interface TimeChange {
  readonly before: TimeStats;
  readonly after: TimeStats;
}

/** What a change makes of the times, and what the discussion says of it; null where it changes nothing. */
interface Told {
  readonly times: TimeStats;
  readonly note: string;
}

/** How long things are meant to take, and have taken. Whether somebody may say so, the caller knows. */
@Injectable()
export class TimeTracking {
  constructor(
    private readonly database: Database,
    private readonly times: TimeTrackingRepository,
    private readonly notes: SystemNotes,
  ) {}

  estimate(ref: IssuableRef, userId: number, duration: string): Promise<TimeChange> {
    const timeEstimate = parseDuration(duration);
    if (timeEstimate === null || timeEstimate < 0 || timeEstimate > LARGEST)
      throw invalid({ time_estimate: ['has an invalid format'] });
    return this.change(ref, userId, (times) => ({
      times: { ...times, timeEstimate },
      note: `changed time estimate to ${humanDuration(timeEstimate)}`,
    }));
  }

  resetEstimate(ref: IssuableRef, userId: number): Promise<TimeChange> {
    return this.change(ref, userId, (times) => ({
      times: { ...times, timeEstimate: 0 },
      note: 'removed time estimate',
    }));
  }

  /** A negative duration takes time away, no more than has been spent. */
  spend(ref: IssuableRef, userId: number, duration: string): Promise<TimeChange> {
    const spent = parseDuration(duration);
    if (spent === null || spent > LARGEST) throw invalid({ time_spent: ['has an invalid format'] });
    return this.change(ref, userId, (times) => {
      const totalTimeSpent = times.totalTimeSpent + spent;
      if (totalTimeSpent < 0) throw invalid({ base: ['Time to subtract exceeds the total time spent'] });
      if (totalTimeSpent > LARGEST) throw invalid({ time_spent: ['is too large'] });
      const done = spent > 0 ? 'added' : 'subtracted';
      return {
        times: { ...times, totalTimeSpent },
        note: `${done} ${humanDuration(spent)} of time spent`,
      };
    });
  }

  resetSpent(ref: IssuableRef, userId: number): Promise<TimeChange> {
    return this.change(ref, userId, (times) => ({
      times: { ...times, totalTimeSpent: 0 },
      note: 'removed time spent',
    }));
  }

  private change(ref: IssuableRef, userId: number, told: (times: TimeStats) => Told): Promise<TimeChange> {
    return this.database.transaction(async () => {
      const before = await this.times.hold(ref);
      if (!before) throw notFound();
      const { times: after, note } = told(before);
      if (after.timeEstimate === before.timeEstimate && after.totalTimeSpent === before.totalTimeSpent)
        return { before, after };
      await this.times.set(ref, after);
      await this.notes.record([{ on: ref, authorId: userId, action: 'time_tracking', body: note }]);
      return { before, after };
    });
  }
}
