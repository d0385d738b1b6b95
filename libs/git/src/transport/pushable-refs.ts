import { type PushRefusal, type RefUpdate, ZERO_SHA } from '../git';
import { isBranchName, isFullRef, isTagName } from '../names';
import type { HookQuestion } from './hook-question';

const MOST_NAMED = 10;

/**
 * The engine's own rule: a push moves branches and tags with well-formed names and nothing else.
 * What an import left under a bad name may still be deleted.
 */
export function refuseUnpushableRefs(
  question: Pick<HookQuestion, 'updates' | 'unreadableRefs'>,
  mostRefs: number,
): PushRefusal | null {
  const { updates, unreadableRefs } = question;
  if (updates.length + unreadableRefs.length > mostRefs) {
    return { message: `A push may update at most ${mostRefs} refs. Push in several steps.` };
  }
  const complaints = [
    ...unreadableRefs.map((ref) => `${ref}: the name is not valid UTF-8`),
    ...updates.flatMap((update) => complaintAbout(update) ?? []),
  ];
  return complaints.length === 0 ? null : { message: message(complaints) };
}

function complaintAbout({ ref, newSha }: RefUpdate): string | undefined {
  const isBranch = ref.startsWith('refs/heads/');
  if (!isBranch && !ref.startsWith('refs/tags/')) return `${ref}: only branches and tags can be pushed`;
  if (newSha === ZERO_SHA) return isFullRef(ref) ? undefined : `${ref}: the name is not allowed`;
  const name = ref.slice(isBranch ? 'refs/heads/'.length : 'refs/tags/'.length);
  if (isBranch) return isBranchName(name) ? undefined : `${ref}: the branch name is not allowed`;
  return isTagName(name) ? undefined : `${ref}: the tag name is not allowed`;
}

function message(complaints: readonly string[]): string {
  const named = complaints.slice(0, MOST_NAMED);
  const others = complaints.length - named.length;
  return ['The push was refused:', ...named, ...(others > 0 ? [`and ${others} more`] : [])].join('\n');
}
