import { until } from '#libs/testing';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { branchOf, mergeRequest } from '../../support/collaboration-builders';
import { git } from '../../support/git-client';

const app = useApplication({ TIER: 'ultimate' });

let maintainer: BuiltUser;
let developer: BuiltUser;
let guest: BuiltUser;
let project: BuiltProject;
beforeAll(async () => {
  const { build } = app.current;
  [maintainer, developer, guest] = [await build.user(), await build.user(), await build.user()];
  project = await build.project({
    owner: maintainer,
    members: { developer, guest },
    files: { 'a.txt': '1\n2\n3\n' },
  });
});

const url = (rest = '') => `/projects/${project.id}/merge_requests${rest}`;
const as = (user: BuiltUser) => app.current.as(user);
const summaryOf = (user: BuiltUser) => ({
  id: user.id,
  name: user.name,
  username: user.username,
  state: 'active',
  avatar_url: null,
  web_url: `http://service.test/${user.username}`,
});
const notesOf = async (iid: number): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    `SELECT n.body FROM notes n JOIN merge_requests mr ON mr.id = n.merge_request_id
     WHERE mr.project_id = $1 AND mr.iid = $2 ORDER BY n.id`,
    [project.id, iid],
  );
  return rows.map(({ body }) => body);
};
const refusal = async (test: ReturnType<ReturnType<typeof as>['get']>) => {
  const answer = await test;
  return [answer.status, answer.body];
};

