import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import { lines, MergingScene, type Proposal } from '../../support/merging-scene';

const app = useApplication();

interface Waiting {
  readonly at: MergingScene;
  readonly proposal: Proposal;
}

/** A merge request whose pipeline runs. */
async function running(): Promise<Waiting> {
  const at = await MergingScene.set(app.current);
  const head = await at.branch('topic', { 8: 'eight' });
  const proposal = await at.propose();
  await at.report(head, 'running').expect(201);
  return { at, proposal };
}

/** The same, with somebody's wish to have it merged then. */
async function waiting(body: object = {}): Promise<Waiting> {
  const { at, proposal } = await running();
  await at.merge(at.maintainer, proposal, { merge_when_pipeline_succeeds: true, ...body }).expect(200);
  return { at, proposal };
}

const isIn = (state: string, { at, proposal }: Waiting) =>
  until(async () => (await at.row(proposal))['state'] === state);

const cancel = ({ at, proposal }: Waiting, user = at.maintainer) =>
  app.current.as(user).post(`${proposal.url}/cancel_merge_when_pipeline_succeeds`);

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge with merge_when_pipeline_succeeds', () => {
  it('is merged, in the name and with the words of whoever wished it, when the pipeline has succeeded', async () => {
    const { at, proposal } = await running();
    const body = {
      merge_when_pipeline_succeeds: true,
      merge_commit_message: 'Later',
      should_remove_source_branch: true,
    };
    const answer = await at.merge(at.maintainer, proposal, body);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { state: 'opened', merge_when_pipeline_succeeds: true, should_remove_source_branch: true },
    ]);
    await at.merge(at.maintainer, proposal, body).expect(200);
    expect(await at.notes(proposal)).toEqual([
      `enabled an automatic merge when the pipeline for ${proposal.head} succeeds`,
    ]);
    await at.report(proposal.head, 'success').expect(201);
    await isIn('merged', { at, proposal });
    await until(async () => (await at.git.git('for-each-ref', 'refs/heads/topic')) === '');
    expect(await at.row(proposal)).toMatchObject({ merged_by_id: at.maintainer.id });
    expect(await at.git.git('log', '-1', '--format=%cn|%B', 'master')).toBe(`${at.maintainer.name}|Later`);
  });

  it('merges at once where no pipeline is under way', async () => {
    const at = await MergingScene.set(app.current);
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const { body } = await at.merge(at.maintainer, proposal, { merge_when_pipeline_succeeds: true });
    expect(body.state).toBe('merged');
  });

  it('waits on where the pipeline fails, and merges when another one succeeds', async () => {
    const { at, proposal } = await waiting();
    await at.report(proposal.head, 'failed').expect(201);
    expect(await at.row(proposal)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    await at.report(proposal.head, 'running').expect(201);
    await at.report(proposal.head, 'success').expect(201);
    await isIn('merged', { at, proposal });
  });

  it('ends with a push to the source branch', async () => {
    const { at, proposal } = await waiting();
    const file = { branch: 'topic', content: 'x', commit_message: 'More' };
    await app.current
      .as(at.developer)
      .post(`/projects/${at.project.id}/repository/files/new`, file)
      .expect(201);
    await until(async () => (await at.row(proposal))['merge_when_pipeline_succeeds'] === false);
    expect(await at.notes(proposal)).toContain(
      'aborted the automatic merge because source branch was updated',
    );
    await at.report(await at.tip('topic'), 'success').expect(201);
    expect((await at.row(proposal))['state']).toBe('opened');
  });

  it('ends with another target branch, so that nobody merges where they did not want to', async () => {
    const { at, proposal } = await waiting();
    await at.git.git('branch', 'other', 'master');
    await app.current.as(at.developer).put(proposal.url, { target_branch: 'other' }).expect(200);
    expect(await at.row(proposal)).toMatchObject({
      merge_when_pipeline_succeeds: false,
      merge_user_id: null,
    });
    expect(await at.notes(proposal)).toContain(
      'aborted the automatic merge because target branch was changed',
    );
  });

  it('merges nothing for people who may not merge any more, and tells so', async () => {
    const { at, proposal } = await waiting();
    await app.current.database.query('UPDATE members SET access_level = 20 WHERE user_id = $1', [
      at.maintainer.id,
    ]);
    await at.report(proposal.head, 'success').expect(201);
    await until(async () => (await at.row(proposal))['merge_error'] !== null);
    expect(await at.row(proposal)).toMatchObject({
      state: 'opened',
      merge_error: 'You are not allowed to merge this merge request',
    });
  });
});

