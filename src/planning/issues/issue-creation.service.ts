import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database, InternalIds, uniqueViolation } from '#libs/database';
import { conflict } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { IssueEffects } from './issue-effects.service';
import { planningNotes } from './issue-notes';
import { IssueRelations } from './issue-relations.service';
import { mayBackdate } from './issue-rights';
import { requireValid } from './issue-rules';
import { Issue } from './issue.entity';
import type { CreateIssue } from './issue.params';
import { IssuesRepository } from './issues.repository';
import { permittedFields } from './permitted-fields';

/** Opens issues. */
@Injectable()
export class IssueCreation {
  constructor(
    private readonly database: Database,
    private readonly iids: InternalIds,
    private readonly issues: IssuesRepository,
    private readonly relations: IssueRelations,
    private readonly effects: IssueEffects,
    private readonly license: License,
  ) {}

  /**
   * In a project that the actor may open issues in. `andThen` belongs to the same unit of work and comes before labels are
   * held, as whoever changes other things holds those first.
   */
  async create(
    actor: Actor,
    project: Project,
    params: CreateIssue,
    andThen: (issue: Issue) => Promise<void> = () => Promise.resolve(),
  ): Promise<Issue> {
    requireValid(params);
    try {
      return await this.database.transaction(() => this.insert(actor, project, params, andThen));
    } catch (error) {
      if (uniqueViolation(error) !== 'issues_of_project') throw error;
      throw conflict('Duplicated issue');
    }
  }

  private async insert(
    actor: Actor,
    project: Project,
    params: CreateIssue,
    andThen: (issue: Issue) => Promise<void>,
  ): Promise<Issue> {
    const user = signedIn(actor);
    const isOwner = mayBackdate(actor);
    const fields = permittedFields(params, PROJECT_POLICY.admin_issues(actor, project), this.license);
    await this.relations.keepPlace(project, fields);
    const milestone = (await this.relations.milestone(project, fields)) ?? null;
    const issue = await this.issues.insert({
      iid: await this.number(project, isOwner ? params.iid : undefined),
      projectId: project.id,
      authorId: user.id,
      title: params.title,
      description: fields.description ?? null,
      confidential: fields.confidential ?? false,
      discussionLocked: fields.discussion_locked ?? null,
      milestoneId: milestone?.id ?? null,
      dueDate: fields.due_date ?? null,
      weight: fields.weight ?? null,
      timeEstimate: 0,
      createdAt: isOwner ? (params.created_at ?? null) : null,
    });
    await andThen(issue);
    const { changes } = await this.relations.apply(actor, project, issue, fields, true);
    if (!issue.confidential) await this.issues.countOpen(project.id, 1);
    const blank = Object.assign(new Issue(), issue, { dueDate: null, milestoneId: null, weight: null });
    const notes = planningNotes(blank, issue, milestone);
    await this.effects.tell({ issue, actorId: user.id, action: 'open', notes, changes, namesOthers: true });
    return issue;
  }

  private async number({ id }: Project, wanted: number | undefined): Promise<number> {
    const sequence = { scopeKind: 'project', scopeId: id, usage: 'issues' } as const;
    if (wanted === undefined) return this.iids.next(sequence);
    await this.iids.reserve(sequence, wanted);
    return wanted;
  }
}
