import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Events, type NewEvent } from '#libs/events';
import type { RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Upkeep } from '../maintenance/upkeep.service';
import type { Project } from '../projects/project.entity';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { RefIntentsRepository } from './ref-intents.repository';
import { refsUpdated, type RefsUpdated } from './refs-updated.event';

/** Refs that have moved. */
export interface MovedRefs {
  readonly project: Pick<Project, 'id'>;
  /** Null where the system itself moved them. */
  readonly actor: Pick<ActorUser, 'id'> | null;
  readonly source: RefsUpdated['source'];
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
  ) {}

  /**
   * The event, the project's activity, its first branch and the work that follows, at once with the taking back of the
   * intent: whoever comes second finds no intent and records nothing. That is a transaction only where more than the
   * one statement is to be written.
   */
  async keep(moved: MovedRefs, firstBranch: string | null): Promise<void> {
    const event = eventOf(moved);
    const isSmall = firstBranch === null && this.upkeep.isUnderWay(moved.project.id);
    if (isSmall && !(await this.events.isHeard(refsUpdated, event.payload)))
      return this.record(moved, event, null);
    return this.database.transaction(() => this.record(moved, event, firstBranch));
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

function eventOf({ project, actor, source, updates }: MovedRefs) {
  const payload: RefsUpdated = { projectId: project.id, actorId: actor?.id ?? null, source, updates };
  return { name: refsUpdated.name, payload };
}
