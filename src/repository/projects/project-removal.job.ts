import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectRemoval } from './project-removal.service';

export const projectRemovals = defineQueue<{ projectId: number }>('repository.remove_project', {
  expireInSeconds: 900,
  retryLimit: 20,
});

/** Removes one deleted project. */
@Injectable()
export class RemoveProject extends JobHandler<{ projectId: number }> {
  readonly queue = projectRemovals;

  constructor(private readonly removal: ProjectRemoval) {
    super();
  }

  run({ projectId }: { projectId: number }): Promise<void> {
    return this.removal.remove(projectId);
  }
}
