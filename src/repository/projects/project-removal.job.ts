import { Database } from '#libs/database';
import { Git } from '#libs/git';
import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { Storages } from '../storages/storages';
import { ProjectsRepository } from './projects.repository';

export const projectRemovals = defineQueue<{ projectId: number }>('repository.remove_project', {
  expireInSeconds: 900,
  retryLimit: 20,
});

/** Removes what a deleted project held: the repository first, the rows after it, so that a crash forgets nothing. */
@Injectable()
export class RemoveProject extends JobHandler<{ projectId: number }> {
  readonly queue = projectRemovals;

  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly moves: RefMoves,
    private readonly storages: Storages,
    private readonly git: Git,
  ) {
    super();
  }

  async run({ projectId }: { projectId: number }): Promise<void> {
    const project = await this.projects.findDeleted(projectId);
    if (!project) return;
    await this.moves.locked(project, () => this.git.remove(this.storages.locate(project)));
    await this.database.transaction(() => this.projects.remove(projectId));
  }
}
