import { Injectable } from '@nestjs/common';
import { ApprovalsRepository } from '../approvals/approvals.repository';
import { HeadPipelineLinks } from '../merge-request-pipelines/head-pipeline-links.repository';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** What hangs on the head of a merge request, and not on the next one: its pipeline, and who has approved it. */
@Injectable()
export class HeadTraces {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly pipelines: HeadPipelineLinks,
  ) {}

  /** In the transaction that has given it the head; the caller saves it. */
  async renew(mergeRequest: MergeRequest, oldHeadSha: string | null): Promise<void> {
    mergeRequest.headPipelineId = await this.pipelines.newest(mergeRequest);
    if (oldHeadSha !== null) await this.approvals.resetAfterPush(mergeRequest.id, mergeRequest.projectId);
  }
}
