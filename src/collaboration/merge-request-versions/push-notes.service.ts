import { isWorkInProgressCommit } from '../merge-requests/work-in-progress';
import { Urls } from '#libs/presenting';
import type { Commit, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import { addedCommitsNote } from './added-commits';
import { MergeRequestJournal } from '../merge-requests/merge-request-journal.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { ReadVersion } from './version-reading.service';

/** So many commits of one push are told of. */
const MOST_PUSHED = 1_000;
const LONGEST_TITLE = 255;

/** A source branch moved from one head to another. */
export interface Push {
  readonly oldHeadSha: Sha;
  readonly version: ReadVersion;
  readonly actorId: number | null;
}

/** Tells in merge requests what happens to their branches. All of it in the transaction of the change. */
@Injectable()
export class PushNotes {
  constructor(
    private readonly repositories: Repositories,
    private readonly journal: MergeRequestJournal,
    private readonly urls: Urls,
  ) {}

  async pushed(project: Project, mergeRequest: MergeRequest, push: Push): Promise<void> {
    const { version, oldHeadSha, actorId } = push;
    const own = new Set(version.commits.map(({ sha }) => sha));
    const pushed = await this.pushedCommits(project, oldHeadSha, version.headSha);
    const added = pushed.filter(({ sha }) => own.has(sha));
    if (pushed.length > 0) {
      const body = addedCommitsNote({
        added,
        merged: pushed.filter(({ sha }) => !own.has(sha)),
        targetBranch: mergeRequest.targetBranch,
        comparison: `${this.urls.web(project.fullPath)}/merge_requests/${mergeRequest.iid}/diffs?start_sha=${oldHeadSha}`,
      });
      await this.journal.note(mergeRequest, actorId, 'commit', body);
    }
    await this.markUnfinished(mergeRequest, added, actorId);
    await this.endWish(mergeRequest, actorId);
    await this.journal.tell(mergeRequest, { action: 'update', actorId, oldHeadSha });
  }

  /** The source branch is gone, or there again. */
  branchPresence(mergeRequest: MergeRequest, actorId: number | null): Promise<void> {
    const verb = mergeRequest.sourceBranchDeleted ? 'deleted' : 'restored';
    return this.journal.note(
      mergeRequest,
      actorId,
      'branch',
      `${verb} source branch \`${mergeRequest.sourceBranch}\``,
    );
  }

  /** Newest first. What the former head reaches is left out, unless maintenance has taken it. */
  private async pushedCommits(project: Project, oldHeadSha: Sha, headSha: Sha): Promise<Commit[]> {
    const repository = this.repositories.open(project);
    const isThere = (await repository.commit(oldHeadSha)) !== null;
    return repository.log({
      from: headSha,
      ...(isThere && { not: oldHeadSha }),
      skip: 0,
      limit: MOST_PUSHED,
    });
  }

  /** Who wanted it merged as it was has not seen what it is now. */
  private async endWish(mergeRequest: MergeRequest, actorId: number | null): Promise<void> {
    if (!mergeRequest.cancelMergeWish(new Date())) return;
    const body = 'aborted the automatic merge because source branch was updated';
    await this.journal.note(mergeRequest, actorId, 'merge', body);
  }

  /** A commit that says of itself that it is not the last word makes the whole a work in progress. */
  private async markUnfinished(mergeRequest: MergeRequest, added: readonly Commit[], actorId: number | null) {
    const unfinished = added.find(isWorkInProgressCommit);
    const title = `WIP: ${mergeRequest.title}`;
    if (!unfinished || mergeRequest.isWorkInProgress || title.length > LONGEST_TITLE) return;
    mergeRequest.title = title;
    const body = `marked as a **Work In Progress** from ${unfinished.sha}`;
    await this.journal.note(mergeRequest, actorId, 'title', body);
  }
}
