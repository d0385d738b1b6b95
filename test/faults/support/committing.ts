import { setTimeout as sleep } from 'node:timers/promises';
import type { GitClone } from './git-client';
import type { NodeClient } from './node-client';

/** A commit that somebody was told is on a branch. */
export interface Acknowledged {
  readonly branch: string;
  readonly sha: string;
}

/** Everything that was acknowledged, and how often something was refused or broke off. */
export class Ledger {
  readonly acknowledged: Acknowledged[] = [];
  readonly refusals: string[] = [];

  enter(branch: string, sha: string): void {
    this.acknowledged.push({ branch, sha });
  }

  on(branch: string): string[] {
    return this.acknowledged.filter((entry) => entry.branch === branch).map(({ sha }) => sha);
  }

  get branches(): string[] {
    return [...new Set(this.acknowledged.map(({ branch }) => branch))];
  }
}

export interface Assignment {
  readonly projectId: number;
  readonly branch: string;
  /** Folder of the files that are committed: of nobody else. */
  readonly name: string;
}

const PAUSE_AFTER_FAILURE_MS = 100;

/** Commits new files through the API, one after another, until told to stop. A broken connection is no end. */
export async function commitByApi(
  api: NodeClient,
  { projectId, branch, name }: Assignment,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<void> {
  for (let count = 0; !stop.aborted; count += 1) {
    const file = `${name}/${count}.txt`;
    try {
      const { status, body } = await api.post(`/projects/${projectId}/repository/commits`, {
        branch,
        commit_message: `Add ${file}`,
        actions: [{ action: 'create', file_path: file, content: `${name} ${count}\n` }],
      });
      if (status === 201) ledger.enter(branch, body.id);
      else ledger.refusals.push(`${branch}: ${status} ${JSON.stringify(body)}`);
    } catch (error) {
      ledger.refusals.push(`${branch}: ${String(error)}`);
      await sleep(PAUSE_AFTER_FAILURE_MS);
    }
  }
}

/** Commits in a clone and pushes, on top of what others have done meanwhile, until told to stop. */
export async function commitByPush(
  clone: GitClone,
  remote: string,
  { branch, name }: Assignment,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<void> {
  for (let count = 0; !stop.aborted; count += 1) {
    await clone.commit(`${name}/${count}.txt`, `${name} ${count}\n`);
    await pushOnTop(clone, remote, branch, ledger, stop);
  }
}

async function pushOnTop(
  clone: GitClone,
  remote: string,
  branch: string,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    if (await clone.push(remote, `HEAD:refs/heads/${branch}`)) {
      ledger.enter(branch, await clone.git('rev-parse', 'HEAD'));
      return;
    }
    ledger.refusals.push(`${branch}: push`);
    await clone.git('pull', '--quiet', '--rebase', remote, branch).catch(() => sleep(PAUSE_AFTER_FAILURE_MS));
  }
}
