import type { Commit } from '#libs/git';
import { titleOf } from '../../repository/repository.api';

/** What a merge commit's message tells. */
export interface ToldMerge {
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly title: string;
  /** Issues that it closes, as the target project names them: "#1", "group/other#2". */
  readonly closes: readonly string[];
  /** "group/project!1" */
  readonly reference: string;
}

/** Messages that nobody has written. */
export function mergeCommitMessage({
  sourceBranch,
  targetBranch,
  title,
  closes,
  reference,
}: ToldMerge): string {
  return [
    `Merge branch '${sourceBranch}' into '${targetBranch}'`,
    title,
    ...(closes.length > 0 ? [`Closes ${sentenceOf(closes)}`] : []),
    `See merge request ${reference}`,
  ].join('\n\n');
}

/**
 * The message of a squashed change: that of its oldest commit, merges aside, which has more than a title; else the title
 * of the merge request. `commits` are newest first.
 */
export function squashCommitMessage(commits: readonly Commit[], title: string): string {
  const telling = commits.filter((commit) => commit.parents.length < 2 && hasDescription(commit)).at(-1);
  return telling?.message ?? title;
}

/** "#1", "#1 and #2", "#1, #2, and #3" */
function sentenceOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  const others = words.slice(0, -1);
  if (others.length === 0) return last;
  return others.length === 1 ? `${others.join('')} and ${last}` : `${others.join(', ')}, and ${last}`;
}

const hasDescription = (commit: Commit): boolean =>
  commit.message.trimStart().slice(titleOf(commit).length).trim() !== '';
