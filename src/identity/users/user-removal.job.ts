import { Database } from '#libs/database';
import { defineQueue, JobHandler, Jobs, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { NamespaceRemoval } from '../namespaces/namespace-removal.service';
import { Contributions } from './contributions';
import { GhostUsers } from './ghost-users.service';
import { UserDeletionRepository } from './user-deletion.repository';

export interface UserToRemove {
  readonly userId: number;
  /** Groups that go with the user. */
  readonly groupIds: readonly number[];
}

/** One job does a part and queues the next: a node that dies holds the removal up for minutes only. */
export const userRemovals = defineQueue<UserToRemove>('identity.remove_user', {
  expireInSeconds: 300,
  retryLimit: 20,
});

/**
 * Removes what a deleted user leaves: what is theirs, then what they gave to others, and the account itself at last. So
 * whoever takes over after a crash finds the account and goes on; each step does nothing where it is done already.
 */
@Injectable()
export class RemoveUser extends JobHandler<UserToRemove> {
  readonly queue = userRemovals;
  private readonly logger = new Logger(RemoveUser.name);

  constructor(
    private readonly database: Database,
    private readonly users: UserDeletionRepository,
    private readonly namespaces: NamespaceRemoval,
    private readonly contributions: Contributions,
    private readonly ghosts: GhostUsers,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async run(task: UserToRemove, { signal }: JobRun): Promise<void> {
    if (!(await this.removeSome(task, signal))) return;
    await this.database.transaction(() => this.jobs.enqueue(userRemovals, task));
  }

  /** A bounded part of the work. False when nothing is left. */
  private async removeSome({ userId, groupIds }: UserToRemove, signal: AbortSignal): Promise<boolean> {
    const user = await this.users.waiting(userId);
    if (!user) return false;
    const personal = await this.users.personalNamespace(userId);
    for (const id of personal === null ? groupIds : [...groupIds, personal])
      if (await this.namespaces.removeSome(id, signal)) return true;
    const ghostId = await this.ghosts.require();
    const isSomeLeft = user.takesContributions
      ? await this.contributions.removeSome(userId, ghostId)
      : await this.contributions.handOverSome(userId, ghostId);
    if (isSomeLeft) return true;
    await this.users.remove(userId);
    this.logger.log({ user: userId }, 'a deleted user was removed');
    return false;
  }
}
