import { ZERO_SHA, type RefUpdate } from '#libs/git';
import type { ActiveRule } from './active-rule';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

/**
 * The sentence with which the rule refuses a move of a branch or tag; null where it lets it be. The default branch may
 * have any name, and so may the first ones of an empty repository, of which one becomes it.
 */
export function refRefusal(
  rule: ActiveRule,
  { ref, newSha }: RefUpdate,
  defaultBranch: string | null,
): string | null {
  const isDeletion = newSha === ZERO_SHA;
  if (ref.startsWith(TAG)) return isDeletion && rule.deniesTagDeletion ? 'You cannot delete a tag' : null;
  const branch = ref.slice(BRANCH.length);
  if (isDeletion || rule.branchName === null || defaultBranch === null || branch === defaultBranch)
    return null;
  return rule.branchName.fits(branch)
    ? null
    : `Branch name does not follow the pattern '${rule.branchName.source}'`;
}
