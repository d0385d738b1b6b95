import { ZERO_SHA, type Branch } from '#libs/git';
import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { branchRef, RefMoves } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { BranchRules } from '../protected-branches/branch-rules';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { Repositories } from '../storages/repositories';

export interface MergedBranchesJob {
  readonly projectId: number;
  readonly actorId: number;
}

export const mergedBranches = defineQueue<MergedBranchesJob>('repository.delete_merged_branches', {
  expireInSeconds: 600,
  onePerKey: true,
});

/** So many are removed while the repository is kept locked. */
const BATCH = 100;

/** Removes branches whose commits are all in the default branch. What it finds removed already it passes over. */
@Injectable()
export class DeleteMergedBranches extends JobHandler<MergedBranchesJob> {
  readonly queue = mergedBranches;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run({ projectId, actorId }: MergedBranchesJob, { signal }: JobRun): Promise<void> {
    const project = await this.projects.find(projectId);
    if (!project) return;
    while (!signal.aborted && (await this.removeSome(project, actorId, signal)) === BATCH);
  }

  private removeSome(project: Project, actorId: number, signal: AbortSignal): Promise<number> {
    return this.moves.locked(project, async () => {
      const found = (await this.removable(project, signal)).slice(0, BATCH);
      if (found.length === 0) return 0;
      const updates = found.map(({ name, sha }) => ({ ref: branchRef(name), oldSha: sha, newSha: ZERO_SHA }));
      await this.moves.move(project, { id: actorId }, updates);
      return found.length;
    });
  }

  private async removable(project: Project, signal: AbortSignal): Promise<Branch[]> {
    const repository = this.repositories.open(project, signal);
    const tip =
      project.defaultBranch === null ? null : await repository.ref(branchRef(project.defaultBranch));
    if (tip === null) return [];
    const rules = new BranchRules(await this.protectedBranches.ofProject(project.id));
    const merged = await repository.branchesMergedInto(tip);
    const branches = await repository.branches();
    return branches.filter(
      ({ name, sha }) =>
        merged.has(name) && sha !== tip && name !== project.defaultBranch && !rules.isProtected(name),
    );
  }
}
