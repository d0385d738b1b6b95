import { type Operation, any, project, keeping, told } from './random-choices';

export const transfer: Operation = (worker, api) => {
  const where = any(worker, worker.things.groups)?.id ?? 0;
  return told(api.put(`${project(worker)}/transfer`, { namespace: where }));
};

/** As root, who may: people who come and go, and what is theirs. */
export const passPerson: Operation = (worker) => {
  const { things, app, random } = worker;
  const root = app.as(things.root);
  const gone = random(2) === 0 ? things.passing.shift() : undefined;
  if (gone) return told(root.delete(`/users/${gone.id}${random(3) === 0 ? '?hard_delete=true' : ''}`));
  return (async () => {
    const passing = await app.build.user();
    const level = { user_id: passing.id, access_level: 30 };
    const answer = await root.post(`/projects/${any(worker, things.projects) ?? 0}/members`, level);
    things.passing.push(passing);
    return answer;
  })();
};

/** The oldest project goes when a new one has come. */
export const passProject: Operation = ({ things, fresh, app, random }, api) => {
  if (things.projects.length < 4)
    return (async () => {
      await things.addProject(api, random(1000));
      return api.get(`/projects?search=${fresh('none')}`);
    })();
  return told(app.as(things.root).delete(`/projects/${things.projects.shift() ?? 0}`));
};

export const passGroup: Operation = (worker, api) => {
  const { things, app } = worker;
  const parent = things.groups[0]?.id ?? 0;
  const removed = things.groups.length > 4 ? things.groups.pop() : undefined;
  if (removed) return told(app.as(things.root).delete(`/groups/${removed.id}`));
  const name = worker.fresh('group');
  return keeping(
    api.post('/groups', { name, path: name, parent_id: parent, visibility: 'public' }),
    ({ id, full_path }) => things.groups.push({ id, fullPath: full_path }),
  );
};

const LISTS = [
  'issues',
  'merge_requests',
  'labels',
  'milestones',
  'pipelines',
  'jobs',
  'members',
  'repository/branches',
];

/** Projects that went with their group are forgotten. */
export const look: Operation = async (worker, api) => {
  const { projects } = worker.things;
  const id = any(worker, projects) ?? 0;
  const list = any(worker, LISTS) ?? '';
  const answer = await api.get(`/projects/${id}/${list}?with_labels_details=true&with_counts=true`);
  if (answer.status === 404 && projects.includes(id)) projects.splice(projects.indexOf(id), 1);
  return answer;
};
