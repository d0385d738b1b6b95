import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { commitByApi, commitByPush, type Ledger } from './committing';
import { remoteUrl, type GitClone } from './git-client';
import type { NodeClient } from './node-client';
import type { ServiceNode } from './site';

const PAUSE_MS = 50;
const PACKING_EVERY_MS = 700;

/** What was acknowledged of the work on one project, over several lives of a server. */
export interface Works {
  readonly projectId: number;
  readonly fullPath: string;
  readonly ledger: Ledger;
  /** Ids of further projects that were acknowledged. */
  readonly projects: number[];
}

/** All that writes, at once, until told to stop: commits, pushes, branches and tags that come and go, new projects, packing. */
export async function workHard(
  { api, url }: ServiceNode,
  rows: Client,
  works: Works,
  clone: GitClone,
  round: number,
  stop: AbortSignal,
): Promise<void> {
  const { projectId, ledger } = works;
  const remote = remoteUrl(url, works.fullPath);
  const by = (name: string, branch: string) => ({ projectId, branch, name: `${name}-${round}` });
  await Promise.all([
    commitByApi(api, by('first', 'master'), ledger, stop),
    commitByApi(api, by('second', 'master'), ledger, stop),
    commitByApi(api, by('topic', 'topic'), ledger, stop),
    commitByPush(clone, remote, by('pusher', 'pushed'), ledger, stop),
    comeAndGo(api, projectId, round, stop),
    makeProjects(api, works, round, stop),
    pack(rows, projectId, stop),
  ]);
}

/** Ends when the connection breaks, which is what the test is about. */
async function repeat(stop: AbortSignal, step: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; !stop.aborted; count += 1) {
    try {
      await step(count);
    } catch {
      return;
    }
    await sleep(PAUSE_MS);
  }
}

const comeAndGo = (api: NodeClient, projectId: number, round: number, stop: AbortSignal): Promise<void> =>
  repeat(stop, async (count) => {
    const base = `/projects/${projectId}/repository`;
    const name = `passing-${round}-${count}`;
    await api.post(`${base}/branches`, { branch: name, ref: 'master' });
    await api.post(`${base}/tags`, { tag_name: name, ref: 'master' });
    await api.delete(`${base}/branches/${name}`);
    if (count % 2 === 0) await api.delete(`${base}/tags/${name}`);
  });

const makeProjects = (api: NodeClient, works: Works, round: number, stop: AbortSignal): Promise<void> =>
  repeat(stop, async (count) => {
    const body = { path: `made-${round}-${count}`, initialize_with_readme: true };
    const made = await api.post('/projects', body);
    if (made.status === 201) works.projects.push(made.body.id);
  });

/** The next write is the one after which the repository is packed. */
const pack = (rows: Client, projectId: number, stop: AbortSignal): Promise<void> =>
  repeat(stop, async () => {
    await rows.query('UPDATE projects SET writes_since_maintenance = 199 WHERE id = $1', [projectId]);
    await sleep(PACKING_EVERY_MS, undefined, { signal: stop });
  });
