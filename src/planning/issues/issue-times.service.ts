import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { TimeStats } from '../issuables/time-stats';
import { TimeTracking, type TimeChange } from '../issuables/time-tracking.service';
import { columnChanges } from './change-log';
import type { Project } from '../../repository/repository.api';
import { IssueLookup } from './issue-lookup.service';
import { IssueEffects } from './issue-effects.service';
import { Issue } from './issue.entity';

interface Timed {
  readonly issue_iid: number;
}

interface Lasting {
  readonly duration: string;
}

/** How long issues are meant to take, and have taken, for those who may sort issues. */
@Injectable()
export class IssueTimes {
  constructor(
    private readonly database: Database,
    private readonly lookup: IssueLookup,
    private readonly times: TimeTracking,
    private readonly effects: IssueEffects,
  ) {}

  stats(actor: Actor, project: Project, { issue_iid: iid }: Timed): Promise<TimeStats> {
    return this.lookup.require(actor, project, iid);
  }

  estimate(
    actor: Actor,
    project: Project,
    { issue_iid: iid, duration }: Timed & Lasting,
  ): Promise<TimeStats> {
    return this.change(actor, project, iid, (ref, userId) => this.times.estimate(ref, userId, duration));
  }

  resetEstimate(actor: Actor, project: Project, { issue_iid: iid }: Timed): Promise<TimeStats> {
    return this.change(actor, project, iid, (ref, userId) => this.times.resetEstimate(ref, userId));
  }

  spend(actor: Actor, project: Project, { issue_iid: iid, duration }: Timed & Lasting): Promise<TimeStats> {
    return this.change(actor, project, iid, (ref, userId) => this.times.spend(ref, userId, duration));
  }

  resetSpent(actor: Actor, project: Project, { issue_iid: iid }: Timed): Promise<TimeStats> {
    return this.change(actor, project, iid, (ref, userId) => this.times.resetSpent(ref, userId));
  }

  private async change(
    actor: Actor,
    project: Project,
    iid: number,
    make: (ref: { readonly kind: 'Issue'; readonly id: number }, userId: number) => Promise<TimeChange>,
  ): Promise<TimeStats> {
    const actorId = signedIn(actor).id;
    const issue = await this.lookup.require(actor, project, iid);
    return this.database.transaction(async () => {
      const { before, after } = await make({ kind: 'Issue', id: issue.id }, actorId);
      const [was, is] = [Object.assign(new Issue(), issue, before), Object.assign(new Issue(), issue, after)];
      const changes = columnChanges(was, is);
      if (Object.keys(changes).length > 0)
        await this.effects.tell({ issue: is, actorId, action: 'update', notes: [], changes });
      return after;
    });
  }
}
