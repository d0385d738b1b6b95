import { forbidden } from '#libs/errors';
import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import type { ParamsOf } from '#libs/http';
import type { PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { LabelEvents, TimeTracking, type TimeChange, type TimeStats } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import type { LabelEventPath } from './merge-request.params';
import { MergeRequestJournal } from './merge-request-journal.service';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequests } from './merge-requests.service';

/** What is written down beside a merge request: its times, and which labels it had when. */
@Injectable()
export class MergeRequestRecords {
  constructor(
    private readonly database: Database,
    private readonly found: MergeRequests,
    private readonly tracking: TimeTracking,
    private readonly events: LabelEvents,
    private readonly journal: MergeRequestJournal,
  ) {}

  times(actor: Actor, project: Project, iid: number): Promise<TimeStats> {
    return this.found.require(actor, project, iid);
  }

  /** Null takes the estimate back. Throws 403 for who may not sort the project's merge requests, and `validation`. */
  estimate(actor: Actor, project: Project, iid: number, duration: string | null): Promise<TimeStats> {
    return this.timed(actor, project, iid, ({ id }, userId) => {
      const ref = { kind: 'MergeRequest', id } as const;
      return duration === null
        ? this.tracking.resetEstimate(ref, userId)
        : this.tracking.estimate(ref, userId, duration);
    });
  }

  /** Null takes it all back. Throws as `estimate`. */
  spend(actor: Actor, project: Project, iid: number, duration: string | null): Promise<TimeStats> {
    return this.timed(actor, project, iid, ({ id }, userId) => {
      const ref = { kind: 'MergeRequest', id } as const;
      return duration === null
        ? this.tracking.resetSpent(ref, userId)
        : this.tracking.spend(ref, userId, duration);
    });
  }

  async labelEvents(actor: Actor, project: Project, iid: number, page: PageRequest) {
    const { id } = await this.found.require(actor, project, iid);
    return this.events.page({ kind: 'MergeRequest', id }, page);
  }

  async labelEvent(
    actor: Actor,
    project: Project,
    { merge_request_iid: iid, event_id: eventId }: ParamsOf<typeof LabelEventPath>,
  ) {
    const { id } = await this.found.require(actor, project, iid);
    return this.events.require({ kind: 'MergeRequest', id }, eventId);
  }

  private async timed(
    actor: Actor,
    project: Project,
    iid: number,
    change: (mergeRequest: MergeRequest, userId: number) => Promise<TimeChange>,
  ): Promise<TimeStats> {
    const { id: userId } = signedIn(actor);
    const mergeRequest = await this.found.require(actor, project, iid);
    if (!PROJECT_POLICY.admin_merge_requests(actor, project)) throw forbidden();
    return this.database.transaction(async () => {
      const { before, after } = await change(mergeRequest, userId);
      const changes = changesOf(before, after);
      if (Object.keys(changes).length > 0)
        await this.journal.tell(mergeRequest, { action: 'update', actorId: userId, changes });
      return after;
    });
  }
}

const changesOf = (before: TimeStats, after: TimeStats) =>
  Object.fromEntries(
    (
      [
        ['time_estimate', before.timeEstimate, after.timeEstimate],
        ['total_time_spent', before.totalTimeSpent, after.totalTimeSpent],
      ] as const
    )
      .filter(([, previous, current]) => previous !== current)
      .map(([name, previous, current]) => [name, { previous, current }]),
  );
