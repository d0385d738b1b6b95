import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { StateEvents } from '../issuables/state-events.repository';
import type { NoteSource, SystemNote } from '../noteables/system-notes';
import { columnChanges } from './change-log';
import { ClosingSourcesRepository } from './closing-sources.repository';
import { IssueEffects } from './issue-effects.service';
import { issueRights } from './issue-rights';
import { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

export type StateChange = 'close' | 'reopen';

/** What closes an issue besides somebody's word. */
export interface ClosingCause {
  /** As the discussion names it: "commit 1234abcd", "merge request !1". */
  readonly name: string;
  readonly about: NoteSource;
}

/** Closes issues and opens them again. */
@Injectable()
export class IssueStates {
  constructor(
    private readonly database: Database,
    private readonly issues: IssuesRepository,
    private readonly events: StateEvents,
    private readonly effects: IssueEffects,
    private readonly sources: ClosingSourcesRepository,
  ) {}

  /** Throws 403 for whoever may not change the issue. Nothing happens to one that is so already. */
  setState(actor: Actor, project: Project, issueId: number, change: StateChange): Promise<Issue> {
    return this.database.transaction(async () => {
      const issue = await this.issues.hold(issueId);
      if (issue?.projectId !== project.id) throw notFound();
      const assignees = (await this.issues.assigneesOf([issue.id])).get(issue.id) ?? [];
      if (!issueRights(actor, project, issue, assignees).mayUpdate) throw forbidden();
      return this.change(issue, signedIn(actor).id, change);
    });
  }

  /**
   * Closes what a commit or a merge request closes; false where the actor may not, where it is closed, or where somebody
   * has opened it again since.
   */
  closeBy(
    actor: Actor,
    project: Project,
    issueId: number,
    { cause, at }: { readonly cause: ClosingCause; readonly at: Date },
  ): Promise<boolean> {
    return this.database.transaction(async () => {
      const issue = await this.issues.hold(issueId);
      if (issue?.projectId !== project.id || !issue.isOpen) return false;
      const assignees = (await this.issues.assigneesOf([issue.id])).get(issue.id) ?? [];
      if (!issueRights(actor, project, issue, assignees).mayUpdate) return false;
      if (await this.events.wasReopened({ kind: 'Issue', id: issue.id }, at)) return false;
      // A note that named what is gone would refer to nothing, and nobody could tell any more who may read it.
      const told = (await this.sources.keep(cause.about)) ? cause : null;
      await this.change(issue, signedIn(actor).id, 'close', told);
      return true;
    });
  }

  /** The issue is held by the transaction, and the user may change it. */
  change(
    issue: Issue,
    userId: number,
    change: StateChange,
    cause: ClosingCause | null = null,
  ): Promise<Issue> {
    return this.settle(issue, userId, change, noteOf(change, cause));
  }

  /** Ends an issue that goes on in another project, which `name` is there; held likewise. */
  async moveAway(issue: Issue, userId: number, copy: Pick<Issue, 'id'>, name: string): Promise<void> {
    await this.issues.update(issue.id, { movedToId: copy.id });
    const about = { kind: 'Issue', id: copy.id } as const;
    const moved = Object.assign(new Issue(), issue, { movedToId: copy.id });
    const note = { action: 'moved', body: `moved to ${name}`, about };
    const closed = await this.settle(moved, userId, 'close', note);
    if (closed !== moved) return;
    const changes = columnChanges(issue, moved);
    await this.effects.tell({ issue: moved, actorId: userId, action: 'update', notes: [note], changes });
  }

  private async settle(
    issue: Issue,
    userId: number,
    change: StateChange,
    note: Omit<SystemNote, 'on' | 'authorId'>,
  ): Promise<Issue> {
    if (issue.isOpen === (change === 'reopen')) return issue;
    const now = new Date();
    const after = Object.assign(new Issue(), issue, { updatedAt: now });
    if (change === 'close') after.close(userId, now);
    else after.reopen();
    const { state, closedAt, closedById, updatedAt } = after;
    await this.issues.update(issue.id, { state, closedAt, closedById, updatedAt });
    await this.events.record(
      { kind: 'Issue', id: issue.id },
      userId,
      change === 'close' ? 'closed' : 'reopened',
    );
    if (!issue.confidential) await this.issues.countOpen(issue.projectId, change === 'close' ? -1 : 1);
    await this.effects.tell({
      issue: after,
      actorId: userId,
      action: change,
      notes: [note],
      changes: columnChanges(issue, after),
    });
    return after;
  }
}

function noteOf(change: StateChange, cause: ClosingCause | null) {
  if (change === 'reopen') return { action: 'opened', body: 'reopened' };
  if (!cause) return { action: 'closed', body: 'closed' };
  return { action: 'closed', body: `closed via ${cause.name}`, about: cause.about };
}
