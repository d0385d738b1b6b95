import { GitFixture } from '#libs/testing';
import type { Client } from 'pg';

export const ZERO = '0'.repeat(40);

interface Update {
  readonly ref: string;
  readonly oldSha: string;
  readonly newSha: string;
}

/** Full names of the refs with what they point to, as git itself lists them. */
export async function refsOf(repositoryPath: string): Promise<Map<string, string>> {
  const lines = await GitFixture.on(repositoryPath).git('for-each-ref', '--format=%(objectname) %(refname)');
  return new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(41), line.slice(0, 40)]),
  );
}

/** Commits of a branch, newest first. */
export async function commitsOf(repositoryPath: string, branch: string): Promise<string[]> {
  return (await GitFixture.on(repositoryPath).git('rev-list', `refs/heads/${branch}`)).split('\n');
}

/** Who has written the commits of a branch. */
export async function authorsOf(repositoryPath: string, branch: string): Promise<Set<string>> {
  const names = await GitFixture.on(repositoryPath).git('log', '--format=%an', `refs/heads/${branch}`);
  return new Set(names.split('\n'));
}

/** What git's own check finds wrong with a repository: nothing, but for objects that nothing reaches. */
export async function complaintsAbout(repositoryPath: string): Promise<string[]> {
  const output = await GitFixture.on(repositoryPath).git('fsck', '--full', '--strict', '--no-progress');
  return output.split('\n').filter((line) => line !== '' && !line.startsWith('dangling '));
}

/** Moves of refs that were told as events, in order. */
export async function toldUpdates(rows: Client, projectId: number): Promise<Update[]> {
  const { rows: events } = await rows.query<{ updates: Update[] }>(
    `SELECT payload -> 'updates' AS updates FROM outbox_events
     WHERE name = 'repository.refs_updated' AND (payload ->> 'projectId')::bigint = $1 ORDER BY id`,
    [projectId],
  );
  return events.flatMap(({ updates }) => updates);
}

/** The same for moves that were told late, hence out of order. Each may be told once. */
export function endOfUnorderedChain(updates: readonly Update[], ref: string): string {
  const moves = updates.filter((update) => update.ref === ref);
  const next = new Map(moves.map(({ oldSha, newSha }) => [oldSha, newSha]));
  if (next.size !== moves.length) throw new Error(`a move of ${ref} was told twice`);
  let at = ZERO;
  for (let to = next.get(at); to !== undefined; to = next.get(at)) at = to;
  return at;
}

/** Where the told moves of a ref lead when each begins where the one before ended; throws where they do not. */
export function endOfChain(updates: readonly Update[], ref: string): string {
  let at = ZERO;
  for (const update of updates) {
    if (update.ref !== ref) continue;
    if (update.oldSha !== at)
      throw new Error(`${ref} was told to move from ${update.oldSha} but stood at ${at}`);
    at = update.newSha;
  }
  return at;
}
