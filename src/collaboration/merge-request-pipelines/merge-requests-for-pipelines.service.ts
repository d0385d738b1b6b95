import { Injectable } from '@nestjs/common';
import { BuiltMergeRequests, type BuiltMergeRequest } from '../../ci/ci.api';
import { ProjectsRepository } from '../../repository/repository.api';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';

@Injectable()
export class MergeRequestsForPipelines extends BuiltMergeRequests {
  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
  ) {
    super();
  }

  async find(mergeRequestId: number): Promise<BuiltMergeRequest | null> {
    const found = await this.mergeRequests.findById(mergeRequestId);
    if (!found) return null;
    const target = await this.projects.find(found.projectId);
    if (!target) return null;
    const source = found.sourceProjectId === null ? null : await this.projects.find(found.sourceProjectId);
    const { id, iid, title, sourceBranch, targetBranch, sourceProjectId, state, mergeStatus } = found;
    return {
      id,
      iid,
      title,
      sourceBranch,
      targetBranch,
      sourceProjectId,
      sourceProjectPath: source?.fullPath ?? null,
      targetProjectId: target.id,
      targetProjectPath: target.fullPath,
      state,
      mergeStatus,
    };
  }
}
