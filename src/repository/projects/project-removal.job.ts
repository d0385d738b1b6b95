import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectRemoval } from './project-removal.service';

interface RemovedProject {
  readonly projectId: number;
  /** Whoever deleted it; unknown of what was queued by former versions. */
  readonly actorId?: number;
}

export const projectRemovals = defineQueue<RemovedProject>('repository.remove_project', {
  expireInSeconds: 900,
  retryLimit: 20,
});

/** Removes one deleted project. */
@Injectable()
export class RemoveProject extends JobHandler<RemovedProject> {
  readonly queue = projectRemovals;

  constructor(private readonly removal: ProjectRemoval) {
    super();
  }

  run({ projectId, actorId }: RemovedProject): Promise<void> {
    return this.removal.remove(projectId, actorId ?? null);
  }
}
