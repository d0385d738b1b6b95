import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Events } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { ZERO_SHA, type RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { upkeepAfter } from '../maintenance/upkeep.queues';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { Repositories } from '../storages/repositories';
import type { StoredRepository } from '../storages/storages';
import { RefIntentsRepository } from './ref-intents.repository';
import { refsUpdated, type RefsUpdated } from './refs-updated.event';

const BRANCH_PREFIX = 'refs/heads/';

/** Whoever waits longer than this for a repository's lock is told to come back. */
const LOCK_TIMEOUT_MS = 30_000;

export const branchRef = (branch: string): string => `${BRANCH_PREFIX}${branch}`;
export const tagRef = (tag: string): string => `refs/tags/${tag}`;

const lockKey = (projectId: number): string => `repository:${projectId}`;

/**
 * The one way in which refs of a project move. What is about to move is noted first, and the note is taken back in
 * the transaction that records the event, so that whatever crashes in between is found again (RefIntentRecovery).
 */
@Injectable()
export class RefMoves {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly repositories: Repositories,
    private readonly projects: ProjectsRepository,
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly intents: RefIntentsRepository,
  ) {}

  /** Keeps every other writer of the repository out, on this node and all others, while `work` runs. */
  locked<T>(project: Pick<Project, 'id'>, work: () => Promise<T>): Promise<T> {
    return this.database.holdLock(lockKey(project.id), work, { timeoutMs: LOCK_TIMEOUT_MS });
  }

  /**
   * Moves refs that the API asks for: all of them or none. The caller holds the lock.
   * @throws RefConflictError when a ref is not at its old sha.
   */
  async move(project: Project, actor: Pick<ActorUser, 'id'>, updates: readonly RefUpdate[]): Promise<void> {
    const intent = await this.begin(project, actor, 'api', updates);
    try {
      await this.repositories.open(project).updateRefs(updates);
    } catch (error) {
      await this.intents.forget(intent);
      throw error;
    }
    await this.record(project, actor, 'api', updates, intent);
  }

  /** Notes that refs are about to move; answers the note's id. */
  begin(project: Project, actor: Pick<ActorUser, 'id'>, source: RefsUpdated['source'], updates: readonly RefUpdate[]): Promise<number> {
    return this.intents.note({ projectId: project.id, actorId: actor.id, source, updates });
  }

  /** Records, in one transaction, that refs have moved: the event, the project's activity, its first branch. */
  async record(
    project: Pick<Project, 'id' | 'defaultBranch'> & StoredRepository,
    actor: Pick<ActorUser, 'id'> | null,
    source: RefsUpdated['source'],
    updates: readonly RefUpdate[],
    intent: number,
  ): Promise<void> {
    const firstBranch = project.defaultBranch === null ? await this.firstBranch(project, updates) : null;
    await this.database.transaction(async () => {
      const isOurs = await this.intents.forget(intent);
      if (!isOurs || updates.length === 0) return;
      const { defaultBranch, writesSinceMaintenance } = await this.projects.noteActivity(project.id, firstBranch);
      if (firstBranch !== null && firstBranch === defaultBranch) {
        await this.protectedBranches.protectForMaintainers(project.id, firstBranch);
      }
      await this.jobs.enqueueAll(upkeepAfter(project.id, writesSinceMaintenance));
      await this.events.emit(refsUpdated, { projectId: project.id, actorId: actor?.id ?? null, source, updates });
    });
    this.repositories.refreshCommitGraph(project, updates.map(({ newSha }) => newSha).filter((sha) => sha !== ZERO_SHA));
  }

  /** The branch that becomes the default one: the one HEAD names when it was pushed too, else the first. */
  private async firstBranch(
    project: StoredRepository,
    updates: readonly RefUpdate[],
  ): Promise<string | null> {
    const born = updates
      .filter(({ ref, newSha }) => ref.startsWith(BRANCH_PREFIX) && newSha !== ZERO_SHA)
      .map(({ ref }) => ref.slice(BRANCH_PREFIX.length));
    const [first] = born;
    if (first === undefined) return null;
    const repository = this.repositories.open(project);
    const head = await repository.headBranch();
    if (head !== null && born.includes(head)) return head;
    await repository.setHead(first);
    return first;
  }
}
