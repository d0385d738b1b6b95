import type { ActorUser } from '#libs/access';
import { Injectable } from '@nestjs/common';
import {
  HookEvent,
  HookRecords,
  type HookCall,
  type HookKindName,
  type Project,
} from '../../repository/repository.api';
import {
  issueChanged,
  type ChangedValue,
  type IssueChanged,
  type IssueChangeLog,
} from './issue-changed.event';
import { IssueHookRecords } from './issue-hook-records';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

/** Issues that are opened, changed, closed and reopened. */
@Injectable()
export class IssueHookEvent extends HookEvent<IssueChanged> {
  readonly type = issueChanged;
  readonly kinds = ['issue', 'confidential_issue'] as const;

  constructor(
    private readonly issues: IssuesRepository,
    private readonly issueRecords: IssueHookRecords,
    private readonly records: HookRecords,
  ) {
    super();
  }

  async calls(event: IssueChanged, project: Project): Promise<readonly HookCall[]> {
    const issue = await this.issues.findById(event.issueId);
    return issue ? [this.callFor(project, issue, event)] : [];
  }

  async sample(kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const issue = await this.issues.newest(project.id, kind === 'confidential_issue');
    if (!issue) return null;
    const { id: issueId, projectId } = issue;
    return this.callFor(project, issue, {
      projectId,
      issueId,
      actorId: user.id,
      action: 'open',
      changes: {},
    });
  }

  /** What was confidential at any side of the change is told to nobody who hears of open issues alone. */
  private callFor(project: Project, issue: Issue, event: IssueChanged): HookCall {
    const isConfidential = issue.confidential || 'confidential' in event.changes;
    return {
      kind: isConfidential ? 'confidential_issue' : 'issue',
      branch: null,
      body: () => this.body(project, issue, event, isConfidential),
    };
  }

  private async body(project: Project, issue: Issue, event: IssueChanged, isConfidential: boolean) {
    const labels = await this.issueRecords.labels(issue);
    const assignees = await this.issueRecords.assignees(issue);
    const attributes = await this.issueRecords.attributes(issue);
    const { name, url, description, homepage } = this.records.repository(project);
    return {
      object_kind: 'issue',
      event_type: isConfidential ? 'confidential_issue' : 'issue',
      user: await this.records.user(event.actorId),
      project: this.records.project(project),
      object_attributes: { ...attributes, action: event.action },
      labels,
      changes: await this.changes(event.changes),
      repository: { name, url, description, homepage },
      ...(assignees.length > 0 && { assignees, assignee: assignees[0] }),
    };
  }

  /** Assignees are kept by their ids, and shown as people. */
  private async changes({ assignees, ...others }: IssueChangeLog): Promise<IssueChangeLog> {
    if (!assignees) return others;
    return { ...others, assignees: await this.people(assignees) };
  }

  private async people({ previous, current }: ChangedValue): Promise<ChangedValue> {
    return {
      previous: await this.issueRecords.people(idsIn(previous)),
      current: await this.issueRecords.people(idsIn(current)),
    };
  }
}

const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id: unknown): id is number => typeof id === 'number') : [];
