import { badRequest } from '#libs/errors';
import { ZERO_SHA, type GitRepository, type RefUpdate } from '#libs/git';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';

/** To whoever takes commits away from a protected branch, by git or by the API. */
export const MAY_NOT_REWRITE =
  'You are not allowed to force push code to a protected branch on this project.';

/**
 * What has once been on a protected branch stays there, whoever may push to it: throws 400, as git pushes are refused.
 * Both commits are in the repository. Under its lock, with the rules as they are then.
 */
export async function requireKeptHistory(
  repository: Pick<GitRepository, 'isAncestor'>,
  rules: readonly ProtectedBranch[],
  branch: string,
  { oldSha, newSha }: Pick<RefUpdate, 'oldSha' | 'newSha'>,
): Promise<void> {
  const isProtected = oldSha !== ZERO_SHA && rules.some((rule) => rule.covers(branch));
  if (isProtected && !(await repository.isAncestor(oldSha, newSha))) throw badRequest(MAY_NOT_REWRITE);
}
