import { Level } from '#libs/access';
import { projectLevel } from '../../repository/repository.api';

/** Who looks; null where nobody is signed in. */
export interface IssueViewer {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly isExternal: boolean;
}

/** Makes a value a parameter of the statement, and answers how the statement calls it: "$3", ":viewer". */
export type Bind = (value: unknown) => string;

const LIVE = 'NOT readable_p.pending_delete AND NOT readable_n.pending_delete';

/**
 * SQL over a row of issues with that alias: the viewer may read it. One expression for the lists of others (milestones,
 * links, epics, cross-references); it looks the viewer's level up only where visibility alone does not decide.
 */
export function readableIssue(viewer: IssueViewer | null, bind: Bind, alias = 'issue'): string {
  return `EXISTS (
    SELECT 1 FROM projects readable_p JOIN namespaces readable_n ON readable_n.id = readable_p.namespace_id
    WHERE readable_p.id = ${alias}.project_id AND ${LIVE} AND ${rule(viewer, bind, alias)})`;
}

function rule(viewer: IssueViewer | null, bind: Bind, alias: string): string {
  if (viewer?.isAdmin) return `readable_p.issues_access <> 'disabled'`;
  const open = viewer && !viewer.isExternal ? `IN ('public', 'internal')` : `= 'public'`;
  const openToAll = `readable_p.visibility ${open} AND readable_p.issues_access = 'enabled'`;
  if (!viewer) return `${openToAll} AND NOT ${alias}.confidential`;
  const me = `${bind(viewer.id)}::bigint`;
  const level = projectLevel({
    user: me,
    project: 'readable_p.id',
    owner: 'readable_n.owner_id',
    traversal: 'readable_n.traversal_ids',
  });
  const isMine = takesPart(me, alias);
  return `(
    ${openToAll} AND (NOT ${alias}.confidential OR ${isMine})
    OR readable_p.issues_access <> 'disabled' AND ${level} >=
      CASE WHEN ${alias}.confidential AND NOT ${isMine} THEN ${Level.reporter} ELSE ${Level.guest} END)`;
}

/** SQL: the user (an SQL expression) wrote the issue, or it is assigned to them. */
export const takesPart = (user: string, alias: string): string => `(${alias}.author_id = ${user} OR EXISTS (
  SELECT 1 FROM issue_assignees mine WHERE mine.issue_id = ${alias}.id AND mine.user_id = ${user}))`;
