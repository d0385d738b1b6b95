import type { MergeRequestToBuild } from '../../ci/ci.api';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** What its pipelines are told of a merge request; null for one that has no commit. */
export function buildOf(
  mergeRequest: MergeRequest,
  source: Project,
  target: Project,
): MergeRequestToBuild | null {
  const { id, iid, title, sourceBranch, targetBranch, headSha } = mergeRequest;
  if (headSha === null) return null;
  return {
    id,
    iid,
    title,
    sourceBranch,
    targetBranch,
    sourceProjectId: source.id,
    sourceProjectPath: source.fullPath,
    targetProjectId: target.id,
    targetProjectPath: target.fullPath,
    headSha,
  };
}
