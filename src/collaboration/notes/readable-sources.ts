import { Level } from '#libs/access';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { readableIssue, type Bind, type IssueViewer } from '../../planning/planning.api';
import { projectLevel } from '../../repository/repository.api';
import { readableMergeRequest } from '../merge-requests/readable-merge-requests';

/** Somebody who reads or writes notes, for which one has to be signed in. */
export type Viewer = IssueViewer;

/** SQL over a row of notes with that alias: the viewer may see where it comes from, if it comes from elsewhere. */
export function readableSource(viewer: Viewer, bind: Bind, alias = 'note'): string {
  if (viewer.isAdmin) return 'true';
  const one = (table: string, column: string, condition: string): string => `
    WHEN ${alias}.${column} IS NOT NULL THEN EXISTS (
      SELECT 1 FROM ${table} source WHERE source.id = ${alias}.${column} AND ${condition})`;
  return `(${alias}.from_key IS NULL OR CASE
    ${one('issues', 'from_issue_id', readableIssue(viewer, bind, 'source'))}
    ${one('merge_requests', 'from_merge_request_id', readableMergeRequest(viewer, bind, 'source'))}
    ${one('snippets', 'from_snippet_id', readableSnippet(viewer, bind, 'source'))}
    ${one('epics', 'from_epic_id', readableEpic(viewer, bind, 'source'))}
    WHEN ${alias}.from_commit_sha IS NOT NULL THEN ${readableCode(viewer, bind, `${alias}.from_project_id`)}
    ELSE false END)`;
}

/** SQL over the id of a project: the viewer may read its code. */
const readableCode = (viewer: Viewer, bind: Bind, project: string): string =>
  readablePart(viewer, bind, { project, feature: 'repository_access', needs: 'reporter' });

/** SQL over a row of snippets: the viewer may read it. */
export function readableSnippet(viewer: Viewer, bind: Bind, alias: string): string {
  if (viewer.isAdmin) return 'true';
  const isMine = `${alias}.author_id = ${bind(viewer.id)}::bigint`;
  const isOpen = `${alias}.visibility ${open(viewer)}`;
  const part = { project: `${alias}.project_id`, feature: 'snippets_access', needs: 'guest' } as const;
  return `CASE WHEN ${alias}.project_id IS NULL THEN (${isOpen} OR ${isMine})
    ELSE ${readablePart(viewer, bind, part)} AND (
      ${isOpen} OR ${isMine} OR ${readablePart(viewer, bind, { ...part, membersOnly: true })}) END`;
}

/** SQL over a row of epics: the viewer may read its group, by its visibility or as a member. */
export function readableEpic(viewer: Viewer, bind: Bind, alias: string): string {
  if (viewer.isAdmin) return 'true';
  return `EXISTS (
    SELECT 1 FROM namespaces epic_n WHERE epic_n.id = ${alias}.group_id AND NOT epic_n.pending_delete AND (
      epic_n.visibility ${open(viewer)} OR EXISTS (
        SELECT 1 FROM members m WHERE m.source_kind = 'namespace' AND m.source_id = ANY(epic_n.traversal_ids)
          AND m.user_id = ${bind(viewer.id)}::bigint AND ${LIVE_MEMBER})))`;
}

interface Part {
  /** SQL of the project's id. */
  readonly project: string;
  /** The column that tells whom the part is for. */
  readonly feature: 'repository_access' | 'snippets_access';
  /** The least level in a project that is not open to the viewer. */
  readonly needs: 'guest' | 'reporter';
  readonly membersOnly?: boolean;
}

/** SQL: the viewer may see that part of a project. */
function readablePart(
  viewer: Viewer,
  bind: Bind,
  { project, feature, needs, membersOnly = false }: Part,
): string {
  const access = `part_p.${feature}`;
  const isOpen = `part_p.visibility ${open(viewer)}`;
  const level = projectLevel({
    user: `${bind(viewer.id)}::bigint`,
    project: 'part_p.id',
    owner: 'part_n.owner_id',
    traversal: 'part_n.traversal_ids',
  });
  const byLevel = `${access} <> 'disabled' AND ${level} >=
    CASE WHEN ${isOpen} THEN ${Level.guest} ELSE ${Level[needs]} END`;
  const rule = membersOnly ? byLevel : `${isOpen} AND ${access} = 'enabled' OR ${byLevel}`;
  return `EXISTS (
    SELECT 1 FROM projects part_p JOIN namespaces part_n ON part_n.id = part_p.namespace_id
    WHERE part_p.id = ${project} AND NOT part_p.pending_delete AND NOT part_n.pending_delete
      AND ${viewer.isAdmin ? `${access} <> 'disabled'` : `(${rule})`})`;
}

const open = ({ isExternal }: Viewer): string => (isExternal ? `= 'public'` : `IN ('public', 'internal')`);
