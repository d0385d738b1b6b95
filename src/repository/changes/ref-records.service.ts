import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Events, type NewEvent } from '#libs/events';
import { ZERO_SHA, type RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Upkeep } from '../maintenance/upkeep.service';
import type { Project } from '../projects/project.entity';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { ReleasesRepository } from '../tags/releases.repository';
import { RefIntentsRepository } from './ref-intents.repository';
import { refsUpdated, type RefsUpdated } from './refs-updated.event';

const TAG_PREFIX = 'refs/tags/';

/** Refs that have moved. */
export interface MovedRefs {
  readonly project: Pick<Project, 'id'>;
  /** Null where the system itself moved them. */
  readonly actor: Pick<ActorUser, 'id'> | null;
  readonly source: RefsUpdated['source'];
  readonly skipsPipelines?: boolean;
  /** Those that took effect. */
  readonly updates: readonly RefUpdate[];
  /** The note that they were about to move. */
  readonly intent: number;
}

/** Writes into the database what has happened in a repository. */
@Injectable()
export class RefRecords {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly upkeep: Upkeep,
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly intents: RefIntentsRepository,
    private readonly releases: ReleasesRepository,
  ) {}

  /**
   * The event, the project's activity, its first branch and the work that follows, at once with the taking back of the
   * intent: whoever comes second finds no intent and records nothing. That is a transaction only where more than the
   * one statement is to be written.
   */
  async keep(moved: MovedRefs, firstBranch: string | null): Promise<void> {
    await this.forgetReleases(moved);
    const event = eventOf(moved);
    const isSmall = firstBranch === null && this.upkeep.isUnderWay(moved.project.id);
    if (isSmall && !(await this.events.isHeard(refsUpdated, event.payload)))
      return this.record(moved, event, null);
    return this.database.transaction(() => this.record(moved, event, firstBranch));
  }

  /** A release goes with its tag, whoever deletes it: a later tag of that name is another one. */
  private async forgetReleases({ project, updates }: MovedRefs): Promise<void> {
    const gone = updates.filter(({ ref, newSha }) => ref.startsWith(TAG_PREFIX) && newSha === ZERO_SHA);
    if (gone.length === 0) return;
    await this.releases.removeOf(
      project.id,
      gone.map(({ ref }) => ref.slice(TAG_PREFIX.length)),
    );
  }

  private async record({ project, updates, intent }: MovedRefs, event: NewEvent, firstBranch: string | null) {
    if (updates.length === 0) return void (await this.intents.forget(intent));
    const settled = await this.intents.settle(intent, { projectId: project.id, firstBranch, event });
    if (!settled) return;
    if (firstBranch !== null && firstBranch === settled.defaultBranch) {
      await this.protectedBranches.protectForMaintainers(project.id, firstBranch);
    }
    await this.upkeep.follow(project.id, settled.writesSinceMaintenance);
    await this.events.deliver(event, settled.eventId);
  }
}

function eventOf({ project, actor, source, updates, skipsPipelines }: MovedRefs) {
  const payload: RefsUpdated = {
    projectId: project.id,
    actorId: actor?.id ?? null,
    source,
    updates,
    ...(skipsPipelines && { skipsPipelines }),
  };
  return { name: refsUpdated.name, payload };
}
