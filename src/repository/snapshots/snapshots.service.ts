import type { Readable } from 'node:stream';
import { Git } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { wikiOf, WikiRepositories } from '../wikis/wiki-repositories';
import type { DownloadSnapshot } from './snapshot.params';

/** Whole repositories as archives, for copies of this installation. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly git: Git,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly wikis: WikiRepositories,
  ) {}

  /** A wiki without pages is an empty repository. */
  async take(
    project: Project,
    { wiki }: ParamsOf<typeof DownloadSnapshot>,
    signal: AbortSignal,
  ): Promise<Readable> {
    if (wiki && !(await this.wikis.exists(project))) return this.git.emptySnapshot();
    return this.git.snapshot(this.repositories.locate(wiki ? wikiOf(project) : project), {
      signal,
      keepingWritersOut: (work) => this.moves.locked(project, work),
    });
  }
}
