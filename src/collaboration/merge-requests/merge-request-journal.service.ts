import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { StateEvents, SystemNotes } from '../../planning/planning.api';
import { mergeRequestChanged, type ChangedValue, type MergeRequestAction } from './merge-request-events';
import type { MergeOutcome, MergeRequest } from './merge-request.entity';
import { MergeRequestsRepository } from './merge-requests.repository';

/** What was done, for those who are told of it. */
export interface DoneChange {
  readonly action: MergeRequestAction;
  /** Null where the system itself did it. */
  readonly actorId: number | null;
  readonly changes?: Readonly<Record<string, ChangedValue>>;
  /** The head before a push. */
  readonly oldHeadSha?: string | null;
}

/** Writes down what happens to merge requests. Everything here runs in the transaction of the change. */
@Injectable()
export class MergeRequestJournal {
  constructor(
    private readonly events: Events,
    private readonly notes: SystemNotes,
    private readonly states: StateEvents,
    private readonly mergeRequests: MergeRequestsRepository,
  ) {}

  /** One line in its discussion; `action` is the word for whoever reads the table. */
  note({ id }: MergeRequest, authorId: number | null, action: string, body: string): Promise<void> {
    return this.notes.record([{ on: { kind: 'MergeRequest', id }, authorId, action, body }]);
  }

  /** Tells hooks and whoever else listens. */
  tell({ id, projectId }: MergeRequest, { action, actorId, changes, oldHeadSha }: DoneChange): Promise<void> {
    return this.events.emit(mergeRequestChanged, {
      projectId,
      mergeRequestId: id,
      action,
      actorId,
      oldHeadSha: oldHeadSha ?? null,
      changes: changes ?? {},
    });
  }

  /** It has just been closed, or opened again: writes its new state. */
  async stateChanged(mergeRequest: MergeRequest, actorId: number | null): Promise<void> {
    const isClosed = mergeRequest.state === 'closed';
    const [word, action] = isClosed ? (['closed', 'close'] as const) : (['reopened', 'reopen'] as const);
    await this.mergeRequests.save(mergeRequest);
    await this.states.record({ kind: 'MergeRequest', id: mergeRequest.id }, actorId, word);
    await this.note(mergeRequest, actorId, word, word);
    await this.tell(mergeRequest, { action, actorId });
  }

  /** Marks a merge request, locked by this transaction, as merged. False where it was merged before. */
  async merged(mergeRequest: MergeRequest, outcome: MergeOutcome): Promise<boolean> {
    if (!mergeRequest.markMerged(outcome)) return false;
    await this.mergeRequests.save(mergeRequest);
    await this.states.record({ kind: 'MergeRequest', id: mergeRequest.id }, outcome.userId, 'merged');
    await this.note(mergeRequest, outcome.userId, 'merged', 'merged');
    await this.tell(mergeRequest, { action: 'merge', actorId: outcome.userId });
    return true;
  }
}
