import type { Commit, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { DiffRefs } from '../merge-requests/merge-request.entity';

/** Further commits of a change are not listed. */
export const MOST_VERSION_COMMITS = 10_000;

/** A change as git has it. */
export interface ReadVersion extends DiffRefs {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** How many files it touches. */
  readonly realSize: number;
}

/** Works out what a branch would bring to another. */
@Injectable()
export class VersionReading {
  constructor(private readonly repositories: Repositories) {}

  /** Both commits are in the target's repository. Branches without a common past differ as a whole. */
  async read(target: Project, headSha: Sha, startSha: Sha): Promise<ReadVersion> {
    const repository = this.repositories.open(target);
    const baseSha = await this.base(target, headSha, startSha);
    const [commits, diffs] = await Promise.all([
      repository.log({ from: headSha, not: startSha, skip: 0, limit: MOST_VERSION_COMMITS }),
      repository.diffBetween(baseSha, headSha),
    ]);
    return { headSha, baseSha, startSha, commits, realSize: diffs.length };
  }

  /** Where the change left the target. */
  async base(target: Project, headSha: Sha, startSha: Sha): Promise<Sha> {
    return (await this.repositories.open(target).mergeBase([startSha, headSha])) ?? startSha;
  }

  /**
   * Where the commits of a version are between; null where maintenance has taken them. The target's tip of that time may
   * be gone with a history that was rewritten; where the change left it goes as long as the change does.
   */
  async range(
    target: Project,
    { headSha, baseSha, startSha }: DiffRefs,
  ): Promise<{ from: Sha; not: Sha } | null> {
    const repository = this.repositories.open(target);
    const [head, base, start] = await Promise.all(
      [headSha, baseSha, startSha].map((sha) => repository.commit(sha)),
    );
    if (!head || !base) return null;
    return { from: headSha, not: start ? startSha : baseSha };
  }

  /** What the head has and the start has not, newest first; `limit` of it at most. */
  async commits(target: Project, refs: DiffRefs, limit = MOST_VERSION_COMMITS): Promise<Commit[]> {
    const range = await this.range(target, refs);
    return range ? this.repositories.open(target).log({ ...range, skip: 0, limit }) : [];
  }
}