describe('POST /projects/:id/merge_requests', () => {
  it('proposes a change, every field of the reference in its order', async () => {
    const sha = await branchOf(project, { branch: 'feature/one', files: { 'b.txt': 'b\n' } });
    const { body } = await as(developer)
      .post(url(), {
        source_branch: 'feature/one',
        target_branch: 'master',
        title: ' WIP: One ',
        description: '- [x] done\n- [ ] not yet',
        assignee_ids: [maintainer.id, developer.id],
        labels: 'bug,new one',
        remove_source_branch: true,
        squash: true,
        approvals_before_merge: 2,
      })
      .expect(201);
    expect(Object.entries(body)).toEqual([
      ['id', expect.any(Number)],
      ['iid', 1],
      ['project_id', project.id],
      ['title', 'WIP: One'],
      ['description', '- [x] done\n- [ ] not yet'],
      ['state', 'opened'],
      ['created_at', expect.stringMatching(/Z$/)],
      ['updated_at', expect.stringMatching(/Z$/)],
      ['merged_by', null],
      ['merged_at', null],
      ['closed_by', null],
      ['closed_at', null],
      ['target_branch', 'master'],
      ['source_branch', 'feature/one'],
      ['user_notes_count', 0],
      ['upvotes', 0],
      ['downvotes', 0],
      ['assignee', summaryOf(maintainer)],
      ['author', summaryOf(developer)],
      ['assignees', [summaryOf(maintainer), summaryOf(developer)]],
      ['source_project_id', project.id],
      ['target_project_id', project.id],
      ['labels', ['bug', 'new one']],
      ['work_in_progress', true],
      ['milestone', null],
      ['merge_when_pipeline_succeeds', false],
      ['merge_status', expect.stringMatching(/^(unchecked|can_be_merged)$/)],
      ['sha', sha],
      ['merge_commit_sha', null],
      ['squash_commit_sha', null],
      ['discussion_locked', null],
      ['should_remove_source_branch', null],
      ['force_remove_source_branch', true],
      ['reference', '!1'],
      ['web_url', `http://service.test/${project.fullPath}/merge_requests/1`],
      [
        'time_stats',
        { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
      ],
      ['squash', true],
      ['task_completion_status', { count: 2, completed_count: 1 }],
      ['has_conflicts', false],
      ['blocking_discussions_resolved', true],
      ['approvals_before_merge', 2],
      ['subscribed', true],
      ['changes_count', '1'],
      ['latest_build_started_at', null],
      ['latest_build_finished_at', null],
      ['first_deployed_to_production_at', null],
      ['pipeline', null],
      ['head_pipeline', null],
      ['diff_refs', { base_sha: project.tip, head_sha: sha, start_sha: project.tip }],
      ['merge_error', null],
      ['first_contribution', false],
      ['user', { can_merge: false }],
    ]);
  });

  it('refuses branches that do not go together', async () => {
    await branchOf(project, { branch: 'lonely', files: { l: 'l' } });
    const post = (body: object) =>
      refusal(as(developer).post(url(), { title: 'x', target_branch: 'master', ...body }));
    expect(await post({ source_branch: 'master' })).toEqual([
      422,
      { message: ["You can't use same project/branch for source and target"] },
    ]);
    expect(await post({ source_branch: 'nope' })).toEqual([
      422,
      { message: ['Source branch "nope" does not exist'] },
    ]);
    expect(await post({ source_branch: '../x --y' })).toEqual([
      422,
      { message: ['Source branch "../x --y" does not exist'] },
    ]);
    expect(await post({ source_branch: 'lonely', target_branch: 'nope' })).toEqual([
      422,
      { message: ['Target branch "nope" does not exist'] },
    ]);
    expect(await post({ source_branch: 'lonely', target_project_id: 2 ** 40 })).toEqual([
      404,
      { message: '404 Project Not Found' },
    ]);
    const stranger = await app.current.build.project({ owner: developer, files: { s: 's' } });
    expect(await post({ source_branch: 'lonely', target_project_id: stranger.id })).toEqual([
      422,
      { message: ['Source project is not a fork of the target project'] },
    ]);
  });

  it('refuses what it cannot read', async () => {
    const post = (body: object) => refusal(as(developer).post(url(), body));
    const branches = { source_branch: 'lonely', target_branch: 'master' };
    expect(await post({ source_branch: 'x', target_branch: 'y' })).toEqual([
      400,
      { message: '400 (Bad request) "title" not given' },
    ]);
    expect(await post({ ...branches, title: ' ' })).toEqual([
      400,
      { message: { title: ["can't be blank"] } },
    ]);
    expect(await post({ ...branches, title: 'x'.repeat(256) })).toEqual([
      400,
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ]);
    expect(await post({ ...branches, title: { a: 'b' } })).toEqual([400, { error: 'title is invalid' }]);
    expect(await post({ ...branches, title: 'x', source_branch: ' ' })).toEqual([
      400,
      { error: 'source_branch is empty' },
    ]);
  });

  it('opens one between two branches, however many ask for it at once', async () => {
    await branchOf(project, { branch: 'twice', files: { t: 't' } });
    const body = { source_branch: 'twice', target_branch: 'master', title: 'Twice' };
    const answers = await Promise.all([1, 2, 3].map(() => as(developer).post(url(), body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const made = answers.find(({ status }) => status === 201)?.body.iid;
    expect(await refusal(as(developer).post(url(), body))).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${made}`] },
    ]);
  });

  it('is for whoever pushes, who may not sort what they do not look after', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id }) =>
      api.post(`/projects/${id}/merge_requests`, {
        title: 'x',
        source_branch: 'master',
        target_branch: 'master',
      }),
    );
    // 422: they got as far as the branches.
    expect(row).toEqual({
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      guest: 403,
      reporter: 403,
      developer: 422,
      maintainer: 422,
      owner: 422,
      admin: 422,
    });
  });

  it('comes from a fork, whose commits the target then has', async () => {
    const stranger = await app.current.build.user();
    const { id } = await app.current.build.project({
      owner: maintainer,
      visibility: 'public',
      files: { a: 'x' },
    });
    const { body: fork } = await as(stranger).post(`/projects/${id}/fork`, {}).expect(201);
    await until(
      async () => (await as(stranger).get(`/projects/${fork.id}`)).body.import_status === 'finished',
    );
    const push = async (file_path: string, start: object = {}) => {
      const actions = [{ action: 'create', file_path, content: 't' }];
      const commit = { branch: 'theirs', commit_message: 'Theirs', actions, ...start };
      return (await as(stranger).post(`/projects/${fork.id}/repository/commits`, commit).expect(201)).body;
    };
    const commit = await push('t', { start_branch: 'master' });
    const { body } = await as(stranger)
      .post(`/projects/${fork.id}/merge_requests`, {
        source_branch: 'theirs',
        target_branch: 'master',
        target_project_id: id,
        title: 'From afar',
        labels: 'mine',
        allow_collaboration: true,
      })
      .expect(201);
    expect(body).toMatchObject({
      project_id: id,
      source_project_id: fork.id,
      sha: commit.id,
      // Only who looks after the target sorts what comes to it.
      labels: [],
      allow_collaboration: true,
      allow_maintainer_to_push: true,
      first_contribution: true,
      user: { can_merge: false },
    });
    const { body: changes } = await as(maintainer).get(`/projects/${id}/merge_requests/1/changes`);
    expect(changes.changes).toMatchObject([{ new_path: 't', new_file: true }]);
    const remote = `${app.current.url}/${(await as(maintainer).get(`/projects/${id}`)).body.path_with_namespace}.git`;
    await until(async () =>
      (await git('/', 'ls-remote', remote)).includes(`${commit.id}\trefs/merge-requests/1/head`),
    );
    // While nobody follows it the fork's work is the fork's own: nobody opens it but who may read it.
    const state = (state_event: string, by: BuiltUser) =>
      as(by).put(`/projects/${id}/merge_requests/1`, { state_event });
    await state('close', maintainer).expect(200);
    await as(stranger).put(`/projects/${fork.id}`, { visibility: 'private' }).expect(200);
    const hidden = await push('hidden');
    await state('reopen', maintainer).expect(403);
    const elsewhere = { branch: 'elsewhere', ref: 'master' };
    await as(maintainer).post(`/projects/${id}/repository/branches`, elsewhere).expect(201);
    await as(maintainer).put(`/projects/${id}/merge_requests/1`, { target_branch: 'elsewhere' }).expect(403);
    expect((await as(maintainer).get(`/projects/${id}/merge_requests/1`)).body.sha).toBe(commit.id);
    expect((await state('reopen', stranger).expect(200)).body.sha).toBe(hidden.id);
    // One that goes its own way is followed no more.
    await as(stranger).delete(`/projects/${fork.id}/fork`).expect(204);
    await state('close', maintainer).expect(200);
    expect((await state('reopen', stranger).expect(200)).body.state).toBe('closed');
    // The fork goes; what it brought stays.
    await as(stranger).delete(`/projects/${fork.id}`).expect(202);
    await until(
      async () =>
        (await as(maintainer).get(`/projects/${id}/merge_requests/1`)).body.source_project_id === null,
    );
    expect((await as(maintainer).get(`/projects/${id}/merge_requests/1/commits`)).body).toMatchObject([
      { id: hidden.id },
      { id: commit.id },
    ]);
    expect((await as(maintainer).put(`/projects/${id}/merge_requests/1`, { title: 'Kept' })).status).toBe(
      200,
    );
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid', () => {
  it('tells what is asked for besides', async () => {
    const { iid } = await mergeRequest(app.current, { project, author: developer });
    await as(maintainer)
      .post(`/projects/${project.id}/repository/commits`, {
        branch: 'master',
        commit_message: 'On',
        actions: [{ action: 'create', file_path: `on-${iid}`, content: 'x' }],
      })
      .expect(201);
    const { body } = await as(maintainer)
      .get(url(`/${iid}?include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=1`))
      .expect(200);
    expect(body).toMatchObject({
      diverged_commits_count: 1,
      rebase_in_progress: false,
      merge_status: 'can_be_merged',
      user: { can_merge: true },
      subscribed: false,
      title_html: body.title,
    });
  });

  it('is not there for who may not see it, or by a number that none has', async () => {
    const { iid } = await mergeRequest(app.current, { project, author: developer });
    const hidden = [404, { message: '404 Not found' }];
    expect(await refusal(as(guest).get(url(`/${iid}`)))).toEqual(hidden);
    for (const none of [0, -1, 2 ** 31, 2 ** 52]) {
      expect(await refusal(as(developer).get(url(`/${none}`)))).toEqual(hidden);
    }
    expect((await as(developer).get(url('/x'))).status).toBe(400);
    expect((await app.current.api.get(url(`/${iid}`))).status).toBe(404);
  });
});

describe('PUT /projects/:id/merge_requests/:merge_request_iid', () => {
  it('changes what is given, and tells it in the discussion', async () => {
    await branchOf(project, { branch: 'stable', files: { s: 's' } });
    const { body: milestone } = await as(maintainer)
      .post(`/projects/${project.id}/milestones`, { title: 'v1' })
      .expect(201);
    const { iid } = await mergeRequest(app.current, { project, author: developer, params: { title: 'Old' } });
    const { body } = await as(maintainer)
      .put(url(`/${iid}`), {
        title: 'New ',
        description: 'Words',
        assignee_id: developer.id,
        milestone_id: milestone.id,
        labels: 'one',
        discussion_locked: true,
        target_branch: 'stable',
        squash: 'true',
        remove_source_branch: 1,
      })
      .expect(200);
    expect(body).toMatchObject({
      title: 'New',
      description: 'Words',
      assignee: { id: developer.id },
      milestone: { id: milestone.id, title: 'v1' },
      labels: ['one'],
      discussion_locked: true,
      target_branch: 'stable',
      squash: true,
      force_remove_source_branch: true,
    });
    expect(await notesOf(iid)).toEqual([
      'changed title from **{-Old-}** to **{+New+}**',
      'changed the description',
      'changed target branch from `master` to `stable`',
      'locked this merge request',
      `changed milestone to %${milestone.iid}`,
      `assigned to @${developer.username}`,
    ]);
    const { body: cleared } = await as(maintainer)
      .put(url(`/${iid}`), { assignee_id: 0, milestone_id: 0, labels: '', description: '' })
      .expect(200);
    expect(cleared).toMatchObject({ assignee: null, assignees: [], milestone: null, labels: [] });
    expect((await notesOf(iid)).slice(-3)).toEqual([
      'changed the description',
      'removed milestone',
      `unassigned @${developer.username}`,
    ]);
  });

  it('tells that work goes on, and that it does not', async () => {
    const { iid } = await mergeRequest(app.current, { project, author: developer, params: { title: 'T' } });
    await as(developer)
      .put(url(`/${iid}`), { title: 'WIP: T' })
      .expect(200);
    await as(developer)
      .put(url(`/${iid}`), { title: 'T' })
      .expect(200);
    expect(await notesOf(iid)).toEqual([
      'marked as a **Work In Progress**',
      'unmarked as a **Work In Progress**',
    ]);
  });

  it('closes and opens again, once each', async () => {
    const { iid, branch } = await mergeRequest(app.current, { project, author: developer });
    const put = (event: string) =>
      as(developer)
        .put(url(`/${iid}`), { state_event: event })
        .expect(200);
    expect((await put('close')).body).toMatchObject({ state: 'closed', closed_by: { id: developer.id } });
    expect((await put('close')).body.state).toBe('closed');
    // Pushed to while nobody followed it.
    const sha = await branchOf(project, { branch, files: { more: 'm' } });
    expect((await put('reopen')).body).toMatchObject({
      state: 'opened',
      closed_by: null,
      closed_at: null,
      sha,
    });
    expect((await put('reopen')).body.state).toBe('opened');
    expect(await notesOf(iid)).toEqual(['closed', 'reopened']);
    const { rows } = await app.current.database.query(
      `SELECT e.action FROM state_events e JOIN merge_requests mr ON mr.id = e.merge_request_id
       WHERE mr.project_id = $1 AND mr.iid = $2 ORDER BY e.id`,
      [project.id, iid],
    );
    expect(rows).toEqual([{ action: 'closed' }, { action: 'reopened' }]);
    await put('close');
    const again = await mergeRequest(app.current, { project, author: developer, branch });
    expect(await refusal(as(developer).put(url(`/${iid}`), { state_event: 'reopen' }))).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${again.iid}`] },
    ]);
  });

  it('is for developers, its author and those that it is assigned to', async () => {
    const reporter = await app.current.build.user();
    await app.current.build.member('project', project.id, reporter, 'reporter');
    const { iid } = await mergeRequest(app.current, { project, author: developer });
    const put = (body: object) => as(reporter).put(url(`/${iid}`), body);
    expect((await put({ title: 'Mine' })).status).toBe(403);
    await as(developer)
      .put(url(`/${iid}`), { assignee_ids: [reporter.id] })
      .expect(200);
    expect((await put({ title: 'Mine', labels: 'x', discussion_locked: true })).body).toMatchObject({
      title: 'Mine',
      labels: [],
      discussion_locked: null,
    });
    expect((await as(guest).put(url(`/${iid}`), { title: 'x' })).status).toBe(404);
    expect((await app.current.api.put(url(`/${iid}`), { title: 'x' })).status).toBe(401);
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await as(maintainer).put(url(`/${iid}`), { title: 'x' })).status).toBe(403);
    await app.current.database.query('UPDATE projects SET archived = false WHERE id = $1', [project.id]);
    // Nobody can be made to look after what they may not see.
    const { body } = await as(developer).put(url(`/${iid}`), { assignee_ids: [guest.id] });
    expect(body.assignees).toMatchObject([{ id: reporter.id }]);
  });

  it('refuses what says nothing, and a target that is not there', async () => {
    const { iid, branch } = await mergeRequest(app.current, { project, author: developer });
    const put = (body: object) => refusal(as(developer).put(url(`/${iid}`), body));
    expect((await put({}))[0]).toBe(400);
    expect(await put({ state_event: 'merge' })).toEqual([
      400,
      { error: 'state_event does not have a valid value' },
    ]);
    expect((await put({ target_branch: 'nope' }))[0]).toBe(422);
    expect((await put({ target_branch: branch }))[0]).toBe(422);
    expect((await put({ milestone_id: 2 ** 52, assignee_ids: [2 ** 52] }))[0]).toBe(200);
  });
});

