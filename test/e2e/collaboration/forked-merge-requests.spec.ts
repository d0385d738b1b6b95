import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '#libs/testing';
import { ProjectRemoval } from '../../../src/repository/projects/project-removal.service';
import { RefMoves } from '../../../src/repository/repository.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { ForkScene, type ForkedMergeRequest } from '../../support/fork-scene';
import { git } from '../../support/git-client';
import { HookReceiver } from '../../support/hook-receiver';
import { lines } from '../../support/merging-scene';

const app = useApplication({ TIER: 'ultimate', ALLOW_LOCAL_WEBHOOKS: 'true' });

const as = (user: BuiltUser) => app.current.as(user);
const scene = (): Promise<ForkScene> => ForkScene.set(app.current);
const shown = async (user: BuiltUser, { url }: ForkedMergeRequest) =>
  (await as(user).get(`${url}?include_rebase_in_progress=true`).expect(200)).body;
let receiver: HookReceiver;
beforeAll(async () => {
  receiver = await HookReceiver.start();
});
afterAll(() => receiver.close());

/** Has the receiver called for what happens in the project. */
const listen = async (user: BuiltUser, { id }: BuiltProject, flag: string): Promise<void> => {
  const hook = { url: `${receiver.url}/${id}`, push_events: false, [flag]: true };
  await as(user).post(`/projects/${id}/hooks`, hook).expect(201);
};
const heardOf = ({ id }: BuiltProject, kind: string, part: object): boolean =>
  receiver.calls.some(({ path: to, body }) => {
    const { object_attributes: attributes } = body;
    const known = { ...body, ...(typeof attributes === 'object' && attributes) };
    const isLike = Object.entries(part).every(([key, value]) => Reflect.get(known, key) === value);
    return to === `/hook/${id}` && body['object_kind'] === kind && isLike;
  });
const query = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await app.current.database.query<Record<string, unknown>>(text, values)).rows;

