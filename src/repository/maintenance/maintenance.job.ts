import { JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';
import { maintenance } from './upkeep.queues';

/** Keeps a repository fast. Idempotent: packing what is packed changes nothing. */
@Injectable()
export class Maintenance extends JobHandler<{ readonly projectId: number }> {
  readonly queue = maintenance;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run({ projectId }: { readonly projectId: number }): Promise<void> {
    const project = await this.projects.find(projectId);
    if (!project) return;
    await this.moves.locked(project, () => this.repositories.maintain(project));
    await this.projects.noteMaintenance(projectId);
  }
}
