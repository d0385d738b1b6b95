import type { Commit, Sha } from '#libs/git';
import { titleOf } from '../../repository/repository.api';

const SHORT = 8;
const MOST_LISTED = 100;

/** A push to the source branch, as the discussion tells it. */
export interface AddedCommits {
  /** Those of the merge request itself, newest first. */
  readonly added: readonly Commit[];
  /** Those that came along because the target branch has them, newest first. */
  readonly merged: readonly Commit[];
  readonly targetBranch: string;
  /** Where the difference to the former version shows. */
  readonly comparison: string;
}

/** The reference's note about a push: how many commits, which ones, and a link to what they changed. */
export function addedCommitsNote({ added, merged, targetBranch, comparison }: AddedCommits): string {
  const count = added.length + merged.length;
  const lines = [
    ...(merged.length > 0
      ? [line(`${range(merged)} - ${plural(merged.length)} from branch`, targetBranch)]
      : []),
    ...added
      .toReversed()
      .slice(-MOST_LISTED)
      .map((commit) => line(`${short(commit.sha)} - ${titleOf(commit)}`)),
  ];
  return `added ${plural(count)}\n\n<ul>${lines.join('')}</ul>\n\n[Compare with previous version](${comparison})`;
}

const plural = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`);
const short = (sha: Sha): string => sha.slice(0, SHORT);

function range(commits: readonly Commit[]): string {
  const [newest] = commits;
  const oldest = commits.at(-1);
  if (!newest || !oldest) return '';
  return newest === oldest ? short(newest.sha) : `${short(oldest.sha)}...${short(newest.sha)}`;
}

const line = (text: string, branch?: string): string =>
  `<li>${escaped(text)}${branch === undefined ? '' : ` <code>${escaped(branch)}</code>`}</li>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The note is HTML in part, and titles are anybody's. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
