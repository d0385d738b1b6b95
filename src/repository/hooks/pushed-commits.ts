import { GitLimitError, ZERO_SHA, type Commit, type GitRepository, type Sha } from '#libs/git';
import { Injectable, Logger } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { HookRecords } from './hook-records';

/** A call tells of so many commits, the newest of a push, and of so many files of each. */
const MOST_COMMITS = 20;
const MOST_FILES = 1_000;
const MOST_COUNTED = 1_000_000;

/** From where to where a ref moved. */
export interface Move {
  readonly before: Sha;
  readonly after: Sha;
}

/** What calls tell of the commits that a push brought. */
@Injectable()
export class PushedCommits {
  private readonly logger = new Logger('Hooks');

  constructor(
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
  ) {}

  /**
   * The commits that were new on the branch, oldest first. Those of a new branch are the ones that the default branch
   * does not have. None where the branch is gone, or its commits are by now.
   */
  async ofBranch(project: Project, branch: string, { before, after }: Move) {
    const repository = this.repositories.open(project);
    if (after === ZERO_SHA || !(await repository.commit(after)))
      return { commits: [], total_commits_count: 0 };
    const not = await this.startOf(repository, project, branch, before);
    const range = { from: after, ...(not !== null && { not }) };
    const newest = await repository.log({ ...range, skip: 0, limit: MOST_COMMITS });
    return {
      commits: await this.described(project, repository, newest.toReversed()),
      total_commits_count: await repository.countCommits(range, MOST_COUNTED),
    };
  }

  /** The one commit that a tag names; none where it is gone or names something else. */
  async ofTag(project: Project, tagged: Sha | null) {
    const repository = this.repositories.open(project);
    const commit = tagged === null ? null : await repository.commit(tagged);
    const commits = commit ? await this.described(project, repository, [commit]) : [];
    return { commits, total_commits_count: commits.length };
  }

  private async startOf(
    repository: GitRepository,
    { defaultBranch }: Project,
    branch: string,
    before: Sha,
  ): Promise<Sha | null> {
    if (before !== ZERO_SHA) return (await repository.commit(before)) ? before : null;
    return defaultBranch === null || defaultBranch === branch
      ? null
      : repository.ref(`refs/heads/${defaultBranch}`);
  }

  private async described(project: Project, repository: GitRepository, commits: readonly Commit[]) {
    const described = [];
    for (const commit of commits) {
      described.push({
        ...this.records.commit(project, commit),
        ...(await this.filesOf(repository, commit)),
      });
    }
    return described;
  }

  /** Of a commit whose changes are too large to look at nothing is told but itself. */
  private async filesOf(repository: GitRepository, { sha }: Commit) {
    try {
      const changes = await repository.diff(sha);
      const paths = (chosen: typeof changes, side: 'oldPath' | 'newPath') =>
        chosen.slice(0, MOST_FILES).map((change) => change[side]);
      return {
        added: paths(
          changes.filter(({ isNew, isRenamed }) => isNew || isRenamed),
          'newPath',
        ),
        modified: paths(
          changes.filter(({ isNew, isRenamed, isDeleted }) => !isNew && !isRenamed && !isDeleted),
          'newPath',
        ),
        removed: paths(
          changes.filter(({ isDeleted, isRenamed }) => isDeleted || isRenamed),
          'oldPath',
        ),
      };
    } catch (error) {
      if (!(error instanceof GitLimitError)) throw error;
      this.logger.warn({ err: error, sha }, 'a commit is too large for its files to be told to hooks');
      return { added: [], modified: [], removed: [] };
    }
  }
}
