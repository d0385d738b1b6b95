import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { ChangedValue } from './issue-changed.event';
import { assigneesNote } from './issue-notes';
import { AssignableUsersRepository, type AssignedIssue } from './assignable-users.repository';
import type { Issue } from './issue.entity';
import type { IssueFields } from './issue.params';
import { IssuesRepository } from './issues.repository';

export interface AssigneeChange {
  readonly note: ReturnType<typeof assigneesNote>;
  /** Ids of users. */
  readonly changes: Readonly<Record<'assignees', ChangedValue>>;
}

/** Gives issues to people who may read them. */
@Injectable()
export class IssueAssignment {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly assignable: AssignableUsersRepository,
    private readonly users: UserDirectory,
    private readonly license: License,
  ) {}

  /**
   * Who is to have the issue, of those that the parameters name: undefined where nothing is asked for, or nobody of them
   * may have it. Others than the first need a licence.
   */
  async wanted(params: IssueFields, issue: AssignedIssue): Promise<readonly number[] | undefined> {
    const given = idsOf(params);
    if (given === undefined) return undefined;
    const ids = [...new Set(given)].filter((id) => id !== 0);
    if (ids.length === 0) return [];
    const most = this.license.has('multiple_assignees') ? ids.length : 1;
    const chosen = await this.assignable.among(issue, ids.slice(0, most));
    return chosen.length === 0 ? undefined : chosen;
  }

  /** Call it in the transaction that holds the issue. Null where nothing changes. */
  async set(issue: Issue, userIds: readonly number[]): Promise<AssigneeChange | null> {
    const previous = (await this.issues.assigneesOf([issue.id])).get(issue.id) ?? [];
    const added = userIds.filter((id) => !previous.includes(id));
    const removed = previous.filter((id) => !userIds.includes(id));
    if (added.length === 0 && removed.length === 0) return null;
    await this.issues.assign(issue.id, userIds);
    const people = await this.users.byIds([...added, ...removed]);
    const names = (ids: readonly number[]) => ids.flatMap((id) => people.get(id)?.username ?? []);
    return {
      note: assigneesNote(names(added), names(removed)),
      changes: { assignees: { previous, current: userIds } },
    };
  }
}

function idsOf({ assignee_ids: ids, assignee_id: id }: IssueFields): readonly number[] | undefined {
  if (ids !== undefined) return ids ?? [];
  return id === undefined ? undefined : [id ?? 0];
}
