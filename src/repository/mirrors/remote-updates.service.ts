import { atLeast, type Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import { Git, RefConflictError, type RemoteCopy, type RemoteLimits, type Sha } from '#libs/git';
import { OutboundHttp } from '#libs/outbound';
import { Injectable } from '@nestjs/common';
import { ActingUsers } from '../callers/acting-users';
import { pushCheck, PushRights } from '../changes/push-rights';
import { branchRef, RefMoves, tagRef } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { withoutCredentials } from './remote-url';
import { OutdatedUpdate, UpdateFailure } from './update-failure';
import { planOf, type PlanRules, type UpstreamPlan } from './upstream-plan';

const GIB = 1024 ** 3;
const LIMITS: RemoteLimits = {
  timeoutMs: 50 * 60_000,
  mostBytes: 10 * GIB,
  mostRefs: 100_000,
  mostMemory: 4_096,
};
/** Others push meanwhile; each time what they did is looked at anew. */
const MOST_ATTEMPTS = 5;
/** Of the sentences on branches that stay behind. */
const MOST_PROBLEMS = 20;

export interface RemoteUpdate {
  readonly url: string;
  /** Everything is to come, whatever the mirror's settings say. */
  readonly isImport: boolean;
  /** Asked under the lock, right before anything moves. */
  readonly isStillWanted: () => Promise<boolean>;
}

/** The project, on whose behalf it is updated, and what the remote has. */
interface Fetched {
  readonly project: Project;
  readonly actor: Actor;
  readonly copy: RemoteCopy;
  readonly update: RemoteUpdate;
}

/** Brings what a remote repository has into a project's. */
@Injectable()
export class RemoteUpdates {
  constructor(
    private readonly git: Git,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly rights: PushRights,
    private readonly outbound: OutboundHttp,
    private readonly users: ActingUsers,
  ) {}

  /**
   * Objects come into a copy aside and are checked on their way into the project's repository; then branches and tags
   * move as by any push, in the name of the mirror user. Branches that went another way stay unless the project says
   * otherwise. Throws UpdateFailure (also where some of the branches stayed behind), OutdatedUpdate, RemoteError,
   * OutboundError, GitProcessError.
   */
  async update(project: Project, update: RemoteUpdate, signal: AbortSignal): Promise<void> {
    const actor = await this.requireUser(project, update);
    const addresses = await this.outbound.addressesOf(update.url);
    const remote = { ...withoutCredentials(update.url), addresses: addresses.map(({ address }) => address) };
    const location = this.repositories.locate(project);
    await this.git.withRemote(location, remote, { ...LIMITS, signal }, (copy) =>
      this.bringIn({ project, actor, copy, update }, signal),
    );
  }

  /** Who answers for what comes: they must be able to push it themselves, today. */
  private async requireUser(project: Project, { isImport }: RemoteUpdate): Promise<Actor> {
    const userId = isImport ? project.creatorId : project.mirrorUserId;
    const actor = userId === null ? null : await this.users.find(userId, project);
    if (!actor) throw new UpdateFailure('The mirror user is not allowed to perform any git operations.');
    if (!atLeast('maintainer')(actor, project))
      throw new UpdateFailure('The mirror user is not allowed to push code to all branches on this project.');
    return actor;
  }

  private async bringIn(fetched: Fetched, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const plan = await this.plan(fetched, signal);
      try {
        await this.carryOut(fetched, plan, signal);
        return requireAll(plan);
      } catch (error) {
        if (!(error instanceof RefConflictError) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  private async plan({ project, actor, copy, update }: Fetched, signal: AbortSignal): Promise<UpstreamPlan> {
    const repository = this.repositories.open(project, signal);
    const [branches, tags] = await Promise.all([repository.branches(), repository.tags()]);
    const local = new Map<string, Sha>([
      ...branches.map(({ name, sha }) => [branchRef(name), sha] as const),
      ...tags.map(({ name, target }) => [tagRef(name), target] as const),
    ]);
    const rights = await this.rights.branches(actor, project);
    const isChosen = project.onlyMirrorProtectedBranches && !update.isImport;
    // The copy sees the objects of both.
    const both = this.git.open(copy.location, { signal });
    const rules: PlanRules = {
      isMirrored: (branch) => !isChosen || rights.isProtected(branch),
      mayPush: (branch) => rights.mayPush(branch),
      overwrites: project.mirrorOverwritesDivergedBranches && !update.isImport,
      isAncestor: (ancestor, descendant) => both.isAncestor(ancestor, descendant),
    };
    return planOf(local, copy.refs, rules);
  }

  private async carryOut(
    { project, actor, copy, update }: Fetched,
    { updates }: UpstreamPlan,
    signal: AbortSignal,
  ): Promise<void> {
    const { user } = actor;
    if (updates.length === 0 || !user) return;
    const repository = this.repositories.open(project, signal);
    const shas = [...new Set(updates.map(({ newSha }) => newSha))];
    await repository.fetchObjects(copy.location, shas, { check: true });
    const head = copy.headBranch;
    await this.lockedAnew(project, actor, async (current) => {
      const isWanted = (update.isImport || current.mirror) && (await update.isStillWanted());
      if (!isWanted) throw new OutdatedUpdate();
      const isFirst = current.defaultBranch === null && head !== null;
      if (isFirst && updates.some(({ ref }) => ref === branchRef(head))) await repository.setHead(head);
      await this.moves.move(current, user, updates, 'mirror');
    });
  }

  private async lockedAnew(
    project: Project,
    actor: Actor,
    work: (current: Project) => Promise<void>,
  ): Promise<void> {
    try {
      await this.moves.lockedAnew(project, pushCheck(actor), work);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.detail.kind === 'not_found') throw new OutdatedUpdate();
      if (error.detail.kind !== 'forbidden') throw error;
      throw new UpdateFailure('The mirror user is not allowed to push code to this project.', {
        cause: error,
      });
    }
  }
}

function requireAll({ problems }: UpstreamPlan): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - shown.length;
  throw new UpdateFailure([...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n\n'));
}
