import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { BranchFollowing } from '../merge-request-versions/branch-following.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { SourceVersions } from '../merge-request-versions/source-versions.service';

/** Merge requests that do not lag behind their branches. */
@Injectable()
export class CurrentMergeRequests {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly sources: SourceVersions,
    private readonly following: BranchFollowing,
  ) {}

  /** Throws "404 Not found". A push of a moment ago, that nobody has looked at yet, is looked at first. */
  async require(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    const found = await this.mergeRequests.require(actor, project, iid);
    if (!found.isOpen) return found;
    const source = await this.sources.projectOf(project, found);
    const { source: tip } = await this.sources.tips(project, source, found);
    if (tip === null || tip === found.headSha) return found;
    await this.following.follow(found.id, null);
    return this.mergeRequests.require(actor, project, iid);
  }
}