describe('PUT /projects/:id/merge_requests/:merge_request_iid/rebase, across forks', () => {
  const rebase = (user: BuiltUser, { url }: ForkedMergeRequest) => as(user).put(`${url}/rebase`);
  const refusal = async (user: BuiltUser, proposal: ForkedMergeRequest) => {
    const { status, body } = await rebase(user, proposal);
    return [status, body.message];
  };
  const rebased = async (at: ForkScene, proposal: ForkedMergeRequest, user = at.author) => {
    await rebase(user, proposal).expect(202);
    await until(async () => !(await shown(at.author, proposal)).rebase_in_progress);
    return shown(at.author, proposal);
  };
  const onTarget = (at: ForkScene, change: Readonly<Record<number, string>>) =>
    at.git.target.commit({ branch: 'master', files: { f: lines(change) } });

  it('moves the branch of the fork to what git makes of it, and the merge request with it', async () => {
    const at = await scene();
    const proposal = await at.propose();
    await at.git.fork.commit({ branch: proposal.branch, files: { more: 'm' }, message: 'More\n' });
    const target = await onTarget(at, { 1: 'one' });
    const work = await fs.mkdtemp(path.join(os.tmpdir(), 'rebase-'));
    await git('/', 'clone', '-q', '-b', proposal.branch, at.fork.repositoryPath, work);
    await git(work, 'fetch', '-q', at.target.repositoryPath, 'master:theirs');
    await git(work, 'rebase', '-q', 'theirs');
    await listen(at.author, at.fork, 'push_events');
    expect((await rebased(at, proposal)).merge_error).toBeNull();
    const tip = await at.tip(proposal.branch);
    const form = '--format=%T|%an|%ae|%at|%s';
    expect(await at.git.fork.git('log', form, `${target}..${tip}`)).toBe(
      (await git(work, 'log', form, 'theirs..HEAD')).trimEnd(),
    );
    expect(await at.git.fork.git('log', '-1', '--format=%cn', tip)).toBe(at.author.name);
    await until(async () => (await shown(at.author, proposal)).sha === tip);
    expect((await shown(at.author, proposal)).diff_refs).toEqual({
      base_sha: target,
      head_sha: tip,
      start_sha: target,
    });
    const { body: versions } = await as(at.developer).get(`${proposal.url}/versions`).expect(200);
    expect(versions[0]).toMatchObject({ head_commit_sha: tip });
    expect(versions.length).toBeGreaterThan(1);
    // Whoever listens to the fork hears of it as of any push.
    await until(() => heardOf(at.fork, 'push', { after: tip, user_id: at.author.id }));
    await fs.rm(work, { recursive: true, force: true });
  });

  it('is for pushers of the fork, and for whoever merges where the branch is lent to them', async () => {
    const at = await scene();
    const proposal = await at.propose();
    const target = await onTarget(at, { 1: 'one' });
    const mayNot = [403, '403 Forbidden - Cannot push to source branch'];
    for (const user of [at.maintainer, at.developer, at.stranger])
      expect(await refusal(user, proposal)).toEqual(mayNot);
    await as(at.author).put(proposal.url, { allow_collaboration: true }).expect(200);
    for (const user of [at.developer, at.stranger]) expect(await refusal(user, proposal)).toEqual(mayNot);
    await at.set(at.fork, { visibility: 'private' });
    expect(await refusal(at.maintainer, proposal)).toEqual(mayNot);
    await at.set(at.fork, { visibility: 'public' });
    await app.current.build.protectedBranch(at.fork, proposal.branch, 0);
    expect(await refusal(at.maintainer, proposal)).toEqual(mayNot);
    expect(await refusal(at.author, proposal)).toEqual(mayNot);
    await query('DELETE FROM protected_branches WHERE project_id = $1 AND name = $2', [
      at.fork.id,
      proposal.branch,
    ]);
    expect(await rebased(at, proposal, at.maintainer)).toMatchObject({ merge_error: null });
    expect(await at.git.fork.git('rev-parse', `${proposal.branch}~1`)).toBe(target);
    expect(await at.git.fork.git('log', '-1', '--format=%cn', proposal.branch)).toBe(at.maintainer.name);
  });

  it('leaves the branch alone where commits are in conflict', async () => {
    const at = await scene();
    const proposal = await at.propose();
    await onTarget(at, { 8: 'theirs' });
    expect(await rebased(at, proposal)).toMatchObject({
      merge_error: 'Rebase failed. Please rebase locally',
      sha: proposal.head,
    });
    expect(await at.tip(proposal.branch)).toBe(proposal.head);
  });

  it('gives way to a push that comes meanwhile', async () => {
    const at = await scene();
    const proposal = await at.propose();
    await onTarget(at, { 1: 'one' });
    const moves = app.current.nest.get(RefMoves);
    const lockedAnew = moves.lockedAnew.bind(moves);
    let pushed = '';
    const spy = jest.spyOn(moves, 'lockedAnew').mockImplementationOnce(async (...args) => {
      pushed = await at.git.fork.commit({ branch: proposal.branch, files: { fast: 'f' } });
      return lockedAnew(...args);
    });
    expect((await rebased(at, proposal)).merge_error).toBe('Rebase failed. Please rebase locally');
    spy.mockRestore();
    expect(await at.tip(proposal.branch)).toBe(pushed);
  });

  it('asks for the right to push again once the commits are written', async () => {
    const at = await scene();
    const proposal = await at.propose({ allow_collaboration: true });
    await onTarget(at, { 1: 'one' });
    const moves = app.current.nest.get(RefMoves);
    const lockedAnew = moves.lockedAnew.bind(moves);
    const spy = jest.spyOn(moves, 'lockedAnew').mockImplementationOnce(async (...args) => {
      await as(at.author).put(proposal.url, { allow_maintainer_to_push: false }).expect(200);
      return lockedAnew(...args);
    });
    expect((await rebased(at, proposal, at.maintainer)).merge_error).not.toBeNull();
    spy.mockRestore();
    expect(await at.tip(proposal.branch)).toBe(proposal.head);
  });
});

const READS = [
  '',
  '?include_diverged_commits_count=true&include_rebase_in_progress=true',
  '/commits',
  '/changes',
  '/versions',
  '/participants',
  '/pipelines',
  '/approvals',
  '/notes',
  '/discussions',
  '/closes_issues',
  '/time_stats',
  '/award_emoji',
  '/resource_label_events',
];

