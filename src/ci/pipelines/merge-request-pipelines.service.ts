import { PROJECT_POLICY } from '#libs/access';
import { ZERO_SHA } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { ActingUsers, PushRights, Repositories, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';
import { PipelineStarts } from './pipeline-starts.service';
import { PipelinesRepository } from './pipelines.repository';
import type { MergeRequestFacts } from './predefined-variables';

/** A merge request whose newest version is to be built. */
export interface MergeRequestToBuild extends MergeRequestFacts {
  readonly headSha: string;
}

/** The pipelines that merge requests have beside those of their branches. */
@Injectable()
export class MergeRequestPipelines {
  constructor(
    private readonly users: ActingUsers,
    private readonly rights: PushRights,
    private readonly repositories: Repositories,
    private readonly pipelines: PipelinesRepository,
    private readonly starts: PipelineStarts,
  ) {}

  /**
   * In the project that has the source branch, for jobs that are meant for merge requests. Null where there are none,
   * where the user may not have them run, and, unless it is to be made `again`, where this commit has one already.
   */
  async create(wanted: {
    readonly project: Project;
    readonly mergeRequest: MergeRequestToBuild;
    readonly userId: number;
    readonly again?: boolean;
  }): Promise<Pipeline | null> {
    const { project, mergeRequest, userId, again = false } = wanted;
    const actor = await this.users.find(userId, project);
    if (!actor || !PROJECT_POLICY.run_pipelines(actor, project)) return null;
    const branches = await this.rights.branches(actor, project);
    if (!branches.mayMerge(mergeRequest.sourceBranch)) return null;
    const ref = `refs/merge-requests/${mergeRequest.iid}/head`;
    const commit = await this.repositories.open(project).commit(mergeRequest.headSha);
    if (!commit || (!again && (await this.pipelines.newestOf(project.id, commit.sha, [ref])))) return null;
    return this.starts.onMergeRequest({
      project,
      actor,
      source: 'merge_request_event',
      ref,
      tag: false,
      commit,
      beforeSha: ZERO_SHA,
      variables: [],
      mergeRequest,
      skip: false,
      eventId: null,
    });
  }
}
