import { Level } from '#libs/access';
import type { Bind, IssueViewer } from '../../planning/planning.api';
import { memberProjects, projectLevel } from '../../repository/repository.api';

/** Who looks; null where nobody is signed in. */
export type MergeRequestViewer = IssueViewer;

/** Merge requests show code, so that they are for nobody whom the code is not for. */
const forAll = (p: string): string =>
  `${p}.merge_requests_access = 'enabled' AND ${p}.repository_access = 'enabled'`;
const forMembers = (p: string): string =>
  `${p}.merge_requests_access <> 'disabled' AND ${p}.repository_access <> 'disabled'`;
const FOR_ALL = forAll('target_p');
const FOR_MEMBERS = forMembers('target_p');
const LIVE = 'NOT target_p.pending_delete AND NOT target_n.pending_delete';

/**
 * SQL over a row of merge requests with that alias: the viewer may read it, as `read_merge_requests` has it. It looks the
 * viewer's level up only where visibility alone does not decide.
 */
export function readableMergeRequest(viewer: MergeRequestViewer | null, bind: Bind, alias = 'mr'): string {
  return `EXISTS (
    SELECT 1 FROM projects target_p JOIN namespaces target_n ON target_n.id = target_p.namespace_id
    WHERE target_p.id = ${alias}.project_id AND ${LIVE} AND ${rule(viewer, bind)})`;
}

function rule(viewer: MergeRequestViewer | null, bind: Bind): string {
  if (viewer?.isAdmin) return FOR_MEMBERS;
  const open = `target_p.visibility ${viewer && !viewer.isExternal ? `IN ('public', 'internal')` : `= 'public'`}`;
  const openToAll = `${open} AND ${FOR_ALL}`;
  if (!viewer) return openToAll;
  const level = projectLevel({
    user: `${bind(viewer.id)}::bigint`,
    project: 'target_p.id',
    owner: 'target_n.owner_id',
    traversal: 'target_n.traversal_ids',
  });
  // Guests see those of a project that others see too, and none of one that is closed to others.
  return `(${openToAll} OR ${FOR_MEMBERS}
    AND ${level} >= CASE WHEN ${open} THEN ${Level.guest} ELSE ${Level.reporter} END)`;
}

/** The same for lists across projects, as conditions and what they need in a WITH clause. */
export function readableAcross(viewer: MergeRequestViewer | null, bind: Bind) {
  const among = (condition: string): string => `mr.project_id IN (
    SELECT target_p.id FROM projects target_p JOIN namespaces target_n ON target_n.id = target_p.namespace_id
    WHERE ${LIVE} AND ${condition})`;
  if (!viewer || viewer.isAdmin) return { withs: [], conditions: [among(rule(viewer, bind))] };
  const hasLevel = (level: number): string =>
    `target_p.id IN (SELECT member.id FROM member_project member WHERE member.level >= ${level})`;
  return {
    withs: [memberProjects(`${bind(viewer.id)}::bigint`)],
    conditions: [among(`(${ruleOfLevels(viewer, 'target_p', hasLevel)})`)],
  };
}

/** SQL over the project `p` and the viewer's `level` there, as FewProjectsRepository takes it. */
export const readableOfLevel = (viewer: MergeRequestViewer | null): string =>
  ruleOfLevels(viewer, 'p', (level) => `level >= ${level}`);

function ruleOfLevels(
  viewer: MergeRequestViewer | null,
  p: string,
  hasLevel: (level: number) => string,
): string {
  const open = `${p}.visibility ${viewer && !viewer.isExternal ? `IN ('public', 'internal')` : `= 'public'`}`;
  return `${open} AND ${forAll(p)} OR ${forMembers(p)} AND (
    ${hasLevel(Level.reporter)} OR ${open} AND ${hasLevel(Level.guest)})`;
}