describe('DELETE /projects/:id/fork', () => {
  it('closes what is open between the fork and its former network, and nothing else', async () => {
    const at = await scene();
    const proposal = await at.propose();
    const closed = await at.propose();
    await as(at.maintainer).put(closed.url, { state_event: 'close' }).expect(200);
    const inside = await at.branch();
    const { body: own } = await as(at.author)
      .post(`/projects/${at.fork.id}/merge_requests`, {
        source_branch: inside.branch,
        target_branch: 'master',
        title: 'Within',
      })
      .expect(201);
    // From the target to the fork.
    await app.current.build.member('project', at.target.id, at.author, 'developer');
    const begin = { branch: 'back', ref: 'master' };
    await as(at.author).post(`/projects/${at.target.id}/repository/branches`, begin).expect(201);
    const { body: back } = await as(at.author)
      .post(`/projects/${at.target.id}/merge_requests`, {
        source_branch: 'back',
        target_branch: 'master',
        target_project_id: at.fork.id,
        title: 'Back',
      })
      .expect(201);
    await listen(at.maintainer, at.target, 'merge_requests_events');
    await as(at.author).delete(`/projects/${at.fork.id}/fork`).expect(204);
    await until(async () => (await shown(at.author, proposal)).state === 'closed');
    await until(() => heardOf(at.target, 'merge_request', { action: 'close', iid: proposal.iid }));
    expect(await shown(at.maintainer, proposal)).toMatchObject({
      closed_by: { id: at.author.id },
      closed_at: expect.stringMatching(/Z$/),
    });
    const notes = await as(at.maintainer).get(`${proposal.url}/notes`).expect(200);
    expect(notes.body).toMatchObject([{ body: 'closed', system: true, author: { id: at.author.id } }]);
    expect(
      await query('SELECT action, user_id::integer FROM state_events WHERE merge_request_id = $1', [
        proposal.id,
      ]),
    ).toEqual([{ action: 'closed', user_id: at.author.id }]);
    expect((await as(at.maintainer).get(`${closed.url}/notes`)).body).toHaveLength(1);
    const state = async (iid: number) =>
      (await as(at.author).get(`/projects/${at.fork.id}/merge_requests/${iid}`).expect(200)).body.state;
    await until(async () => (await state(back.iid)) === 'closed');
    expect(await state(own.iid)).toBe('opened');
    // A fork again, it takes up where it left.
    await at.relate();
    expect((await as(at.author).put(proposal.url, { state_event: 'reopen' }).expect(200)).body.state).toBe(
      'opened',
    );
  });

  it('closes those of the forks of the fork, which go with it', async () => {
    const at = await scene();
    const child = await app.current.build.project({
      owner: at.author,
      visibility: 'public',
      files: { o: 'x' },
    });
    await as(at.author).post(`/projects/${child.id}/fork/${at.fork.id}`).expect(201);
    const { branch } = await at.branch();
    await git(
      '/',
      '-C',
      child.repositoryPath,
      'fetch',
      '-q',
      at.fork.repositoryPath,
      `+refs/heads/*:refs/heads/*`,
    );
    const propose = async (target: number) =>
      (
        await as(at.author)
          .post(`/projects/${child.id}/merge_requests`, {
            source_branch: branch,
            target_branch: 'master',
            target_project_id: target,
            title: 'From afar',
          })
          .expect(201)
      ).body;
    const [far, near] = [await propose(at.target.id), await propose(at.fork.id)];
    await as(at.author).delete(`/projects/${at.fork.id}/fork`).expect(204);
    const stateOf = async (made: { project_id: number; iid: number }) =>
      (await as(at.author).get(`/projects/${made.project_id}/merge_requests/${made.iid}`).expect(200)).body
        .state;
    await until(async () => (await stateOf(far)) === 'closed');
    expect(await stateOf(near)).toBe('opened');
  });
});

