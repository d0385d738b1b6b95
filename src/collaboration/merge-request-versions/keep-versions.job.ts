import { ZERO_SHA, type GitRepository, type RefUpdate, type Sha } from '#libs/git';
import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, RefMoves, Repositories, type Project } from '../../repository/repository.api';
import { headRef, keepAroundRef } from './kept-refs';
import { MergeRequestVersionsRepository } from './merge-request-versions.repository';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';

const FIVE_MINUTES = 5 * 60;
/** Heads of so many former versions are looked at: those of more were looked at by earlier runs. */
const MOST_FORMER = 50;

export const versionsToKeep = defineQueue<{ mergeRequestId: number }>('collaboration.keep_versions', {
  expireInSeconds: FIVE_MINUTES,
  retryLimit: 8,
  onePerKey: true,
  concurrency: 2,
});

/**
 * Has the target's repository refer to what a merge request is made of, so that no maintenance takes it away: its head
 * by a name that people may fetch, former heads that it has left behind by hidden ones. Idempotent.
 */
@Injectable()
export class KeepVersions extends JobHandler<{ mergeRequestId: number }> {
  readonly queue = versionsToKeep;

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly versions: MergeRequestVersionsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run({ mergeRequestId }: { mergeRequestId: number }): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(mergeRequestId);
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (!mergeRequest?.headSha || !project) return;
    const { headSha, iid } = mergeRequest;
    const formerHeads = await this.left(project, mergeRequest, headSha);
    await this.moves.locked(project, async () => {
      const repository = this.repositories.open(project);
      const updates: RefUpdate[] = [];
      for (const [ref, newSha] of [[headRef(iid), headSha], ...formerHeads.map(kept)] as const) {
        const oldSha = (await repository.ref(ref)) ?? ZERO_SHA;
        if (oldSha !== newSha) updates.push({ ref, oldSha, newSha });
      }
      if (updates.length > 0) await repository.updateRefs(updates);
    });
  }

  /** Heads of former versions that the newest one does not reach. */
  private async left(project: Project, { id }: MergeRequest, headSha: Sha): Promise<Sha[]> {
    const repository = this.repositories.open(project);
    const heads = new Set(await this.versions.newestHeads(id, MOST_FORMER));
    const left: Sha[] = [];
    for (const head of heads) if (await isLeft(repository, head, headSha)) left.push(head);
    return left;
  }
}

const kept = (sha: Sha) => [keepAroundRef(sha), sha] as const;

/** One that maintenance has taken already cannot be kept. */
async function isLeft(repository: GitRepository, head: Sha, newest: Sha): Promise<boolean> {
  if ((await repository.commit(head)) === null) return false;
  return !(await repository.isAncestor(head, newest));
}
