import type { BusyPlace } from './busy-place';
import {
  type Operation,
  LABELS,
  TITLES,
  EMOJI,
  RECENT,
  any,
  labels,
  project,
  place,
  milestoneId,
  person,
  issuePath,
  changePath,
  epicPath,
  noteable,
  talkedAbout,
  words,
  keeping,
  on,
  told,
} from './random-choices';

export const openIssue: Operation = (worker, api) => {
  const parent = any(worker, worker.things.projects) ?? 0;
  return keeping(
    api.post(`/projects/${parent}/issues`, {
      title: 'Issue',
      description: words(worker),
      labels: labels(worker),
      confidential: worker.random(5) === 0,
      ...(worker.random(2) === 0 && { milestone_id: milestoneId(worker) }),
      ...(worker.random(2) === 0 && { assignee_ids: [person(worker)] }),
      ...(worker.random(4) === 0 && { epic_id: any(worker, worker.things.epics.slice(-RECENT))?.id ?? 0 }),
    }),
    ({ id, iid }) => worker.things.issues.push({ id, iid, parent }),
  );
};

export const changeIssue: Operation = (worker, api) =>
  on(issuePath(worker), (path) =>
    told(
      api.put(path, {
        title: worker.fresh('Issue'),
        ...(worker.random(2) === 0 && { labels: labels(worker) }),
        ...(worker.random(2) === 0 && { milestone_id: milestoneId(worker) }),
        ...(worker.random(3) === 0 && { state_event: any(worker, ['close', 'reopen']) }),
        ...(worker.random(3) === 0 && { confidential: worker.random(2) === 0 }),
        ...(worker.random(3) === 0 && { assignee_ids: [person(worker)] }),
        ...(worker.random(5) === 0 && { epic_id: any(worker, worker.things.epics.slice(-RECENT))?.id ?? 0 }),
        ...(worker.random(5) === 0 && { description: words(worker) }),
      }),
    ),
  );

export const moveIssue: Operation = (worker, api) => {
  const parent = any(worker, worker.things.projects) ?? 0;
  return on(issuePath(worker), (path) =>
    keeping(api.post(`${path}/move`, { to_project_id: parent }), ({ id, iid }) =>
      worker.things.issues.push({ id, iid, parent }),
    ),
  );
};

export const note: Operation = (worker, api) =>
  on(talkedAbout(worker), (path) =>
    keeping(
      api.post(`${path}/notes`, { body: worker.random(5) === 0 ? '/close' : words(worker) }),
      ({ id }) => worker.things.notes.push({ path: `${path}/notes/${id}` }),
    ),
  );

export const award: Operation = (worker, api) =>
  on(
    worker.random(3) === 0
      ? (any(worker, worker.things.notes.slice(-RECENT))?.path ?? null)
      : noteable(worker),
    (path) =>
      keeping(api.post(`${path}/award_emoji`, { name: any(worker, EMOJI) }), ({ id }) =>
        worker.things.awards.push({ path: `${path}/award_emoji/${id}` }),
      ),
  );

export const link: Operation = (worker, api) => {
  const other = any(worker, worker.things.issues);
  const target = { target_project_id: other?.parent, target_issue_iid: other?.iid };
  return on(issuePath(worker), (path) =>
    keeping(api.post(`${path}/links`, target), ({ id }) =>
      worker.things.links.push({ path: `${path}/links/${id}` }),
    ),
  );
};

export const removalOf =
  (list: (things: BusyPlace) => readonly { readonly path: string }[]): Operation =>
  (worker, api) =>
    on(any(worker, list(worker.things).slice(-RECENT))?.path ?? null, (path) => told(api.delete(path)));

export const openEpic: Operation = (worker, api) => {
  const parent = any(worker, worker.things.groups)?.id ?? 0;
  return keeping(
    api.post(`/groups/${parent}/epics`, {
      title: 'Epic',
      labels: labels(worker),
      description: words(worker),
    }),
    ({ id, iid }) => worker.things.epics.push({ id, iid, parent }),
  );
};

export const addToEpic: Operation = (worker, api) =>
  on(epicPath(worker), (path) =>
    told(api.post(`${path}/issues/${any(worker, worker.things.issues.slice(-RECENT))?.id ?? 0}`)),
  );

export const makeMilestone: Operation = (worker, api) => {
  const where = place(worker);
  return keeping(api.post(`${where}/milestones`, { title: any(worker, TITLES) }), ({ id }) =>
    worker.things.milestones.push({ id, place: where }),
  );
};

export const changeMilestone: Operation = (worker, api) => {
  const milestone = any(worker, worker.things.milestones.slice(-RECENT));
  if (!milestone) return null;
  const path = `${milestone.place}/milestones/${milestone.id}`;
  const kind = worker.random(4);
  if (kind === 0) return told(api.delete(path));
  if (kind === 1) return told(api.post(`${path}/promote`));
  return told(api.put(path, { state_event: any(worker, ['close', 'activate']), title: any(worker, TITLES) }));
};

export const changeLabel: Operation = (worker, api) => {
  const name = any(worker, LABELS);
  const kind = worker.random(5);
  const path = `${place(worker)}/labels`;
  if (kind === 0) return told(api.delete(path, { name }));
  if (kind === 1) return told(api.put(`${project(worker)}/labels/promote`, { name }));
  if (kind === 2) return told(api.put(path, { name, new_name: any(worker, LABELS) }));
  if (kind === 3) return told(api.post(`${path}/${name ?? ''}/subscribe`));
  return told(api.post(path, { name, color: '#ff0000' }));
};

export const remove: Operation = (worker, api) => on(noteable(worker), (path) => told(api.delete(path)));

export const follow: Operation = (worker, api) =>
  on(worker.random(2) === 0 ? issuePath(worker) : changePath(worker), (path) =>
    told(
      worker.random(2) === 0
        ? api.post(`${path}/${any(worker, ['subscribe', 'unsubscribe']) ?? ''}`)
        : api.post(`${path}/add_spent_time`, { duration: '1h' }),
    ),
  );
