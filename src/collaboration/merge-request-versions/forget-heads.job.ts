import { ZERO_SHA, type RefUpdate } from '#libs/git';
import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, RefMoves, Repositories } from '../../repository/repository.api';
import { refsOf } from './kept-refs';

interface Deleted {
  readonly projectId: number;
  readonly iid: number;
}

export const headsToForget = defineQueue<Deleted>('collaboration.forget_heads', {
  expireInSeconds: 5 * 60,
  retryLimit: 8,
});

/** Takes the names away by which a deleted merge request's commits were fetched. Idempotent. */
@Injectable()
export class ForgetHeads extends JobHandler<Deleted> {
  readonly queue = headsToForget;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run({ projectId, iid }: Deleted): Promise<void> {
    const project = await this.projects.find(projectId);
    if (!project) return;
    await this.moves.locked(project, async () => {
      const repository = this.repositories.open(project);
      const updates: RefUpdate[] = [];
      for (const ref of refsOf(iid)) {
        const oldSha = await repository.ref(ref);
        if (oldSha !== null) updates.push({ ref, oldSha, newSha: ZERO_SHA });
      }
      if (updates.length > 0) await repository.updateRefs(updates);
    });
  }
}
