import { EventSubscriber, on } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { mergeRequestVersioned } from '../merge-requests/merge-request-events';
import { mergeStatusChecks } from './check-merge-status.job';

/** Has the merge status of what has just changed looked at. */
@Injectable()
export class MergeStatusRefresh extends EventSubscriber {
  readonly name = 'collaboration.merge_status';
  readonly reactions = [
    on(mergeRequestVersioned, ({ payload: { mergeRequestId } }) =>
      this.jobs.enqueue(mergeStatusChecks, { mergeRequestId }, { key: String(mergeRequestId) }),
    ),
  ];

  constructor(private readonly jobs: Jobs) {
    super();
  }
}
