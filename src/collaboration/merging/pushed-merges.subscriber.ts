import { EventSubscriber, on, type NewEvent } from '#libs/events';
import { ZERO_SHA, type Commit, type GitRepository } from '#libs/git';
import { Injectable } from '@nestjs/common';
import {
  branchRef,
  ProjectsRepository,
  refsUpdated,
  Repositories,
  type Project,
  type RefsUpdated,
} from '../../repository/repository.api';
import { FollowedBranchesRepository } from '../merge-request-versions/followed-branches.repository';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { arrivals } from './arrived-commits';
import { MergeCompletion } from './merge-completion.service';

type Update = RefsUpdated['updates'][number];

const BRANCH = branchRef('');
const AT_ONCE = 100;
const MOST_COMMITS = 10_000;

interface PushedBranch {
  readonly project: Project;
  readonly branch: string;
  readonly actorId: number | null;
  readonly at: Date;
  /** Where the branch stands now. */
  readonly tip: string;
}

/**
 * Marks as merged what came to its target by a plain push. What is being merged by the service at this moment is locked,
 * and left alone. Idempotent.
 */
@Injectable()
export class PushedMerges extends EventSubscriber {
  readonly name = 'collaboration.pushed_merges';
  override readonly delivery = { expireInSeconds: 600 };
  readonly reactions = [
    on(refsUpdated, ({ payload, createdAt }, signal) => this.pushed(payload, createdAt, signal)),
  ];

  constructor(
    private readonly branches: FollowedBranchesRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly completion: MergeCompletion,
  ) {
    super();
  }

  override concerns({ payload }: NewEvent): Promise<boolean> {
    const projectId: unknown = 'projectId' in payload ? payload.projectId : null;
    return typeof projectId === 'number' ? this.branches.hasOpen(projectId) : Promise.resolve(false);
  }

  private async pushed(
    { projectId, actorId, updates }: RefsUpdated,
    at: Date,
    signal: AbortSignal,
  ): Promise<void> {
    const moved = updates.filter(
      ({ ref, oldSha, newSha }) => ref.startsWith(BRANCH) && oldSha !== ZERO_SHA && newSha !== ZERO_SHA,
    );
    const project = moved.length > 0 ? await this.projects.find(projectId) : null;
    if (!project) return;
    for (const update of moved) {
      signal.throwIfAborted();
      const branch = update.ref.slice(BRANCH.length);
      if (await this.branches.hasOpenTo(projectId, branch))
        await this.arrived({ project, branch, actorId, at, tip: update.newSha }, update, signal);
    }
  }

  private async arrived(pushed: PushedBranch, update: Update, signal: AbortSignal): Promise<void> {
    const commits = await newCommits(this.repositories.open(pushed.project, signal), update);
    const cameBy = arrivals(commits, update.newSha);
    const shas = commits.map(({ sha }) => sha);
    const next = (after: number) => this.branches.to(pushed.project.id, pushed.branch, shas, after, AT_ONCE);
    for (let ids = await next(0); ids.length > 0; ids = await next(ids.at(-1) ?? 0))
      for (const id of ids) await this.mark(pushed, id, cameBy);
  }

  private async mark(pushed: PushedBranch, id: number, cameBy: ReadonlyMap<string, string>): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(id);
    const mergeCommitSha = cameBy.get(mergeRequest?.headSha ?? '');
    if (!mergeRequest?.isOpen || mergeCommitSha === undefined) return;
    const outcome = { userId: pushed.actorId, at: pushed.at, mergeCommitSha };
    await this.completion.completePushed(pushed.project, id, outcome, pushed.tip);
  }
}

/** Newest first. None where a commit is gone by now: the branch was moved again, and maintenance came by. */
async function newCommits(repository: GitRepository, { oldSha, newSha }: Update): Promise<Commit[]> {
  const ends = await Promise.all([repository.commit(oldSha), repository.commit(newSha)]);
  if (ends.includes(null)) return [];
  return repository.log({ from: newSha, not: oldSha, skip: 0, limit: MOST_COMMITS });
}