describe('label events of a merge request', () => {
  let iid: number;
  let events: { id: number }[];
  beforeAll(async () => {
    const params = { labels: 'one' };
    ({ iid } = await mergeRequest(app.current, { project, author: developer, params }));
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events tells what was put on', async () => {
    ({ body: events } = await as(developer)
      .get(url(`/${iid}/resource_label_events`))
      .expect(200));
    expect(events).toMatchObject([{ action: 'add', resource_type: 'MergeRequest', label: { name: 'one' } }]);
    expect((await as(guest).get(url(`/${iid}/resource_label_events`))).status).toBe(404);
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id tells one of them', async () => {
    const event = (id: number) => as(developer).get(url(`/${iid}/resource_label_events/${id}`));
    expect((await event(events[0]?.id ?? 0).expect(200)).body).toEqual(events[0]);
    expect((await event(0)).status).toBe(404);
  });
});

describe('DELETE /projects/:id/merge_requests/:merge_request_iid', () => {
  it('is for owners, and once', async () => {
    const { iid } = await mergeRequest(app.current, { project, author: developer });
    expect((await as(developer).delete(url(`/${iid}`))).status).toBe(403);
    expect((await as(guest).delete(url(`/${iid}`))).status).toBe(404);
    const early = as(maintainer).with({ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' });
    expect((await early.delete(url(`/${iid}`))).status).toBe(412);
    await as(maintainer)
      .delete(url(`/${iid}`))
      .expect(204);
    expect((await as(maintainer).delete(url(`/${iid}`))).status).toBe(404);
    expect((await as(developer).get(url(`/${iid}`))).status).toBe(404);
    const next = await mergeRequest(app.current, { project, author: developer });
    expect(next.iid).toBe(iid + 1);
  });
});
