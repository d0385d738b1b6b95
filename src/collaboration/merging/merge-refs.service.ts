import { badRequest } from '#libs/errors';
import { MergeConflictError, ZERO_SHA, type GitRepository, type Sha } from '#libs/git';
import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { branchRef, personOf, RefMoves, Repositories, type Project } from '../../repository/repository.api';
import { CurrentMergeRequests } from './current-merge-requests.service';
import type { MergeRefHead } from './merge-ref';

/** By which the result of a merge that nobody has made yet is fetched. */
const mergeRef = (iid: number): string => `refs/merge-requests/${iid}/merge`;

const notMergeable = () => badRequest('Merge request is not mergeable');

/** Keeps, for each merge request, the commit that a merge would make, for whoever wants to try it. */
@Injectable()
export class MergeRefs {
  constructor(
    private readonly current: CurrentMergeRequests,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {}

  /** Made anew where a branch has moved. Throws 404, and 400 where the branches do not merge. */
  async head(actor: Actor, project: Project, iid: number): Promise<MergeRefHead> {
    const user = signedIn(actor);
    const { isOpen, headSha, targetBranch, sourceBranch } = await this.current.require(actor, project, iid);
    if (!isOpen || headSha === null) throw notMergeable();
    const ref = mergeRef(iid);
    return this.moves.locked(project, async () => {
      const repository = this.repositories.open(project);
      const [ours, last] = await Promise.all([repository.ref(branchRef(targetBranch)), repository.ref(ref)]);
      if (ours === null) throw notMergeable();
      if (last !== null && (await joins(repository, last, [ours, headSha]))) return { commitId: last };
      const message = `Merge branch '${sourceBranch}' into '${targetBranch}'`;
      const by = personOf(user);
      const commitId = await repository
        .merge({ ours, theirs: headSha, message, author: by, committer: by })
        .catch((error: unknown) => {
          throw error instanceof MergeConflictError ? notMergeable() : error;
        });
      await repository.updateRefs([{ ref, oldSha: last ?? ZERO_SHA, newSha: commitId }]);
      return { commitId };
    });
  }
}

async function joins(repository: GitRepository, sha: Sha, parents: readonly Sha[]): Promise<boolean> {
  const commit = await repository.commit(sha);
  return commit?.parents.join(' ') === parents.join(' ');
}
