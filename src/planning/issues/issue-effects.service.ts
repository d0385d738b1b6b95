import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { Mentions, wordsOf } from '../noteables/mentions';
import { SystemNotes, type SystemNote } from '../noteables/system-notes';
import { issueChanged, type IssueAction, type IssueChangeLog } from './issue-changed.event';
import type { Issue } from './issue.entity';

export interface IssueEffect {
  /** As it is now. */
  readonly issue: Issue;
  readonly actorId: number;
  readonly action: IssueAction;
  readonly notes: readonly (Omit<SystemNote, 'on' | 'authorId'> | null)[];
  readonly changes: IssueChangeLog;
  /** The title or the description is new: who is named there is told. */
  readonly namesOthers?: boolean;
}

/** What comes of a change of an issue: notes in its discussion, cross-references, an event for hooks. */
@Injectable()
export class IssueEffects {
  constructor(
    private readonly events: Events,
    private readonly notes: SystemNotes,
    private readonly mentions: Mentions,
  ) {}

  /** Call it in the transaction of the change. */
  async tell({ issue, actorId, action, notes, changes, namesOthers }: IssueEffect): Promise<void> {
    const on = { kind: 'Issue', id: issue.id } as const;
    const told = notes.flatMap((note) => (note === null ? [] : [{ ...note, on, authorId: actorId }]));
    if (told.length > 0) await this.notes.record(told);
    const { projectId } = issue;
    if (namesOthers) await this.mentions.note({ in: on, projectId, authorId: actorId, text: wordsOf(issue) });
    await this.events.emit(issueChanged, { projectId, issueId: issue.id, actorId, action, changes });
  }
}
