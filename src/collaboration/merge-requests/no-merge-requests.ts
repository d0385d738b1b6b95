import type { Page } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { MergeRequestLookup, type MergeRequestSummary } from './merge-request-lookup';

/** Until merge requests exist (issue 5, Planning and collaboration), no commit is in one, and nobody has any to do. */
@Injectable()
export class NoMergeRequests extends MergeRequestLookup {
  ofCommit(): Promise<Page<MergeRequestSummary>> {
    return Promise.resolve({ rows: [], total: 0, hasNext: false });
  }

  openAssignedTo(): Promise<number> {
    return Promise.resolve(0);
  }
}