describe('POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds', () => {
  it('takes the wish back, for its author and those who may merge', async () => {
    const { at, proposal } = await waiting({ squash_commit_message: 'x' });
    expect((await cancel({ at, proposal }, at.developer)).status).toBe(401);
    const { status, body } = await cancel({ at, proposal }, at.author);
    expect([status, body]).toMatchObject([201, { state: 'opened', merge_when_pipeline_succeeds: false }]);
    expect(await at.notes(proposal)).toContain('canceled the automatic merge');
    expect(await at.row(proposal)).toMatchObject({ merge_user_id: null, squash_commit_message: null });
    const again = await cancel({ at, proposal });
    expect([again.status, again.body]).toEqual([406, { message: "Can't cancel the automatic merge" }]);
    await app.current.database.query(`UPDATE merge_requests SET state = 'closed' WHERE id = $1`, [
      proposal.id,
    ]);
    expect((await cancel({ at, proposal })).status).toBe(405);
    expect((await cancel({ at, proposal }, await app.current.build.user())).status).toBe(404);
  });
});

describe('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', () => {
  const rebase = ({ at, proposal }: Waiting, user = at.developer) =>
    app.current.as(user).put(`${proposal.url}/rebase`);
  const isOver = ({ at, proposal }: Waiting) =>
    until(async () => (await at.row(proposal))['rebase_in_progress_since'] === null);

  it('writes the commits anew on top of the target, by their authors', async () => {
    const at = await MergingScene.set(app.current);
    await at.branch('topic', { 7: 'seven' }, { 8: 'eight' });
    const proposal = await at.propose();
    const target = await at.git.commit({ branch: 'master', files: { f: lines({ 1: 'one' }) } });
    const { status, body } = await rebase({ at, proposal });
    expect([status, body]).toEqual([202, { rebase_in_progress: true }]);
    await isOver({ at, proposal });
    expect(await at.git.git('log', '--format=%an|%cn|%s', `${target}..topic`)).toBe(
      `Ann Author|${at.developer.name}|Change 2 of topic\nAnn Author|${at.developer.name}|Change 1 of topic`,
    );
    expect(await at.git.git('rev-parse', 'topic~2')).toBe(target);
    expect(await at.git.git('show', 'topic:f')).toBe(lines({ 1: 'one', 7: 'seven', 8: 'eight' }).trimEnd());
    await until(async () => (await at.row(proposal))['head_sha'] === (await at.tip('topic')));
    expect(await at.row(proposal)).toMatchObject({ merge_error: null, base_sha: target });
  });

  it('leaves the branch alone where a commit is in conflict', async () => {
    const at = await MergingScene.set(app.current);
    const head = await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    await at.git.commit({ branch: 'master', files: { f: lines({ 8: 'other' }) } });
    await rebase({ at, proposal }).expect(202);
    await isOver({ at, proposal });
    expect((await at.row(proposal))['merge_error']).toBe('Rebase failed. Please rebase locally');
    expect(await at.tip('topic')).toBe(head);
  });

  it('writes no protected branch anew, whoever may push to it', async () => {
    const at = await MergingScene.set(app.current);
    const head = await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    await at.git.commit({ branch: 'master', files: { f: lines({ 1: 'one' }) } });
    await app.current.build.protectedBranch(at.project, 'topic', 30);
    await rebase({ at, proposal }).expect(202);
    await isOver({ at, proposal });
    expect((await at.row(proposal))['merge_error']).toBe('Rebase failed. Please rebase locally');
    expect(await at.tip('topic')).toBe(head);
  });

  it('is for those who may push to the source branch, while there is one', async () => {
    const at = await MergingScene.set(app.current);
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const reporter = await app.current.build.user();
    await app.current.build.member('project', at.project.id, reporter, 'reporter');
    const refusal = async (user = at.developer) => {
      const { status, body } = await rebase({ at, proposal }, user);
      return [status, body.message];
    };
    expect(await refusal(reporter)).toEqual([403, '403 Forbidden - Cannot push to source branch']);
    await app.current.build.protectedBranch(at.project, 'topic', 40);
    expect(await refusal()).toEqual([403, '403 Forbidden - Cannot push to source branch']);
    await app.current.database.query(`UPDATE merge_requests SET state = 'closed' WHERE id = $1`, [
      proposal.id,
    ]);
    expect((await refusal(at.maintainer))[0]).toBe(409);
    await at.git.git('update-ref', '-d', 'refs/heads/topic');
    expect(await refusal()).toEqual([403, '403 Forbidden - Source branch does not exist']);
    expect((await refusal(await app.current.build.user()))[0]).toBe(404);
  });
});
