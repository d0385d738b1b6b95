import { EventSubscriber, on, type NewEvent } from '#libs/events';
import { ZERO_SHA, type GitRepository, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import {
  branchRef,
  ProjectsRepository,
  refsUpdated,
  Repositories,
  type RefsUpdated,
} from '../../repository/repository.api';
import { BranchFollowing } from './branch-following.service';
import { FollowedBranchesRepository } from './followed-branches.repository';

type Update = RefsUpdated['updates'][number];

const BRANCH = branchRef('');
/** So many merge requests are looked up at once. */
const AT_ONCE = 100;
/** A push of more commits than this may hold those of any merge request. */
const MOST_PUSHED = 10_000;

/** Brings the merge requests of a branch that moved up to date. */
@Injectable()
export class FollowBranches extends EventSubscriber {
  readonly name = 'merge_request_branches';
  override readonly delivery = { expireInSeconds: 600 };
  readonly reactions = [on(refsUpdated, ({ payload }, signal) => this.followAll(payload, signal))];

  constructor(
    private readonly branches: FollowedBranchesRepository,
    private readonly following: BranchFollowing,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
  ) {
    super();
  }

  override concerns({ payload }: NewEvent): Promise<boolean> {
    const projectId: unknown = 'projectId' in payload ? payload.projectId : null;
    return typeof projectId === 'number' ? this.branches.hasOpen(projectId) : Promise.resolve(false);
  }

  private async followAll({ projectId, actorId, updates }: RefsUpdated, signal: AbortSignal): Promise<void> {
    for (const update of updates) {
      if (!update.ref.startsWith(BRANCH)) continue;
      const branch = update.ref.slice(BRANCH.length);
      const follow = (id: number): Promise<void> => this.following.follow(id, actorId);
      await eachOf((after) => this.branches.from(projectId, branch, after, AT_ONCE), follow, signal);
      if (update.newSha !== ZERO_SHA) await this.followTarget(projectId, branch, update, follow, signal);
    }
  }

  /** The target moved: only those whose commits came along, or all where its history was rewritten, change. */
  private async followTarget(
    projectId: number,
    branch: string,
    update: Update,
    follow: (id: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    if (!(await this.branches.hasOpenTo(projectId, branch))) return;
    const project = await this.projects.find(projectId);
    if (!project) return;
    await this.branches.forgetStatuses(projectId, branch, update.newSha);
    const arrived = await arrivedWith(this.repositories.open(project, signal), update);
    await eachOf((after) => this.branches.to(projectId, branch, arrived, after, AT_ONCE), follow, signal);
  }
}

async function eachOf(
  next: (after: number) => Promise<number[]>,
  work: (id: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let ids = await next(0); ids.length > 0; ids = await next(ids.at(-1) ?? 0)) {
    for (const id of ids) {
      signal.throwIfAborted();
      await work(id);
    }
  }
}

/** Commits that a push brought; null where they may be any. */
async function arrivedWith(repository: GitRepository, { oldSha, newSha }: Update): Promise<Sha[] | null> {
  if (oldSha === ZERO_SHA) return null;
  const both = await Promise.all([repository.commit(oldSha), repository.commit(newSha)]);
  if (both.includes(null) || !(await repository.isAncestor(oldSha, newSha))) return null;
  const commits = await repository.log({ from: newSha, not: oldSha, skip: 0, limit: MOST_PUSHED });
  return commits.length === MOST_PUSHED ? null : commits.map(({ sha }) => sha);
}
