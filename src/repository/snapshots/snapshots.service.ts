import type { Readable } from 'node:stream';
import { Git } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import type { DownloadSnapshot } from './snapshot.params';

/** Whole repositories as archives, for copies of this installation. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly git: Git,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {}

  /** The repository of a project's wiki is an empty one: wikis have no pages here. */
  async take(
    project: Project,
    { wiki }: ParamsOf<typeof DownloadSnapshot>,
    signal: AbortSignal,
  ): Promise<Readable> {
    if (wiki) return this.git.emptySnapshot();
    return this.git.snapshot(this.repositories.locate(project), {
      signal,
      keepingWritersOut: (work) => this.moves.locked(project, work),
    });
  }
}
