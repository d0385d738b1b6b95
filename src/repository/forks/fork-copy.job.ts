import type { RefUpdate } from '#libs/git';
import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { creationOfRefs } from '../imports/ref-creation';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';

interface Copy {
  /** The fork. */
  readonly projectId: number;
  readonly sourceId: number;
}

const TWO_HOURS = 2 * 60 * 60;

export const forkCopies = defineQueue<Copy>('repository.copy_fork', {
  expireInSeconds: TWO_HOURS,
  retryLimit: 8,
  onePerKey: true,
});

/** A project in one of these states gets its branches only later. */
const UNDER_WAY: ReadonlySet<string> = new Set(['scheduled', 'started']);

const SOURCE_GONE = 'The project that this one was to be forked from is gone.';
const COPY_FAILED = 'The repository could not be copied.';

/**
 * Fills the repository of a fork with branches and tags of its source and all they reach, as a pack of its own: what
 * happens to the one repository later does not touch the other. Idempotent: refs that are there already stay.
 */
@Injectable()
export class CopyFork extends JobHandler<Copy> {
  readonly queue = forkCopies;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run({ projectId, sourceId }: Copy, { signal, isLastAttempt }: JobRun): Promise<void> {
    const fork = await this.projects.find(projectId);
    if (fork?.importStatus !== 'started') return;
    const source = await this.projects.find(sourceId);
    if (!source) return this.end(projectId, SOURCE_GONE);
    try {
      if (UNDER_WAY.has(source.importStatus)) throw new Error('the source is still being filled itself');
      await this.copy(source, fork, signal);
    } catch (error) {
      if (isLastAttempt) await this.end(projectId, COPY_FAILED);
      throw error;
    }
    await this.end(projectId, null);
  }

  private async copy(source: Project, fork: Project, signal: AbortSignal): Promise<void> {
    const updates = await creationOfRefs(this.repositories.open(source, signal));
    if (updates.length === 0) return;
    const target = this.repositories.open(fork, signal);
    const shas = [...new Set(updates.map(({ newSha }) => newSha))];
    await target.fetchObjects(this.repositories.locate(source), shas);
    await this.moves.locked(fork, async () => {
      const missing = await this.missing(fork, updates);
      const current = await this.projects.find(fork.id);
      if (current && missing.length > 0) await this.moves.move(current, { id: current.creatorId }, missing);
    });
  }

  /** A first attempt, or a push while the copy was on its way, may have made some of them. */
  private async missing(fork: Project, wanted: readonly RefUpdate[]): Promise<RefUpdate[]> {
    const there = new Set((await creationOfRefs(this.repositories.open(fork))).map(({ ref }) => ref));
    return wanted.filter(({ ref }) => !there.has(ref));
  }

  private end(projectId: number, importError: string | null): Promise<void> {
    return this.projects.update(projectId, {
      importStatus: importError === null ? 'finished' : 'failed',
      importError,
    });
  }
}
