import { Database } from '#libs/database';
import { badRequest } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { remoteUpdates } from './remote-update.queues';
import { RemotesRepository } from './remotes.repository';
import { PAUSE_MS } from './update-times';

/** Has projects brought up to date with where they come from. */
@Injectable()
export class MirrorPulls {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly remotes: RemotesRepository,
  ) {}

  /**
   * As the reference does: at once, or some minutes after the last update; one that waits or runs is enough. A mirror
   * that was given up gets a new chance. Throws 400 where the project is no mirror.
   */
  async start(project: Project): Promise<void> {
    if (!project.mirror) throw badRequest('The project is not mirrored');
    await this.database.transaction(async () => {
      const remote = await this.remotes.hold(project.id);
      if (!remote) throw badRequest('The project is not mirrored');
      const earliest = remote.lastUpdateAt === null ? 0 : remote.lastUpdateAt.getTime() + PAUSE_MS;
      if (remote.isUnderWay) return;
      if (earliest > Date.now()) await this.remotes.postpone(project.id, new Date(earliest));
      else await this.schedule(project.id, { forgetFailures: true });
    });
  }

  /** In a transaction. */
  async schedule(projectId: number, options: { forgetFailures: boolean }): Promise<void> {
    await this.remotes.noteScheduled(projectId, options);
    await this.jobs.enqueue(remoteUpdates, { projectId }, { key: String(projectId) });
  }

  /** Queues those whose time has come, a bounded number at once; answers how many. */
  scheduleDue(most: number): Promise<number> {
    return this.database.transaction(async () => {
      const due = await this.remotes.due(most);
      for (const projectId of due) await this.schedule(projectId, { forgetFailures: false });
      return due.length;
    });
  }
}
