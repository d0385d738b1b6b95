import { Database } from '#libs/database';
import { Git } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { Storages } from '../storages/storages';
import { wikiOf } from '../wikis/wiki-repositories';
import { UploadStorage } from '../uploads/upload-storage';
import { ProjectsRepository } from './projects.repository';

/** Removes what deleted projects held: the repository first, the rows after it, so that a crash forgets nothing. */
@Injectable()
export class ProjectRemoval {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly moves: RefMoves,
    private readonly storages: Storages,
    private readonly git: Git,
    private readonly uploads: UploadStorage,
  ) {}

  /** Does nothing for a project that is not deleted, or is removed already. */
  async remove(projectId: number): Promise<void> {
    const project = await this.projects.findDeleted(projectId);
    if (!project) return;
    await this.moves.locked(project, async () => {
      await this.git.remove(this.storages.locate(project));
      await this.git.remove(this.storages.locate(wikiOf(project)));
    });
    await this.uploads.removeAll(projectId);
    await this.database.transaction(() => this.projects.remove(projectId));
  }
}
