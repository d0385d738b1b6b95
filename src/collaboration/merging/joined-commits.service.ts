import { MergeConflictError, type GitRepository, type Person, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeTexts } from './merge-texts.service';

/** What is to be merged, how, and by whom. */
export interface WantedMerge {
  readonly project: Project;
  readonly mergeRequest: MergeRequest;
  /** Whoever merges it. */
  readonly committer: Person;
  /** Where the two branches are. */
  readonly head: Sha;
  readonly target: Sha;
  readonly squash: boolean;
  /** Null for the usual message. */
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
}

/** What came of it; nothing refers to it yet. */
export interface MadeMerge {
  /** Where the target branch is to stand. */
  readonly tipSha: Sha;
  readonly mergeCommitSha: Sha | null;
  readonly squashCommitSha: Sha | null;
}

/** Makes the commits of a merge in the way that the project has chosen. */
@Injectable()
export class JoinedCommits {
  constructor(
    private readonly texts: MergeTexts,
    private readonly repositories: Repositories,
  ) {}

  /** Throws MergeConflictError. */
  async make(wanted: WantedMerge): Promise<MadeMerge> {
    const repository = this.repositories.open(wanted.project);
    const squashCommitSha = wanted.squash ? await this.squashed(repository, wanted) : null;
    const theirs = squashCommitSha ?? wanted.head;
    if (wanted.project.mergeMethod === 'ff') {
      if (!(await repository.isAncestor(wanted.target, theirs))) throw new MergeConflictError('conflict', []);
      return { tipSha: theirs, mergeCommitSha: null, squashCommitSha };
    }
    const message = wanted.mergeCommitMessage ?? (await this.texts.mergeCommitMessage(wanted));
    const { committer, target: ours } = wanted;
    const sha = await repository.merge({ ours, theirs, message, author: committer, committer });
    return { tipSha: sha, mergeCommitSha: sha, squashCommitSha };
  }

  /** Null where there is one commit already and nobody asks for another message. */
  private async squashed(repository: GitRepository, wanted: WantedMerge): Promise<Sha | null> {
    const { head, target, committer } = wanted;
    const count = await repository.countCommits({ from: head, not: target }, 2);
    if (count < 2 && wanted.squashCommitMessage === null) return null;
    const base = await repository.mergeBase([target, head]);
    if (base === null) throw new MergeConflictError('conflict', []);
    const message = wanted.squashCommitMessage ?? (await this.texts.squashCommitMessage(repository, wanted));
    const author = (await this.texts.author(wanted.mergeRequest)) ?? committer;
    // Upon the point where the branch left its target the change is what the branch has: nothing can clash there.
    return repository.squash({ ours: base, theirs: head, message, author, committer });
  }
}
