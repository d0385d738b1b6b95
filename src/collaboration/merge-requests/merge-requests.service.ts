import { PROJECT_POLICY, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequestsRepository } from './merge-requests.repository';

/** Merge requests as everything that hangs on them finds them: notes, award emoji, merging. */
@Injectable()
export class MergeRequests {
  constructor(private readonly mergeRequests: MergeRequestsRepository) {}

  /** Throws "404 Not found" both where there is none and where the caller may not see the project's. */
  async require(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    if (!PROJECT_POLICY.read_merge_requests(actor, project)) throw notFound();
    const found = await this.mergeRequests.find(project.id, iid);
    if (!found) throw notFound();
    return found;
  }

  /** As `require`, locked until the transaction ends. */
  async requireForChange(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    if (!PROJECT_POLICY.read_merge_requests(actor, project)) throw notFound();
    const found = await this.mergeRequests.findForChange(project.id, iid);
    if (!found) throw notFound();
    return found;
  }
}
