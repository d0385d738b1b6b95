import type { Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { IssueStates } from '../../planning/planning.api';
import { MergeRequestChanges } from '../merge-request-versions/merge-request-changes.service';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import type { Discussed } from './discussed';
import { readNote, type QuickAction } from './quick-action-lines';

/** What was done instead of writing a note, or beside it. */
export interface AppliedActions {
  readonly action: QuickAction;
  /** "Closed this issue." */
  readonly summary: string;
}

export interface Outcome {
  /** What is left to be written. */
  readonly text: string;
  /** Null where there was nothing to do. */
  readonly applied: AppliedActions | null;
}

const NOUNS = { Issue: 'issue', MergeRequest: 'merge request' } as const;
const VERBS = { close: 'Closed', reopen: 'Reopened' } as const;

/** Does what notes say to do: the last of the actions that they name. */
@Injectable()
export class QuickActions {
  constructor(
    private readonly issueStates: IssueStates,
    private readonly mergeRequests: MergeRequests,
    private readonly mergeRequestChanges: MergeRequestChanges,
  ) {}

  /**
   * Call it in the transaction that writes the note. An action that the author has no right to remains in the text; where
   * there is no other text, this throws 403.
   */
  async run(actor: Actor, on: Discussed, body: string): Promise<Outcome> {
    const { text, actions } = readNote(body);
    const action = actions.at(-1);
    const { kind } = on.ref;
    if (action === undefined || (kind !== 'Issue' && kind !== 'MergeRequest'))
      return { text: body, applied: null };
    try {
      await this.apply(actor, on, action);
    } catch (error) {
      const isForbidden = error instanceof DomainError && error.detail.kind === 'forbidden';
      if (!isForbidden || text === '') throw error;
      return { text: body, applied: null };
    }
    return { text, applied: { action, summary: `${VERBS[action]} this ${NOUNS[kind]}.` } };
  }

  private async apply(actor: Actor, { ref, project, iid }: Discussed, action: QuickAction): Promise<void> {
    if (!project) return;
    if (ref.kind === 'Issue') {
      await this.issueStates.setState(actor, project, ref.id, action);
    } else if (iid !== null) {
      const mergeRequest = await this.mergeRequests.require(actor, project, iid);
      await this.mergeRequestChanges.setState(actor, project, mergeRequest, action);
    }
  }
}
