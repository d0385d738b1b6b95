import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Events } from '#libs/events';
import type { RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Upkeep } from '../maintenance/upkeep.service';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
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
    private readonly projects: ProjectsRepository,
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly intents: RefIntentsRepository,
  ) {}

  /**
   * The event, the project's activity, its first branch and the work that follows, in one transaction with the taking
   * back of the intent: whoever comes second finds no intent and records nothing.
   */
  keep({ project, actor, source, updates, intent }: MovedRefs, firstBranch: string | null): Promise<void> {
    return this.database.transaction(async () => {
      const isOurs = await this.intents.forget(intent);
      if (!isOurs || updates.length === 0) return;
      const { defaultBranch, writesSinceMaintenance } = await this.projects.noteActivity(
        project.id,
        firstBranch,
      );
      if (firstBranch !== null && firstBranch === defaultBranch) {
        await this.protectedBranches.protectForMaintainers(project.id, firstBranch);
      }
      await this.upkeep.follow(project.id, writesSinceMaintenance);
      await this.events.emit(refsUpdated, {
        projectId: project.id,
        actorId: actor?.id ?? null,
        source,
        updates,
      });
    });
  }
}
