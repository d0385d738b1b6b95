import { Injectable } from '@nestjs/common';
import { branchRef, Repositories, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** Counted no further. */
const MOST = 10_000;

/** How far the target has gone on without a change. */
@Injectable()
export class Divergence {
  constructor(private readonly repositories: Repositories) {}

  /** Commits of the target that the head has not; 0 where there is nothing to compare. */
  async count(project: Project, { headSha, targetBranch }: MergeRequest): Promise<number> {
    const repository = this.repositories.open(project);
    const tip = await repository.ref(branchRef(targetBranch));
    if (tip === null || headSha === null || (await repository.commit(headSha)) === null) return 0;
    return repository.countCommits({ from: tip, not: headSha }, MOST);
  }
}
