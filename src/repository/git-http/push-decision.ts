import { atLeast, type Actor } from '#libs/access';
import { ZERO_SHA, type GitReader, type PushProposal, type RefUpdate } from '#libs/git';
import { MAY_NOT_REWRITE } from '../changes/rewritten-branches';
import type { Project } from '../projects/project.entity';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

interface Rules {
  readonly actor: Actor;
  readonly project: Project;
  readonly mayPush: (branch: string) => boolean;
  readonly isProtected: (branch: string) => boolean;
  /** False for who may do nothing but push to some branches. */
  readonly mayManageRefs: boolean;
}

const MAY_NOT_PUSH = 'You are not allowed to push code to this project.';

/** The sentence with which the first update that may not be is refused; null when all may. */
export async function refusalOf(rules: Rules, { updates, incoming }: PushProposal): Promise<string | null> {
  for (const update of updates) {
    const refusal = update.ref.startsWith(BRANCH)
      ? await branchRefusal(rules, update, incoming)
      : tagRefusal(rules, update);
    if (refusal !== null) return refusal;
  }
  return null;
}

async function branchRefusal(
  rules: Rules,
  { ref, oldSha, newSha }: RefUpdate,
  incoming: GitReader,
): Promise<string | null> {
  const branch = ref.slice(BRANCH.length);
  if (newSha === ZERO_SHA) return deletionRefusal(rules, branch);
  if (!rules.mayPush(branch))
    return rules.mayManageRefs
      ? 'You are not allowed to push code to protected branches on this project.'
      : MAY_NOT_PUSH;
  const isForced =
    oldSha !== ZERO_SHA && rules.isProtected(branch) && !(await incoming.isAncestor(oldSha, newSha));
  return isForced ? MAY_NOT_REWRITE : null;
}

function deletionRefusal({ project, isProtected, mayManageRefs }: Rules, branch: string): string | null {
  if (!mayManageRefs) return MAY_NOT_PUSH;
  if (branch === project.defaultBranch) return 'The default branch of a project cannot be deleted.';
  return isProtected(branch) ? 'You are not allowed to delete protected branches from this project.' : null;
}

/** Tags say what was released: whoever may push makes them, only maintainers move them. */
function tagRefusal(
  { actor, project, mayManageRefs }: Rules,
  { ref, oldSha, newSha }: RefUpdate,
): string | null {
  if (!mayManageRefs) return MAY_NOT_PUSH;
  const isMove = ref.startsWith(TAG) && oldSha !== ZERO_SHA && newSha !== ZERO_SHA;
  if (!isMove || atLeast('maintainer')(actor, project)) return null;
  return 'You are not allowed to change existing tags on this project.';
}
