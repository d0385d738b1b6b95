import { Database } from '#libs/database';
import { invalid } from '#libs/errors';
import { isBranchName } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { branchRef, RefMoves } from '../changes/ref-moves.service';
import { Repositories } from '../storages/repositories';
import { ProjectFigures } from './project-figures.job';
import type { Project } from './project.entity';
import { ProjectsRepository } from './projects.repository';

/** Makes another branch the default one, for the API and for clones alike. */
@Injectable()
export class DefaultBranches {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly figures: ProjectFigures,
  ) {}

  /**
   * In one transaction with `further` changes of the project. HEAD moves before the row is committed: a crash in
   * between leaves what the next try puts right.
   */
  async change(project: Project, branch: string, further: () => Promise<void>): Promise<void> {
    const repository = this.repositories.open(project);
    await this.moves.locked(project, async () => {
      const isThere = isBranchName(branch) && (await repository.ref(branchRef(branch))) !== null;
      if (!isThere) throw invalid({ base: ['Could not set the default branch'] });
      await this.database.transaction(async () => {
        await further();
        await this.projects.update(project.id, { defaultBranch: branch });
        await repository.setHead(branch);
      });
    });
    await this.figures.refresh(project.id);
  }
}
