import { atLeast, type Actor } from '#libs/access';
import { ZERO_SHA, type GitReader, type PushProposal, type RefUpdate } from '#libs/git';
import type { Project } from '../projects/project.entity';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

interface Rules {
  readonly actor: Actor;
  readonly project: Project;
  readonly mayPush: (branch: string) => boolean;
  readonly isProtected: (branch: string) => boolean;
}

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
    return 'You are not allowed to push code to protected branches on this project.';
  const isForced =
    oldSha !== ZERO_SHA && rules.isProtected(branch) && !(await incoming.isAncestor(oldSha, newSha));
  return isForced ? 'You are not allowed to force push code to a protected branch on this project.' : null;
}

function deletionRefusal({ project, isProtected }: Rules, branch: string): string | null {
  if (branch === project.defaultBranch) return 'The default branch of a project cannot be deleted.';
  return isProtected(branch) ? 'You are not allowed to delete protected branches from this project.' : null;
}

/** Tags say what was released: whoever may push makes them, only maintainers move them. */
function tagRefusal({ actor, project }: Rules, { ref, oldSha, newSha }: RefUpdate): string | null {
  const isMove = ref.startsWith(TAG) && oldSha !== ZERO_SHA && newSha !== ZERO_SHA;
  if (!isMove || atLeast('maintainer')(actor, project)) return null;
  return 'You are not allowed to change existing tags on this project.';
}
