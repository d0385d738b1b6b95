import type { Commit, Sha } from '#libs/git';

type Linked = Pick<Commit, 'sha' | 'parents'>;

/**
 * By which commit of the branch's own line each of the new commits came to it: the merge that brought it in, or the
 * commit itself where it was pushed as it is. `commits` are all new ones, `tip` is where the branch stands now.
 */
export function arrivals(commits: readonly Linked[], tip: Sha): ReadonlyMap<Sha, Sha> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const line: Linked[] = [];
  for (let next = bySha.get(tip); next; next = bySha.get(next.parents[0] ?? '')) line.unshift(next);
  const arrived = new Map<Sha, Sha>();
  for (const { sha } of line) {
    const open = [sha];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const commit = bySha.get(at);
      if (!commit || arrived.has(at)) continue;
      arrived.set(at, sha);
      open.push(...commit.parents);
    }
  }
  return arrived;
}
