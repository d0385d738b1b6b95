import { type Worker, type Operation, any } from './random-choices';
import {
  commit,
  openChange,
  changeChange,
  merge,
  removeBranch,
  newPipeline,
  changePipeline,
  changeJob,
  takeJob,
  endJob,
  status,
} from './code-operations';
import { transfer, passPerson, passProject, passGroup, look } from './place-operations';
import {
  openIssue,
  changeIssue,
  moveIssue,
  note,
  award,
  link,
  removalOf,
  openEpic,
  addToEpic,
  makeMilestone,
  changeMilestone,
  changeLabel,
  remove,
  follow,
} from './planning-operations';

/** How often each of them comes, of all. */
const OPERATIONS: readonly (readonly [number, string, Operation])[] = [
  [8, 'open issue', openIssue],
  [12, 'change issue', changeIssue],
  [4, 'move issue', moveIssue],
  [10, 'note', note],
  [4, 'remove note', removalOf(({ notes }) => notes)],
  [6, 'award', award],
  [2, 'take award back', removalOf(({ awards }) => awards)],
  [4, 'link', link],
  [2, 'unlink', removalOf(({ links }) => links)],
  [5, 'commit', commit],
  [6, 'open merge request', openChange],
  [6, 'change merge request', changeChange],
  [6, 'merge', merge],
  [1, 'remove branch', removeBranch],
  [3, 'open epic', openEpic],
  [4, 'add to epic', addToEpic],
  [5, 'make milestone', makeMilestone],
  [5, 'change milestone', changeMilestone],
  [7, 'change label', changeLabel],
  [3, 'new pipeline', newPipeline],
  [3, 'change pipeline', changePipeline],
  [3, 'change job', changeJob],
  [4, 'take job', takeJob],
  [4, 'end job', endJob],
  [3, 'status', status],
  [5, 'transfer', transfer],
  [3, 'person', passPerson],
  [1, 'project', passProject],
  [1, 'group', passGroup],
  [3, 'remove', remove],
  [4, 'look', look],
  [3, 'follow', follow],
];

const WEIGHTED = OPERATIONS.flatMap(([weight, name, run]) =>
  Array.from({ length: weight }, () => ({ name, run })),
);

export interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly request: string;
  readonly body: string;
}

/** Does one thing, whichever; null where there was nothing to do it to. */
export async function anything(worker: Worker): Promise<Outcome | null> {
  const operation = any(worker, WEIGHTED);
  const who = any(worker, worker.things.people);
  if (!operation || !who) return null;
  const answer = await operation.run(
    worker,
    worker.app.as(worker.random(4) === 0 ? worker.things.root : who),
  );
  if (!answer) return null;
  const { status: code, request } = answer;
  return {
    name: operation.name,
    status: code,
    retryAfter: answer.get('retry-after'),
    request: `${request.method} ${new URL(request.url).pathname}`,
    body: code >= 500 ? answer.text : '',
  };
}
