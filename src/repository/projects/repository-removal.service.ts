import { Git } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { Storages } from '../storages/storages';
import { wikiOf } from '../wikis/wiki-repositories';
import type { Project } from './project.entity';

/** Removes the repositories of deleted projects. */
@Injectable()
export class RepositoryRemoval {
  constructor(
    private readonly moves: RefMoves,
    private readonly storages: Storages,
    private readonly git: Git,
  ) {}

  /** Of the code and of the wiki; does nothing for those that are gone. */
  async remove(project: Project): Promise<void> {
    await this.moves.locked(project, async () => {
      await this.git.remove(this.storages.locate(project));
      await this.git.remove(this.storages.locate(wikiOf(project)));
    });
  }
}
