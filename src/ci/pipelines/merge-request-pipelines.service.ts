import { PROJECT_POLICY, type Actor } from '#libs/access';
import { ZERO_SHA } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { ActingUsers, PushRights, Repositories, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';
import { PipelineStarts } from './pipeline-starts.service';
import { PipelinesRepository } from './pipelines.repository';
import type { MergeRequestFacts } from './predefined-variables';
import { wishesToSkip } from './skip-wish';

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
   * where none of the users may have them run, and, unless it is to be made `again`, where this commit has one already.
   * It is made in the name of the first who may by rights of their own, not in that of somebody to whom the branch is lent:
   * jobs hold the rights of whoever has them run, and what they do is up to the people of the fork.
   */
  async create(wanted: {
    readonly project: Project;
    readonly mergeRequest: MergeRequestToBuild;
    readonly userIds: readonly number[];
    readonly again?: boolean;
  }): Promise<Pipeline | null> {
    const { project, mergeRequest, userIds, again = false } = wanted;
    const actor = await this.starter(project, mergeRequest.sourceBranch, userIds);
    if (!actor) return null;
    const commit = await this.repositories.open(project).commit(mergeRequest.headSha);
    if (!commit || (!again && (await this.pipelines.isBuilt(mergeRequest.id, commit.sha)))) return null;
    return this.starts.onMergeRequest({
      project,
      actor,
      source: 'merge_request_event',
      ref: refOf(mergeRequest),
      tag: false,
      commit,
      beforeSha: ZERO_SHA,
      variables: [],
      mergeRequest,
      skip: wishesToSkip(commit),
      eventId: null,
    });
  }

  private async starter(project: Project, branch: string, userIds: readonly number[]): Promise<Actor | null> {
    for (const userId of new Set(userIds)) {
      const actor = await this.users.find(userId, project);
      if (!actor || !PROJECT_POLICY.run_pipelines(actor, project)) continue;
      if ((await this.rights.branches(actor, project)).mayMerge(branch)) return actor;
    }
    return null;
  }
}

/** A fork has no ref of the merge request, whose number may be that of one of its own there: it has the branch. */
const refOf = ({ iid, sourceBranch, sourceProjectId, targetProjectId }: MergeRequestFacts): string =>
  sourceProjectId === targetProjectId ? `refs/merge-requests/${iid}/head` : sourceBranch;
