import type { Bind } from '../../planning/planning.api';
import type { SearchPlace } from './merge-request-search';

const inIds = (column: string, ids: string): string => `${column} = ANY(ARRAY(${ids}))`;

/** SQL over a row `mr`: it is in the place. */
export function placeCondition(place: SearchPlace, bind: Bind): string {
  switch (place.kind) {
    case 'everywhere':
      return 'true';
    case 'project':
      return `mr.project_id = ${bind(place.id)}::bigint`;
    case 'group':
      return inIds('mr.project_id', projectsInside(bind(place.id)));
    case 'milestone':
      return `mr.milestone_id = ${bind(place.id)}::bigint`;
    case 'commit':
      return ofCommit(`${bind(place.projectId)}::bigint`, `${bind(place.sha)}::text`);
    case 'closing':
      return inIds('mr.id', closing(bind(place.issueId)));
    case 'related':
      return inIds('mr.id', related(bind(place.issueId)));
  }
}

const projectsInside = (groupId: string): string => `
  SELECT inside_p.id FROM projects inside_p JOIN namespaces inside_n ON inside_n.id = inside_p.namespace_id
  WHERE inside_n.traversal_ids @> ARRAY[${groupId}::bigint]`;

const ofCommit = (projectId: string, sha: string): string =>
  `mr.project_id = ${projectId} AND ${inIds(
    'mr.id',
    `SELECT held.merge_request_id FROM merge_request_commits held WHERE held.sha = ${sha}
   UNION SELECT merged.id FROM merge_requests merged
   WHERE merged.project_id = ${projectId} AND merged.merge_commit_sha = ${sha}`,
  )}`;

const closing = (issueId: string): string =>
  `SELECT c.merge_request_id FROM merge_request_closing_issues c WHERE c.issue_id = ${issueId}::bigint`;

/** Whatever names something leaves a note there: so both ways can be told. */
const related = (issueId: string): string => `
  SELECT n.from_merge_request_id FROM notes n
  WHERE n.issue_id = ${issueId}::bigint AND n.from_merge_request_id IS NOT NULL
  UNION SELECT n.merge_request_id FROM notes n
  WHERE n.from_issue_id = ${issueId}::bigint AND n.merge_request_id IS NOT NULL
  UNION ${closing(issueId)}`;
