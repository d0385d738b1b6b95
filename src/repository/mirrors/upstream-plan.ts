import { isBranchName, isTagName, ZERO_SHA, type RefUpdate, type RemoteCopy, type Sha } from '#libs/git';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

export interface PlanRules {
  /** Whether the branch is to be mirrored at all. */
  readonly isMirrored: (branch: string) => boolean;
  readonly mayPush: (branch: string) => boolean;
  /** What our branch has and the other one lacks is let go of. */
  readonly overwrites: boolean;
  readonly isAncestor: (ancestor: Sha, descendant: Sha) => Promise<boolean>;
}

export interface UpstreamPlan {
  readonly updates: readonly RefUpdate[];
  /** A sentence for each branch that stays behind. */
  readonly problems: readonly string[];
}

/**
 * What is to be done here so that the upstream's branches and tags are here too. What only we have stays: branches and
 * tags that the upstream has deleted, and branches that went another way, unless those are to be overwritten.
 * @param local by full ref name.
 */
export async function planOf(
  local: ReadonlyMap<string, Sha>,
  upstream: RemoteCopy['refs'],
  rules: PlanRules,
): Promise<UpstreamPlan> {
  const updates: RefUpdate[] = [];
  const problems: string[] = [];
  const folders = foldersOf(local.keys());
  for (const { ref, sha } of upstream) {
    const oldSha = local.get(ref) ?? ZERO_SHA;
    if (oldSha === sha || !isOurs(ref, rules)) continue;
    const problem =
      oldSha === ZERO_SHA && isInTheWay(ref, local, folders)
        ? `${shortName(ref)} cannot be created because a ref of a similar name is in the way.`
        : await problemOf(ref, { oldSha, sha }, rules);
    if (problem === null) updates.push({ ref, oldSha, newSha: sha });
    else problems.push(problem);
  }
  return { updates, problems };
}

/** Names that we could not take are no more mirrored than branches that are not to be. */
function isOurs(ref: string, { isMirrored }: PlanRules): boolean {
  if (ref.startsWith(TAG)) return isTagName(ref.slice(TAG.length));
  const branch = ref.slice(BRANCH.length);
  return ref.startsWith(BRANCH) && isBranchName(branch) && isMirrored(branch);
}

async function problemOf(
  ref: string,
  { oldSha, sha }: { oldSha: Sha; sha: Sha },
  { mayPush, overwrites, isAncestor }: PlanRules,
): Promise<string | null> {
  if (ref.startsWith(TAG)) return null;
  const branch = ref.slice(BRANCH.length);
  if (!mayPush(branch)) return `The mirror user is not allowed to push to the ${branch} branch.`;
  if (oldSha === ZERO_SHA || overwrites || (await isAncestor(oldSha, sha))) return null;
  return `The ${branch} branch has diverged from its upstream counterpart and could not be updated automatically.`;
}

/** Refs are files of folders to git: where there is "a", there can be no "a/b". */
function isInTheWay(ref: string, local: ReadonlyMap<string, Sha>, folders: ReadonlySet<string>): boolean {
  return folders.has(ref) || parentsOf(ref).some((parent) => local.has(parent));
}

const foldersOf = (refs: Iterable<string>): Set<string> => new Set([...refs].flatMap(parentsOf));

function parentsOf(ref: string): string[] {
  const parts = ref.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '');