describe('DELETE /projects/:id, of a fork', () => {
  it('closes its merge requests, which stay to be read as they were', async () => {
    const at = await scene();
    const [proposal, merged] = [await at.propose({ allow_collaboration: true }), await at.propose()];
    await at.git.fork.git('update-ref', '-d', `refs/heads/${merged.branch}`);
    await as(at.maintainer).put(`${proposal.url}/rebase`).expect(202);
    await until(async () => !(await shown(at.author, proposal)).rebase_in_progress);
    const keeps = async ({ iid, head }: ForkedMergeRequest) =>
      (await at.git.target.git('for-each-ref', `refs/merge-requests/${iid}/head`)).startsWith(head);
    await until(async () => keeps(proposal));
    await as(at.author).delete(`/projects/${at.fork.id}`).expect(202);
    await until(async () => (await shown(at.maintainer, proposal)).source_project_id === null);
    for (const one of [proposal, merged]) {
      expect(await shown(at.maintainer, one)).toMatchObject({
        state: 'closed',
        closed_by: { id: at.author.id },
        source_branch: one.branch,
        sha: one.head,
      });
      for (const rest of READS)
        expect([rest, (await as(at.maintainer).get(one.url + rest)).status]).toEqual([rest, 200]);
      const { body } = await as(at.maintainer).get(`${one.url}/changes`).expect(200);
      expect(body.changes).toMatchObject([{ new_path: 'f' }]);
      expect((await as(at.maintainer).put(`${one.url}/rebase`)).status).toBe(403);
      expect((await as(at.maintainer).put(`${one.url}/merge`)).status).toBe(405);
      expect((await as(at.maintainer).post(`${one.url}/pipelines`)).status).toBe(400);
      const again = await as(at.maintainer).put(one.url, { state_event: 'reopen', title: 'Still' });
      expect([again.status, again.body.state, again.body.title]).toEqual([200, 'closed', 'Still']);
    }
  });
});

describe('the removal of a fork with all that its namespace holds', () => {
  it('closes its merge requests in the name of nobody', async () => {
    const at = await scene();
    const proposal = await at.propose();
    await listen(at.maintainer, at.target, 'merge_requests_events');
    await at.set(at.fork, { pending_delete: true });
    await app.current.nest.get(ProjectRemoval).remove(at.fork.id, null);
    expect(await shown(at.maintainer, proposal)).toMatchObject({
      state: 'closed',
      closed_by: null,
      source_project_id: null,
    });
    await until(() => heardOf(at.target, 'merge_request', { action: 'close', iid: proposal.iid }));
  });
});

