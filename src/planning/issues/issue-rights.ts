import { atLeast, PROJECT_POLICY, type Actor } from '#libs/access';
import type { Project } from '../../repository/repository.api';
import type { Issue } from './issue.entity';

/** What somebody who reads an issue may do with it. */
export interface IssueRights {
  /** Words, confidentiality, open or closed: its author, its assignees, and reporters. */
  readonly mayUpdate: boolean;
  /** What sorts it: labels, assignees, milestone, dates, weight. */
  readonly mayAdminister: boolean;
  /** Its times and its number. */
  readonly mayBackdate: boolean;
}

export function issueRights(
  actor: Actor,
  project: Project,
  issue: Pick<Issue, 'authorId'>,
  assigneeIds: readonly number[],
): IssueRights {
  const { user } = actor;
  const takesPart = user !== null && (issue.authorId === user.id || assigneeIds.includes(user.id));
  const mayAdminister = PROJECT_POLICY.admin_issues(actor, project);
  return {
    mayUpdate: mayAdminister || (takesPart && PROJECT_POLICY.create_issues(actor, project)),
    mayAdminister,
    mayBackdate: mayBackdate(actor),
  };
}

/** Owners of the project or of its group, and administrators. */
export const mayBackdate = (actor: Actor): boolean => atLeast('owner')(actor, null);
