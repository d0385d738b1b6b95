import { GitFixture } from '#libs/testing';
import { useApplication } from '../../support/application';
import { insertPipeline } from '../../support/ci-builders';
import { lines, MergingScene, type Proposal } from '../../support/merging-scene';

const app = useApplication();

const scene = (columns: Readonly<Record<string, unknown>> = {}): Promise<MergingScene> =>
  MergingScene.set(app.current, columns);

/** A branch of one commit that can be merged, and its merge request. */
async function proposed(
  at: MergingScene,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<Proposal> {
  await at.branch('topic', { 8: 'eight' });
  return at.propose({ columns });
}

/** What refuses a merge leaves the branch and the merge request as they were. */
async function refused(at: MergingScene, proposal: Proposal, body: object = {}, user = at.maintainer) {
  const before = await at.git.git('for-each-ref', 'refs/heads');
  const { state } = await at.row(proposal);
  const answer = await at.merge(user, proposal, body);
  expect(await at.git.git('for-each-ref', 'refs/heads')).toBe(before);
  expect((await at.row(proposal))['state']).toBe(state);
  return [answer.status, answer.body.message];
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('joins both branches in a commit by the caller, and tells of it', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    await at.git.commit({ branch: 'master', files: { f: lines({ 1: 'one' }) } });
    const target = await at.tip('master');
    const { status, body } = await at.merge(at.maintainer, proposal);
    const tip = await at.tip('master');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      iid: proposal.iid,
      state: 'merged',
      merge_commit_sha: tip,
      merged_by: { id: at.maintainer.id, username: at.maintainer.username },
      merged_at: expect.stringMatching(/Z$/),
      merge_error: null,
      sha: proposal.head,
    });
    expect(await at.git.git('log', '-1', '--format=%P|%an <%ae>|%cn|%B', tip)).toBe(
      `${target} ${proposal.head}|${at.maintainer.name} <${at.maintainer.email}>|${at.maintainer.name}|` +
        `Merge branch 'topic' into 'master'\n\nMerge topic\n\nSee merge request ${at.project.fullPath}!${proposal.iid}`,
    );
    expect(await at.git.git('show', 'master:f')).toBe(lines({ 1: 'one', 8: 'eight' }).trimEnd());
    expect(await at.tip('topic')).toBe(proposal.head);
    expect(await at.notes(proposal)).toEqual(['merged']);
    const { rows } = await app.current.database.query(
      'SELECT user_id::integer, action FROM state_events WHERE merge_request_id = $1',
      [proposal.id],
    );
    expect(rows).toEqual([{ user_id: at.maintainer.id, action: 'merged' }]);
    expect(await at.git.git('fsck', '--strict', '--full')).toBe('');
  });

  it('takes messages, squashes, and removes the source branch', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' }, { 9: 'nine' });
    const proposal = await at.propose();
    const { body } = await at.merge(at.maintainer, proposal, {
      squash: true,
      squash_commit_message: 'All at once',
      merge_commit_message: 'Joined',
      should_remove_source_branch: true,
      sha: proposal.head,
    });
    const [merge, squash] = [await at.tip('master'), await at.git.git('rev-parse', 'master^2')];
    expect(body).toMatchObject({
      state: 'merged',
      merge_commit_sha: merge,
      squash_commit_sha: squash,
      squash: true,
    });
    expect(await at.git.git('log', '-1', '--format=%P|%an|%cn|%B', squash)).toBe(
      `${at.project.tip}|${at.author.name}|${at.maintainer.name}|All at once`,
    );
    expect(await at.git.git('log', '-1', '--format=%B', merge)).toBe('Joined');
    expect(await at.git.git('rev-parse', `${squash}^{tree}`)).toBe(
      await at.git.git('rev-parse', `${proposal.head}^{tree}`),
    );
    expect(await at.git.git('for-each-ref', 'refs/heads/topic')).toBe('');
  });

  it('squashes what wants it, under the message of the commit that says most', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' });
    const files = { f: lines({ 8: 'eight', 9: 'nine' }) };
    await at.git.commit({ branch: 'topic', files, message: 'Title\n\nAnd why.\n' });
    const proposal = await at.propose({ columns: { squash: true, force_remove_source_branch: true } });
    await at.merge(at.maintainer, proposal).expect(200);
    expect(await at.git.git('log', '-1', '--format=%B', 'master^2')).toBe('Title\n\nAnd why.\n');
    // The author wanted the branch gone, and may push to it.
    expect(await at.git.git('for-each-ref', 'refs/heads/topic')).toBe('');
  });

  it('moves the target forward in projects that want no merge commits', async () => {
    const at = await scene({ merge_method: 'ff' });
    const proposal = await proposed(at);
    const { body } = await at.merge(at.maintainer, proposal);
    expect(body).toMatchObject({ state: 'merged', merge_commit_sha: null });
    expect(await at.tip('master')).toBe(proposal.head);
    await at.git.git('branch', 'late', at.project.tip);
    await at.git.commit({ branch: 'late', files: { g: 'g\n' } });
    expect(await refused(at, await at.propose({ source: 'late' }))).toEqual([406, 'Branch cannot be merged']);
    await at.git.git('branch', 'next', 'master');
    await at.git.commit({ branch: 'next', files: { g: '1' } });
    await at.git.commit({ branch: 'next', files: { g: '2' } });
    const squashed = await at.propose({ source: 'next' });
    await at.merge(at.maintainer, squashed, { squash: true }).expect(200);
    expect(await at.git.git('rev-parse', 'master^')).toBe(proposal.head);
    expect(await at.row(squashed)).toMatchObject({ squash_commit_sha: await at.tip('master') });
  });

  it('makes a merge commit only upon a straight line where the project wants that', async () => {
    const at = await scene({ merge_method: 'rebase_merge' });
    const proposal = await proposed(at);
    await at.git.git('branch', 'late', at.project.tip);
    await at.git.commit({ branch: 'late', files: { g: 'g\n' } });
    const late = await at.propose({ source: 'late' });
    await at.merge(at.maintainer, proposal).expect(200);
    expect(await at.git.git('log', '-1', '--format=%P', 'master')).toBe(`${at.project.tip} ${proposal.head}`);
    expect(await refused(at, late)).toEqual([406, 'Branch cannot be merged']);
  });

  it('closes the issues that it names, where it goes to the default branch', async () => {
    const at = await scene();
    const proposal = await proposed(at, { description: 'Closes #1' });
    const issue = await app.current
      .as(at.author)
      .post(`/projects/${at.project.id}/issues`, { title: 'Broken' });
    expect(issue.status).toBe(201);
    await app.current.database.query(
      `INSERT INTO merge_request_closing_issues (merge_request_id, issue_id) VALUES ($1, $2)`,
      [proposal.id, issue.body.id],
    );
    await at.merge(at.maintainer, proposal).expect(200);
    const { body } = await app.current.as(at.author).get(`/projects/${at.project.id}/issues/1`);
    expect(body).toMatchObject({ state: 'closed', closed_by: { id: at.maintainer.id } });
    expect(await at.git.git('log', '-1', '--format=%B', 'master')).toContain('\n\nCloses #1\n\n');
  });

  it('is for those who may push to the target, or whom its rule lets merge', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    const [guest, reporter] = [await app.current.build.user(), await app.current.build.user()];
    await app.current.build.member('project', at.project.id, guest, 'guest');
    await app.current.build.member('project', at.project.id, reporter, 'reporter');
    expect((await app.current.api.put(`${proposal.url}/merge`)).status).toBe(401);
    expect((await at.merge(await app.current.build.user(), proposal)).status).toBe(404);
    expect(await refused(at, proposal, {}, guest)).toEqual([404, '404 Not found']);
    expect(await refused(at, proposal, {}, reporter)).toEqual([401, '401 Unauthorized']);
    expect(await refused(at, proposal, {}, at.developer)).toEqual([401, '401 Unauthorized']);
    await app.current.database.query(
      `UPDATE protected_branch_access SET access_level = 30 WHERE action = 'merge' AND protected_branch_id IN (
         SELECT id FROM protected_branches WHERE project_id = $1)`,
      [at.project.id],
    );
    await at.merge(at.developer, proposal).expect(200);
  });

  it('refuses what is not there, not open, or still being worked on', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    const missing = await app.current
      .as(at.maintainer)
      .put(`/projects/${at.project.id}/merge_requests/99/merge`);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Not found' }]);
    const set = (columns: string) =>
      app.current.database.query(`UPDATE merge_requests SET ${columns} WHERE id = $1`, [proposal.id]);
    const notAllowed = [405, '405 Method Not Allowed'];
    for (const columns of [`state = 'closed'`, `state = 'locked'`, `state = 'opened', title = 'WIP: it'`]) {
      await set(columns);
      expect(await refused(at, proposal)).toEqual(notAllowed);
    }
    await set(`title = 'It'`);
    await at.merge(at.maintainer, proposal).expect(200);
    expect(await refused(at, proposal)).toEqual(notAllowed);
  });

  it('refuses what cannot be merged, or is not what the caller has seen', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    expect(await refused(at, proposal, { sha: at.project.tip })).toEqual([
      409,
      'SHA does not match HEAD of source branch',
    ]);
    await at.git.commit({ branch: 'master', files: { f: lines({ 8: 'other' }) } });
    expect(await refused(at, proposal)).toEqual([406, 'Branch cannot be merged']);
    expect((await app.current.as(at.author).get(proposal.url)).body.merge_status).toBe('cannot_be_merged');
    await at.git.commit({ branch: 'master', files: { f: lines() } });
    expect((await app.current.as(at.author).get(proposal.url)).body.merge_status).toBe('can_be_merged');
    await at.git.git('branch', 'nothing', 'master');
    expect((await refused(at, await at.propose({ source: 'nothing' })))[0]).toBe(405);
    await at.git.git('update-ref', '-d', 'refs/heads/topic');
    expect((await refused(at, proposal))[0]).toBe(405);
  });

  it('waits for a good pipeline, settled discussions and approvals where the project wants them', async () => {
    const at = await scene({
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: true,
    });
    const proposal = await proposed(at);
    expect((await refused(at, proposal))[0]).toBe(405);
    const skipped = { source: 'push', status: 'skipped', ref: 'topic', sha: proposal.head };
    await insertPipeline(app.current, at.project, skipped);
    expect((await refused(at, proposal))[0]).toBe(405);
    for (const state of ['running', 'failed']) {
      await at.report(proposal.head, state).expect(201);
      expect((await refused(at, proposal))[0]).toBe(405);
    }
    await at.report(proposal.head, 'running').expect(201);
    await at.report(proposal.head, 'success').expect(201);
    const { rows } = await app.current.database.query<{ id: number }>(
      `INSERT INTO notes (merge_request_id, author_id, body, type, discussion_id)
       VALUES ($1, $2, 'Why?', 'DiscussionNote', 'd') RETURNING id`,
      [proposal.id, at.developer.id],
    );
    expect((await refused(at, proposal))[0]).toBe(405);
    await app.current.database.query('UPDATE notes SET resolved_at = now() WHERE id = $1', [rows[0]?.id]);
    await app.current.database.query('UPDATE projects SET approvals_before_merge = 1 WHERE id = $1', [
      at.project.id,
    ]);
    // A merge request that asks for fewer itself gets no further.
    const { database } = app.current;
    await database.query('UPDATE merge_requests SET approvals_before_merge = 0 WHERE id = $1', [proposal.id]);
    expect((await refused(at, proposal))[0]).toBe(405);
    await app.current.as(at.developer).post(`${proposal.url}/approve`).expect(201);
    const archive = (archived: boolean) =>
      database.query('UPDATE projects SET archived = $2 WHERE id = $1', [at.project.id, archived]);
    await archive(true);
    await app.current.as(at.developer).post(`${proposal.url}/unapprove`).expect(403);
    await archive(false);
    await at.merge(at.maintainer, proposal).expect(200);
  });

  it('is refused by a push rule, and says why', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    const rule = { commit_message_regex: 'JIRA' };
    await app.current.as(at.maintainer).post(`/projects/${at.project.id}/push_rule`, rule).expect(201);
    const [status, message] = await refused(at, proposal);
    expect([status, message]).toEqual([400, expect.stringContaining('JIRA')]);
    expect(await at.row(proposal)).toMatchObject({
      state: 'opened',
      merge_error: expect.stringContaining('JIRA'),
    });
    await at.merge(at.maintainer, proposal, { merge_commit_message: 'JIRA-1' }).expect(200);
  });

  it('merges what comes from a fork, and removes nothing that the caller may not remove', async () => {
    const at = await scene();
    const fork = await app.current.build.project({
      owner: at.author,
      members: { owner: at.author },
      files: { f: 'x' },
    });
    await app.current.as(at.author).post(`/projects/${fork.id}/fork/${at.project.id}`).expect(201);
    const forkGit = GitFixture.on(fork.repositoryPath);
    await forkGit.git('fetch', '-q', at.project.repositoryPath, '+refs/heads/master:refs/heads/master');
    const head = await forkGit.commit({
      branch: 'topic',
      parents: [at.project.tip],
      files: { f: lines({ 2: 'two' }) },
    });
    const proposal = await at.propose({ from: fork });
    await at.merge(at.maintainer, proposal, { should_remove_source_branch: true }).expect(200);
    expect(await at.git.git('rev-parse', 'master^2')).toBe(head);
    expect(await forkGit.git('rev-parse', 'topic')).toBe(head);
    const protectedOne = await at.branch('stable', { 7: 'seven' });
    await app.current.build.protectedBranch(at.project, 'stable', 40);
    const second = await at.propose({ source: 'stable' });
    await at.merge(at.maintainer, second, { should_remove_source_branch: true }).expect(200);
    expect(await at.tip('stable')).toBe(protectedOne);
  });

  it('takes a message of any text but one that git cannot hold', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    const [status] = await refused(at, proposal, { merge_commit_message: 'a\0b' });
    expect(status).toBe(400);
    const message = '--help\n\nZeile mit ü\n# kein Kommentar';
    await at.merge(at.maintainer, proposal, { merge_commit_message: message }).expect(200);
    expect(await at.git.git('log', '-1', '--format=%B', 'master')).toBe(message);
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid/merge_ref', () => {
  it('gives the commit that a merge would make, the same one until a branch moves', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    const ask = () => app.current.as(at.author).get(`${proposal.url}/merge_ref`);
    const { status, body } = await ask();
    expect([status, body]).toEqual([200, { commit_id: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
    expect(await at.git.git('rev-parse', `refs/merge-requests/${proposal.iid}/merge`)).toBe(body.commit_id);
    expect(await at.git.git('log', '-1', '--format=%P', body.commit_id)).toBe(
      `${at.project.tip} ${proposal.head}`,
    );
    expect((await ask()).body).toEqual(body);
    await at.git.commit({ branch: 'master', files: { f: lines({ 8: 'other' }) } });
    const refusedNow = await ask();
    expect([refusedNow.status, refusedNow.body]).toEqual([
      400,
      { message: 'Merge request is not mergeable' },
    ]);
    expect((await app.current.api.get(`${proposal.url}/merge_ref`)).status).toBe(401);
  });
});