describe('POST /projects/:id/merge_requests, across forks', () => {
  const post = async (at: ForkScene, body: object, user = at.author) => {
    const { branch } = await at.branch();
    const { status, body: answer } = await as(user).post(`/projects/${at.fork.id}/merge_requests`, {
      source_branch: branch,
      target_branch: 'master',
      title: 'x',
      ...body,
    });
    return [status, answer.message];
  };

  it('refuses targets outside the network, hidden ones, and who pushes nothing to the fork', async () => {
    const at = await scene();
    const unrelated = await app.current.build.project({ visibility: 'public', files: { f: 'x' } });
    const hidden = await app.current.build.project({ files: { f: 'x' } });
    expect(await post(at, { target_project_id: unrelated.id })).toEqual([
      422,
      ['Source project is not a fork of the target project'],
    ]);
    const none = [404, '404 Project Not Found'];
    expect(await post(at, { target_project_id: hidden.id })).toEqual(none);
    expect(await post(at, { target_project_id: 2 ** 40 })).toEqual(none);
    for (const user of [at.stranger, at.maintainer])
      expect(await post(at, { target_project_id: at.target.id }, user)).toEqual([403, '403 Forbidden']);
    await at.set(at.target, { merge_requests_access: 'private' });
    expect((await post(at, { target_project_id: at.target.id }))[0]).toBe(403);
    await at.set(at.target, { merge_requests_access: 'enabled', archived: true });
    expect((await post(at, { target_project_id: at.target.id }))[0]).toBe(403);
  });

  it('comes from a private fork too, which shows what is proposed and nothing else', async () => {
    const at = await scene();
    await at.set(at.fork, { visibility: 'private' });
    const reporter = await app.current.build.user();
    await app.current.build.member('project', at.fork.id, reporter, 'reporter');
    expect(await post(at, { target_project_id: at.target.id }, reporter)).toEqual([403, '403 Forbidden']);
    expect(await post(at, { target_project_id: at.target.id }, at.maintainer)).toEqual([
      404,
      '404 Project Not Found',
    ]);
    const hidden = await at.branch();
    const proposal = await at.propose({ allow_collaboration: true });
    const { body } = await as(at.maintainer).get(`${proposal.url}/changes`).expect(200);
    expect(body).toMatchObject({ allow_collaboration: false, changes: [{ new_path: 'f' }] });
    for (const sha of [proposal.head, hidden.head]) {
      const commit = `/repository/commits/${sha}`;
      expect((await as(at.maintainer).get(`/projects/${at.fork.id}${commit}`)).status).toBe(404);
      expect((await as(at.maintainer).get(`/projects/${at.target.id}${commit}`)).status).toBe(
        sha === hidden.head ? 404 : 200,
      );
    }
    await as(at.maintainer).put(`${proposal.url}/merge`).expect(200);
  });

  it('comes from a history of its own, which cannot be merged or rebased', async () => {
    const at = await scene();
    const head = await at.git.fork.commit({ branch: 'alien', parents: [], files: { f: 'alien' } });
    const { body } = await as(at.author)
      .post(`/projects/${at.fork.id}/merge_requests`, {
        source_branch: 'alien',
        target_branch: 'master',
        target_project_id: at.target.id,
        title: 'From elsewhere',
      })
      .expect(201);
    const url = `/projects/${at.target.id}/merge_requests/${body.iid}`;
    for (const rest of READS)
      expect([rest, (await as(at.maintainer).get(url + rest)).status]).toEqual([rest, 200]);
    expect((await as(at.maintainer).get(url)).body.merge_status).toBe('cannot_be_merged');
    expect((await as(at.maintainer).put(`${url}/merge`)).status).toBe(406);
    await as(at.author).put(`${url}/rebase`).expect(202);
    await until(async () => {
      const { body: now } = await as(at.author).get(`${url}?include_rebase_in_progress=true`);
      return !now.rebase_in_progress;
    });
    expect(await at.tip('alien')).toBe(head);
  });

  it('keeps a later private fork to itself: nobody follows, builds or takes over what they may not read', async () => {
    const at = await scene();
    const proposal = await at.propose({ allow_collaboration: true });
    await at.set(at.fork, { visibility: 'private' });
    // What was shown stays; the fork itself is hidden.
    expect((await as(at.maintainer).get(`${proposal.url}/changes`)).status).toBe(200);
    expect((await as(at.maintainer).get(`/projects/${at.fork.id}`)).status).toBe(404);
    expect((await as(at.maintainer).get(`${proposal.url}/pipelines`)).body).toEqual([]);
    expect((await shown(at.maintainer, proposal)).head_pipeline).toBeNull();
  });

  it('goes on where its branch went and came again', async () => {
    const at = await scene();
    const proposal = await at.propose();
    const branches = `/projects/${at.fork.id}/repository/branches`;
    await as(at.author).delete(`${branches}/${proposal.branch}`).expect(204);
    await until(async () => {
      const { body } = await as(at.author).get(`${proposal.url}/notes`);
      return body.length === 1;
    });
    expect((await as(at.maintainer).put(`${proposal.url}/merge`)).status).toBeGreaterThanOrEqual(400);
    expect((await shown(at.maintainer, proposal)).sha).toBe(proposal.head);
    const begin = { branch: proposal.branch, ref: proposal.head };
    await as(at.author).post(branches, begin).expect(201);
    const [status] = await at.commit(at.author, proposal.branch);
    expect(status).toBe(201);
    const tip = await at.tip(proposal.branch);
    await until(async () => (await shown(at.author, proposal)).sha === tip);
    await as(at.maintainer).put(`${proposal.url}/merge`).expect(200);
    expect(await at.git.target.git('rev-parse', 'master^2')).toBe(tip);
  });

  it('is reopened only while no other is open between the branches', async () => {
    const at = await scene();
    const first = await at.propose();
    await as(at.author).put(first.url, { state_event: 'close' }).expect(200);
    const body = {
      source_branch: first.branch,
      target_branch: 'master',
      target_project_id: at.target.id,
      title: 'Second',
    };
    const { body: second } = await as(at.author)
      .post(`/projects/${at.fork.id}/merge_requests`, body)
      .expect(201);
    const again = await as(at.author).put(first.url, { state_event: 'reopen' });
    expect([again.status, again.body]).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${second.iid}`] },
    ]);
    expect((await shown(at.author, first)).state).toBe('closed');
  });
});
