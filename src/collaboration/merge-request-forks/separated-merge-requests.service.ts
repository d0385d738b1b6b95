import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { SeparatedForks } from '../../repository/repository.api';
import { MergeRequestJournal } from '../merge-requests/merge-request-journal.service';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { SeparatedMergeRequestsRepository } from './separated-merge-requests.repository';

const AT_ONCE = 100;

/** Closes merge requests between a fork and the projects that it goes its own way from. */
@Injectable()
export class SeparatedMergeRequests extends SeparatedForks {
  constructor(
    private readonly database: Database,
    private readonly separated: SeparatedMergeRequestsRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly users: UserDirectory,
  ) {
    super();
  }

  /** Each in a transaction of its own, as if the actor had closed it: with its note, event and hooks. */
  async settle(projectId: number, actorId: number | null): Promise<void> {
    const next = (after: number) => this.separated.between(projectId, after, AT_ONCE);
    for (let ids = await next(0); ids.length > 0; ids = await next(ids.at(-1) ?? 0)) {
      // They may have left meanwhile.
      const isThere = actorId !== null && (await this.users.byIds([actorId])).has(actorId);
      for (const id of ids) await this.close(id, isThere ? actorId : null);
    }
  }

  private close(id: number, actorId: number | null): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(id);
      if (mergeRequest?.close(actorId, new Date())) await this.journal.stateChanged(mergeRequest, actorId);
    });
  }
}
