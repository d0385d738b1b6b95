import type { Commit, Sha } from '../git';
import { required, type ObjectReader } from './object-reader';

/**
 * The first `count` commits reachable from `from`, newest commit date first, as `git rev-list` orders them: commits
 * of equal dates in the order in which they were reached. For the first pages of a history this beats starting a
 * process; the objects are read (and cached) anyway.
 */
export async function recentCommits(objects: ObjectReader, from: Sha, count: number): Promise<Commit[]> {
  const seen = new Set([from]);
  const queue = [required(await objects.commit(from), from)];
  const found: Commit[] = [];
  while (found.length < count) {
    const next = queue.shift();
    if (next === undefined) break;
    found.push(next);
    const fresh = next.parents.filter((parent) => !seen.has(parent));
    for (const parent of fresh) seen.add(parent);
    const parents = await Promise.all(fresh.map((parent) => objects.commit(parent)));
    parents.forEach((parent, index) => insertByDate(queue, required(parent, fresh[index] ?? '')));
  }
  return found;
}

function insertByDate(queue: Commit[], commit: Commit): void {
  const position = queue.findIndex((other) => other.committer.time < commit.committer.time);
  queue.splice(position < 0 ? queue.length : position, 0, commit);
}
