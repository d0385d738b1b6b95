import { Git, type GitRepository, type RepositoryLocation, type Sha } from '#libs/git';
import { Injectable, Logger } from '@nestjs/common';
import { Storages, type StoredRepository } from './storages';

/** The git data of projects. */
@Injectable()
export class Repositories {
  private readonly logger = new Logger(Repositories.name);

  constructor(
    private readonly git: Git,
    private readonly storages: Storages,
  ) {}

  /** Cheap; `signal` stops the git work that is started through it. */
  open(project: StoredRepository, signal?: AbortSignal): GitRepository {
    return this.git.open(this.storages.locate(project), signal && { signal });
  }

  locate(project: StoredRepository): RepositoryLocation {
    return this.storages.locate(project);
  }

  /** Packs refs and objects. The caller holds the repository's lock. */
  maintain(project: StoredRepository): Promise<void> {
    return this.git.maintain(this.storages.locate(project));
  }

  /** Nobody waits for it: a commit-graph that lags behind costs speed, never correctness. */
  refreshCommitGraph(project: StoredRepository, tips: readonly Sha[]): void {
    if (tips.length === 0) return;
    this.git
      .refreshCommitGraph(this.storages.locate(project), tips)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'the commit-graph could not be refreshed'));
  }
}
