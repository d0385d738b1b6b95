import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, DomainError, notFound } from '#libs/errors';
import { RefConflictError, ZERO_SHA, type RefUpdate, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';
import type { PushRule } from '../push-rules/push-rule.entity';
import { PushRules } from '../push-rules/push-rules.service';
import { Repositories } from '../storages/repositories';
import type { StoredRepository } from '../storages/storages';
import { RefIntentsRepository } from './ref-intents.repository';
import { RefRecords, type MovedRefs } from './ref-records.service';
import type { RefsUpdated } from './refs-updated.event';

const BRANCH_PREFIX = 'refs/heads/';
const TAG_PREFIX = 'refs/tags/';

/** Throws the caller's refusal where the project, with the rules that are known of it, does not let them push. */
export type PushCheck = (project: Project, rules?: readonly ProtectedBranch[]) => Promise<void> | void;

/** Whoever waits longer than this for a repository's lock is told to come back. */
const LOCK_TIMEOUT_MS = 30_000;

export const branchRef = (branch: string): string => `${BRANCH_PREFIX}${branch}`;
export const tagRef = (tag: string): string => `${TAG_PREFIX}${tag}`;

const lockKey = (projectId: number): string => `repository:${projectId}`;

/** Moved refs of a project whose repository may just have got its first branch. */
export interface MovedInProject extends MovedRefs {
  readonly project: Pick<Project, 'id' | 'defaultBranch'> & StoredRepository;
}

/** What a user asks for through the API. */
export interface UserMove {
  readonly project: Project;
  readonly user: Pick<ActorUser, 'id'>;
  readonly updates: readonly RefUpdate[];
  /** The push rule as it is under the lock. */
  readonly rule: PushRule | null;
  readonly made?: Sha | null;
}

/**
 * The one way in which refs of a project move. What is about to move is noted first, and the note is taken back in
 * the transaction that records the event, so that whatever crashes in between is found again (RefIntentRecovery).
 */
@Injectable()
export class RefMoves {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly intents: RefIntentsRepository,
    private readonly records: RefRecords,
    private readonly pushRules: PushRules,
  ) {}

  /**
   * Keeps every other writer of the repository out, on this node and all others, while `work` runs.
   * Throws "404 Project Not Found" where work fails because the project was deleted while it waited.
   */
  async locked<T>(
    project: Pick<Project, 'id'>,
    work: () => Promise<T>,
    timeoutMs = LOCK_TIMEOUT_MS,
  ): Promise<T> {
    try {
      return await this.database.holdLock(lockKey(project.id), work, { timeoutMs });
    } catch (error) {
      if (error instanceof DomainError || (await this.isThere(project))) throw error;
      throw new DomainError({ kind: 'not_found', what: 'Project' }, { cause: error });
    }
  }

  /**
   * As locked, for work upon the project as it is by then: while the caller waited, it may have been archived or got
   * other rules. `work` is given the push rule and the rules of branches too. Throws what `check` throws, and "404 Project Not Found" where it was
   * deleted.
   */
  lockedAnew<T>(
    project: Pick<Project, 'id'>,
    check: PushCheck,
    work: (current: Project, pushRule: PushRule | null, rules: readonly ProtectedBranch[]) => Promise<T>,
  ) {
    return this.locked(project, async () => {
      const found = await this.projects.findWithRules(project.id);
      if (!found) throw notFound('Project');
      await check(found.project, found.rules);
      return work(found.project, found.pushRule, found.rules);
    });
  }

  /** A transaction that has failed answers no question; the project was there when it began. */
  private async isThere({ id }: Pick<Project, 'id'>): Promise<boolean> {
    return this.database.inTransaction || (await this.projects.find(id)) !== null;
  }

  /**
   * As move, for what a user asks for through the API: the project's push rule has its say first. `made` is a commit
   * among it that this service has made.
   * Throws 400 with the sentence of the rule that refuses it.
   */
  async push({ project, user, updates, rule, made = null }: UserMove): Promise<void> {
    if (rule !== null) {
      const reader = this.repositories.open(project);
      const refusal = await this.pushRules.refusalOf({ rule, project, user, updates, reader, made });
      if (refusal !== null) throw badRequest(refusal);
    }
    await this.move(project, user, updates);
  }

  /**
   * Moves refs, all of them or none, for what the service itself brings: no push rule is asked. The caller holds the
   * lock.
   * @throws RefConflictError when a ref is not at its old sha.
   */
  async move(
    project: Project,
    actor: Pick<ActorUser, 'id'>,
    updates: readonly RefUpdate[],
    source: RefsUpdated['source'] = 'api',
  ): Promise<void> {
    const intent = await this.begin(project, actor, source, updates);
    try {
      await this.repositories.open(project).updateRefs(updates);
    } catch (error) {
      // After any other failure nobody knows whether the refs have moved: the intent stays, and recovery looks.
      if (error instanceof RefConflictError) await this.intents.forget(intent);
      throw error;
    }
    await this.record({ project, actor, source, updates, intent });
  }

  /** Notes that refs are about to move; answers the note's id. */
  begin(
    project: Pick<Project, 'id' | 'defaultBranch'>,
    actor: Pick<ActorUser, 'id'>,
    source: RefsUpdated['source'],
    updates: readonly RefUpdate[],
  ): Promise<number> {
    const intent = { projectId: project.id, actorId: actor.id, source, updates };
    // Were this note lost, a repository with branches would be taken for an empty one.
    return this.intents.note(intent, { durably: project.defaultBranch === null });
  }

  /** Records that refs have moved. The caller still holds the lock. */
  async record(moved: MovedInProject): Promise<void> {
    const { project, updates } = moved;
    await this.records.keep(
      moved,
      project.defaultBranch === null ? await this.firstBranch(project, updates) : null,
    );
    const tips = updates.map(({ newSha }) => newSha).filter((sha) => sha !== ZERO_SHA);
    this.repositories.refreshCommitGraph(project, tips);
  }

  /** The branch that becomes the default one: the one HEAD names when it is there, else the first that was pushed. */
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
    if (head !== null && (born.includes(head) || (await repository.ref(branchRef(head))) !== null))
      return head;
    await repository.setHead(first);
    return first;
  }
}
