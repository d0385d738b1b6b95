import { Urls } from '#libs/presenting';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { HookRecords } from '../../repository/repository.api';
import { humanDuration } from '../issuables/duration';
import { Labelling } from '../labels/labelling.service';
import { labelJson } from './issue-relations.service';
import { issueUrl } from './issue.presenter';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

/** What receivers of different kinds of calls are told of an issue, in the same words. */
@Injectable()
export class IssueHookRecords {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly labelling: Labelling,
    private readonly records: HookRecords,
    private readonly urls: Urls,
    private readonly license: License,
  ) {}

  /** The reference's `object_attributes`, without an action. */
  async attributes(issue: Issue) {
    const assigneeIds = await this.assigneeIds(issue);
    const path = (await this.issues.pathsOf([issue.projectId])).get(issue.projectId) ?? '';
    return {
      assignee_id: assigneeIds[0] ?? null,
      author_id: issue.authorId,
      closed_at: momentOf(issue.closedAt),
      confidential: issue.confidential,
      created_at: momentOf(issue.createdAt),
      description: issue.description,
      discussion_locked: issue.discussionLocked,
      due_date: issue.dueDate,
      id: issue.id,
      iid: issue.iid,
      last_edited_at: momentOf(issue.lastEditedAt),
      last_edited_by_id: issue.lastEditedAt && issue.updatedById,
      milestone_id: issue.milestoneId,
      moved_to_id: issue.movedToId,
      duplicated_to_id: null,
      project_id: issue.projectId,
      relative_position: null,
      state: issue.state,
      time_estimate: issue.timeEstimate,
      title: issue.title,
      updated_at: momentOf(issue.updatedAt),
      updated_by_id: issue.updatedById,
      ...(this.license.has('issue_weights') && { weight: issue.weight }),
      url: issueUrl(this.urls, path, issue),
      total_time_spent: issue.totalTimeSpent,
      human_total_time_spent: humanDuration(issue.totalTimeSpent),
      human_time_estimate: humanDuration(issue.timeEstimate),
      assignee_ids: assigneeIds,
    };
  }

  async labels(issue: Issue) {
    return (await this.labelling.of({ kind: 'Issue', id: issue.id })).map(labelJson);
  }

  async assignees(issue: Issue) {
    return this.people(await this.assigneeIds(issue));
  }

  /** Those who are gone are left out. */
  async people(ids: readonly number[]) {
    const people = [];
    for (const id of ids) people.push(await this.records.user(id));
    return people.filter((person) => person !== null);
  }

  private async assigneeIds({ id }: Issue): Promise<readonly number[]> {
    return (await this.issues.assigneesOf([id])).get(id) ?? [];
  }
}

const momentOf = (time: Date | null): string | null => time?.toISOString() ?? null;
