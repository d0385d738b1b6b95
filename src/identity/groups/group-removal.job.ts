import { Database } from '#libs/database';
import { defineQueue, JobHandler, Jobs, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { NamespaceRemoval } from '../namespaces/namespace-removal.service';

interface Task {
  readonly groupId: number;
}

/** One job does a part and queues the next: so a node that dies holds up the removal for minutes only, however large the group is. */
export const groupRemovals = defineQueue<Task>('identity.remove_group', {
  expireInSeconds: 300,
  retryLimit: 20,
  concurrency: 2,
});

@Injectable()
export class RemoveGroup extends JobHandler<Task> {
  readonly queue = groupRemovals;

  constructor(
    private readonly database: Database,
    private readonly removal: NamespaceRemoval,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async run({ groupId }: Task, { signal }: JobRun): Promise<void> {
    if (!(await this.removal.removeSome(groupId, signal))) return;
    await this.database.transaction(() => this.jobs.enqueue(groupRemovals, { groupId }));
  }
}
