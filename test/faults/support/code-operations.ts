import {
  type Operation,
  RECENT,
  any,
  labels,
  project,
  milestoneId,
  person,
  changePath,
  pathTo,
  words,
  keeping,
  on,
  told,
} from './random-choices';

/** A commit that closes an issue, on a branch of its own or right on master. */
export const commit: Operation = (worker, api) => {
  const parent = any(worker, worker.things.projects) ?? 0;
  const name = worker.random(4) === 0 ? 'master' : worker.fresh('branch');
  const closes = any(worker, worker.things.issues.slice(-RECENT))?.iid ?? 1;
  return keeping(
    api.post(`/projects/${parent}/repository/commits`, {
      branch: name,
      ...(name !== 'master' && { start_branch: 'master' }),
      commit_message: `Change\n\nCloses #${closes}`,
      actions: [{ action: 'create', file_path: worker.fresh('file'), content: 'text\n' }],
    }),
    () => worker.things.branches.push({ parent, name }),
  );
};

export const openChange: Operation = (worker, api) => {
  const branch = any(worker, worker.things.branches.slice(-RECENT));
  if (!branch) return null;
  const { parent, name } = branch;
  return keeping(
    api.post(`/projects/${parent}/merge_requests`, {
      source_branch: name,
      target_branch: 'master',
      title: 'Change',
      description: `Closes #${any(worker, worker.things.issues.slice(-RECENT))?.iid ?? 1}. ${words(worker)}`,
      labels: labels(worker),
      milestone_id: milestoneId(worker),
      assignee_id: person(worker),
    }),
    ({ id, iid }) => worker.things.mergeRequests.push({ id, iid, parent }),
  );
};

export const changeChange: Operation = (worker, api) =>
  on(changePath(worker), (path) =>
    told(
      api.put(path, {
        title: worker.fresh('Change'),
        ...(worker.random(2) === 0 && { labels: labels(worker) }),
        ...(worker.random(2) === 0 && { milestone_id: milestoneId(worker) }),
        ...(worker.random(3) === 0 && { state_event: any(worker, ['close', 'reopen']) }),
        ...(worker.random(3) === 0 && { assignee_id: person(worker) }),
        ...(worker.random(4) === 0 && { description: words(worker) }),
      }),
    ),
  );

export const merge: Operation = (worker, api) =>
  on(changePath(worker), (path) => {
    const kind = worker.random(6);
    if (kind === 0) return told(api.put(`${path}/rebase`));
    if (kind === 1) return told(api.put(`${path}/merge`, { merge_when_pipeline_succeeds: true }));
    return told(
      api.put(`${path}/merge`, { squash: worker.random(2) === 0, should_remove_source_branch: true }),
    );
  });

export const removeBranch: Operation = (worker, api) => {
  const branch = any(worker, worker.things.branches.slice(-10));
  if (!branch || branch.name === 'master') return null;
  return told(api.delete(`/projects/${branch.parent}/repository/branches/${branch.name}`));
};

export const newPipeline: Operation = (worker, api) => {
  const parent = any(worker, worker.things.projects) ?? 0;
  return keeping(api.post(`/projects/${parent}/pipeline`, { ref: 'master' }), ({ id }) =>
    worker.things.pipelines.push({ id, iid: id, parent }),
  );
};

export const changePipeline: Operation = (worker, api) =>
  on(pathTo(worker, 'pipelines', worker.things.pipelines), (path) =>
    worker.random(6) === 0
      ? told(api.delete(path))
      : told(api.post(`${path}/${any(worker, ['cancel', 'retry']) ?? ''}`)),
  );

export const changeJob: Operation = (worker, api) => {
  const job = any(worker, worker.things.running.slice(-RECENT));
  const parent = any(worker, worker.things.projects) ?? 0;
  if (!job) return null;
  return told(
    api.post(`/projects/${parent}/jobs/${job.id}/${any(worker, ['cancel', 'retry', 'erase', 'play']) ?? ''}`),
  );
};

export const takeJob: Operation = async ({ runner, things, app }) => {
  const answer = await runner.at(app.api).ask();
  if (answer.status === 201) things.running.push(answer.body);
  return answer;
};

export const endJob: Operation = (worker) => {
  const job = any(worker, worker.things.running.slice(-RECENT));
  const state = any(worker, ['success', 'success', 'failed']) ?? 'success';
  return job ? worker.runner.at(worker.app.api).report(job, state) : null;
};

export const status: Operation = (worker, api) =>
  told(
    api.post(`${project(worker)}/statuses/master`, {
      state: any(worker, ['pending', 'running', 'success', 'failed']),
      name: any(worker, ['lint', 'scan']),
    }),
  );
