import type { Response } from 'supertest';
import type { ApiClient } from '../../support/api-client';
import type { TestApplication } from '../../support/application';
import type { RunnerClient } from '../../support/runner-client';
import type { BusyPlace, Numbered } from './busy-place';

/** One of many who do anything to the shared things, at one of the nodes. */
export interface Worker {
  readonly app: TestApplication;
  readonly things: BusyPlace;
  readonly runner: RunnerClient;
  /** Below the bound, from the seed. */
  readonly random: (below: number) => number;
  /** A name that nothing had yet. */
  readonly fresh: (word: string) => string;
}

/** Answers null where there is nothing yet that could be worked on. */
export type Operation = (worker: Worker, api: ApiClient) => Promise<Response> | null;

export const LABELS = ['bug', 'feature', 'docs', 'urgent'];

export const TITLES = ['v1', 'v2', 'v3'];

export const EMOJI = ['thumbsup', 'heart', 'tada'];

/** Older things are mostly gone. */
export const RECENT = 12;

export const any = <T>({ random }: Worker, list: readonly T[]): T | undefined => list[random(list.length)];

export const labels = (worker: Worker): string =>
  [any(worker, LABELS), any(worker, LABELS), worker.random(20) === 0 ? worker.fresh('label') : ''].join(',');

export const project = (worker: Worker): string => `/projects/${any(worker, worker.things.projects) ?? 0}`;

export const group = (worker: Worker): string => `/groups/${any(worker, worker.things.groups)?.id ?? 0}`;

export const place = (worker: Worker): string => (worker.random(2) === 0 ? project(worker) : group(worker));

export const milestoneId = (worker: Worker): number =>
  any(worker, worker.things.milestones.slice(-RECENT))?.id ?? 0;

export const person = (worker: Worker): number =>
  any(worker, worker.random(3) === 0 ? worker.things.passing : worker.things.people)?.id ?? 0;

export const issuePath = (worker: Worker): string | null => pathTo(worker, 'issues', worker.things.issues);

export const changePath = (worker: Worker): string | null =>
  pathTo(worker, 'merge_requests', worker.things.mergeRequests);

export const epicPath = (worker: Worker): string | null =>
  pathTo(worker, 'epics', worker.things.epics, '/groups');

export function pathTo(
  worker: Worker,
  what: string,
  list: readonly Numbered[],
  above = '/projects',
): string | null {
  const thing = any(worker, list.slice(-RECENT));
  return thing ? `${above}/${thing.parent}/${what}/${thing.iid}` : null;
}

export const noteable = (worker: Worker): string | null =>
  [issuePath, issuePath, changePath, epicPath][worker.random(4)]?.(worker) ?? null;

/** Notes of epics go by the id, all else of them by the number. */
export const talkedAbout = (worker: Worker): string | null => {
  const epic = any(worker, worker.things.epics.slice(-RECENT));
  if (epic && worker.random(4) === 0) return `/groups/${epic.parent}/epics/${epic.id}`;
  return worker.random(2) === 0 ? issuePath(worker) : changePath(worker);
};

/** Somebody else's things, as a text names them. */
export const words = (worker: Worker): string => {
  const issue = any(worker, worker.things.issues.slice(-RECENT));
  const change = any(worker, worker.things.mergeRequests);
  const one = any(worker, worker.things.people);
  return `See #${issue?.iid ?? 1}, !${change?.iid ?? 1} and @${one?.username ?? 'root'}`;
};

export async function keeping(
  asked: PromiseLike<Response>,
  keep: (body: Response['body']) => void,
): Promise<Response> {
  const answer = await asked;
  if (answer.status === 201) keep(answer.body);
  return answer;
}

export const on = (
  path: string | null,
  ask: (path: string) => Promise<Response>,
): Promise<Response> | null => (path === null ? null : ask(path));

export const told = async (asked: PromiseLike<Response>): Promise<Response> => asked;
