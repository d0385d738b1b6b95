import { Git, type GitRepository, type RepositoryLocation, type Sha } from '#libs/git';
import { Injectable, Logger } from '@nestjs/common';
import { Storages, type StoredRepository } from './storages';

/** Blobs above this many bytes are streamed to clients instead of being held in memory. */
export const STREAM_ABOVE = 1024 * 1024;

/** How long to gather further writes before the commit-graph is written. */
const GRAPH_DELAY_MS = 1_000;
/** A graph written from these tips holds what they reach; later ones are reached from the next run's. */
const MOST_TIPS = 1_000;

/** The git data of projects. */
@Injectable()
export class Repositories {
  private readonly logger = new Logger(Repositories.name);
  /** Tips by repository path that the commit-graph does not know yet. */
  private readonly newTips = new Map<string, Sha[]>();

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

  /**
   * Brings the commit-graph up to date soon; writes in quick succession share one run. Nobody waits for it: a graph
   * that lags behind costs speed, never correctness.
   */
  refreshCommitGraph(project: StoredRepository, tips: readonly Sha[]): void {
    if (tips.length === 0) return;
    const location = this.storages.locate(project);
    const waiting = this.newTips.get(location.path);
    if (waiting) {
      if (waiting.length < MOST_TIPS) waiting.push(...tips);
      return;
    }
    this.newTips.set(location.path, [...tips]);
    setTimeout(() => this.writeCommitGraph(location), GRAPH_DELAY_MS).unref();
  }

  private writeCommitGraph(location: RepositoryLocation): void {
    const tips = this.newTips.get(location.path) ?? [];
    this.newTips.delete(location.path);
    this.git
      .refreshCommitGraph(location, tips)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'the commit-graph could not be refreshed'));
  }
}
