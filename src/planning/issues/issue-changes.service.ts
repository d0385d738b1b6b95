import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { Milestone } from '../milestones/milestone.entity';
import { wordsOf } from '../noteables/mentions';
import { columnChanges } from './change-log';
import { IssueEffects } from './issue-effects.service';
import { planningNotes, wordingNotes } from './issue-notes';
import { IssueRelations, type Related } from './issue-relations.service';
import { issueRights } from './issue-rights';
import { requireValid } from './issue-rules';
import { IssueStates } from './issue-states.service';
import { Issue } from './issue.entity';
import type { UpdateIssue } from './issue.params';
import { IssuesRepository } from './issues.repository';
import { changedIssue, columnsOf, columnsToWrite, isOwnChange } from './changed-columns';
import { permittedFields } from './permitted-fields';

/** One change of an issue that the transaction holds. */
interface Change {
  readonly before: Issue;
  readonly after: Issue;
  readonly related: Related;
  readonly milestone: Milestone | null;
}

/** Changes issues. */
@Injectable()
export class IssueChanges {
  constructor(
    private readonly database: Database,
    private readonly issues: IssuesRepository,
    private readonly relations: IssueRelations,
    private readonly states: IssueStates,
    private readonly effects: IssueEffects,
    private readonly license: License,
  ) {}

  /** Of an issue that the actor reads; throws 403 where they may not change it. */
  update(actor: Actor, project: Project, issueId: number, params: UpdateIssue): Promise<Issue> {
    requireValid(params);
    const user = signedIn(actor);
    const mayAdminister = PROJECT_POLICY.admin_issues(actor, project);
    const fields = permittedFields(params, mayAdminister, this.license);
    return this.database.transaction(async () => {
      await this.relations.keepPlace(project, fields);
      const milestone = await this.relations.milestone(project, fields);
      const held = await this.hold(project, issueId);
      const assignees = (await this.issues.assigneesOf([issueId])).get(issueId) ?? [];
      const rights = issueRights(actor, project, held, assignees);
      if (!rights.mayUpdate) throw forbidden();
      const before = params.state_event ? await this.states.change(held, user.id, params.state_event) : held;
      const updatedAt = rights.mayBackdate ? params.updated_at : undefined;
      const columns = columnsOf({ ...fields, title: params.title }, milestone);
      const after = changedIssue(before, columns, user.id, updatedAt);
      const related = await this.relations.apply(actor, project, before, fields, false);
      return this.settle(user.id, { before, after, related, milestone: milestone ?? null }, updatedAt);
    });
  }

  private async hold(project: Project, issueId: number): Promise<Issue> {
    const issue = await this.issues.hold(issueId);
    if (issue?.projectId !== project.id) throw notFound();
    return issue;
  }

  private async settle(userId: number, change: Change, updatedAt: Date | undefined): Promise<Issue> {
    const { before, after, related, milestone } = change;
    const changes = { ...columnChanges(before, after), ...related.changes };
    const isChanged = isOwnChange(before, after) || Object.keys(related.changes).length > 0;
    if (!isChanged && updatedAt === undefined) return before;
    await this.issues.update(before.id, columnsToWrite(after));
    if (before.isOpen && before.confidential !== after.confidential)
      await this.issues.countOpen(before.projectId, after.confidential ? -1 : 1);
    const notes = [...wordingNotes(before, after), ...planningNotes(before, after, milestone), related.note];
    const namesOthers = wordsOf(before) !== wordsOf(after);
    if (isChanged)
      await this.effects.tell({
        issue: after,
        actorId: userId,
        action: 'update',
        notes,
        changes,
        namesOthers,
      });
    return after;
  }
}
