import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RefMoves } from '../../../src/repository/repository.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { ForkScene, type ForkedMergeRequest } from '../../support/fork-scene';
import { git, remoteOf } from '../../support/git-client';

const app = useApplication({ TIER: 'ultimate' });

let at: ForkScene;
let folder: string;
beforeAll(async () => {
  at = await ForkScene.set(app.current);
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'lent-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const as = (user: BuiltUser) => app.current.as(user);
const lend = (params: object = {}): Promise<ForkedMergeRequest> =>
  at.propose({ allow_collaboration: true, ...params });

/** Whether the maintainer of the target may push to the branch of the fork, as the branch itself says. */
const canPush = async (branch: string, user = at.maintainer): Promise<boolean> =>
  (await as(user).get(`/projects/${at.fork.id}/repository/branches/${branch}`).expect(200)).body.can_push;

describe('PUT /projects/:id/merge_requests/:merge_request_iid: allow_collaboration', () => {
  it('is for whoever pushes to the fork, by either name; of others it is passed over', async () => {
    const lent = await at.propose();
    const put = async (user: BuiltUser, body: object) =>
      (await as(user).put(lent.url, body).expect(200)).body.allow_collaboration;
    expect(await put(at.maintainer, { allow_collaboration: true })).toBe(false);
    expect(await put(at.author, { allow_maintainer_to_push: true })).toBe(true);
    expect(await put(at.maintainer, { allow_collaboration: false })).toBe(true);
    expect(await put(at.author, { allow_collaboration: false })).toBe(false);
  });

  it('tells whether the branch is lent as things are now, by itself and in lists', async () => {
    const { url, iid, branch } = await lend();
    const told = async (): Promise<unknown> => {
      const list = await as(at.author)
        .get(`/projects/${at.target.id}/merge_requests?iids[]=${iid}`)
        .expect(200);
      const { body } = await as(at.author).get(url).expect(200);
      expect(list.body[0].allow_collaboration).toBe(body.allow_collaboration);
      expect(body.allow_maintainer_to_push).toBe(body.allow_collaboration);
      return body.allow_collaboration;
    };
    const unprotect = () =>
      app.current.database.query('DELETE FROM protected_branches WHERE project_id = $1 AND name <> $2', [
        at.fork.id,
        'master',
      ]);
    expect(await told()).toBe(true);
    // What stands for any character in SQL stands for itself in the name of a rule.
    await app.current.build.protectedBranch(at.fork, branch.replace('-', '_'), 30);
    await app.current.build.protectedBranch(at.fork, branch.replace('topic', '%'), 30);
    expect(await told()).toBe(true);
    await app.current.build.protectedBranch(at.fork, branch.replace('topic', 't*c'), 30);
    expect(await told()).toBe(false);
    await unprotect();
    expect(await told()).toBe(true);
    await at.set(at.fork, { visibility: 'private' });
    expect(await told()).toBe(false);
    await at.set(at.fork, { visibility: 'public' });
  });

  it('lends neither protected branches nor what is private, and nothing within one project', async () => {
    const { branch } = await at.branch('guarded');
    await app.current.build.protectedBranch(at.fork, branch, 30);
    const create = async (params: object) =>
      (
        await as(at.author)
          .post(`/projects/${at.fork.id}/merge_requests`, {
            source_branch: branch,
            target_branch: 'master',
            title: 'x',
            allow_collaboration: true,
            ...params,
          })
          .expect(201)
      ).body;
    const made = await create({ target_project_id: at.target.id });
    expect(made.allow_collaboration).toBe(false);
    const url = `/projects/${at.target.id}/merge_requests/${made.iid}`;
    const again = await as(at.author).put(url, { allow_collaboration: true }).expect(200);
    expect(again.body.allow_collaboration).toBe(false);
    expect(await create({})).not.toHaveProperty('allow_collaboration');
    const hidden = await ForkScene.set(app.current, {}, 'private');
    const { url: hiddenUrl } = await hidden.propose({ allow_collaboration: true });
    expect((await as(hidden.author).get(hiddenUrl).expect(200)).body.allow_collaboration).toBe(false);
  });
});

describe('a branch of a fork that an open merge request lends', () => {
  let lent: ForkedMergeRequest;
  let other: string;
  beforeAll(async () => {
    lent = await lend();
    ({ branch: other } = await at.branch());
  });

  it('takes commits, files, cherry-picks and reverts of whoever may merge it, and of nobody else', async () => {
    const files = (name: string) => `/projects/${at.fork.id}/repository/files/${name}`;
    const write = { branch: lent.branch, commit_message: 'x', content: 'x' };
    expect((await at.commit(at.maintainer, lent.branch))[0]).toBe(201);
    await as(at.maintainer).post(files('one'), write).expect(201);
    await as(at.maintainer)
      .put(files('one'), { ...write, content: 'y' })
      .expect(200);
    await as(at.maintainer).delete(files('one'), write).expect(204);
    const { head } = await at.branch();
    const commits = `/projects/${at.fork.id}/repository/commits`;
    await at.git.fork.commit({ branch: 'picked', parents: [at.target.tip], files: { picked: 'p' } });
    const picked = await at.tip('picked');
    const { body: copy } = await as(at.maintainer)
      .post(`${commits}/${picked}/cherry_pick`, { branch: lent.branch })
      .expect(201);
    await as(at.maintainer).post(`${commits}/${copy.id}/revert`, { branch: lent.branch }).expect(201);
    const tip = await at.tip(lent.branch);
    // `master` takes the developers of the target for merging no more than for pushing.
    for (const user of [at.developer, at.stranger]) {
      expect(await at.commit(user, lent.branch)).toEqual([403, '403 Forbidden']);
      expect((await as(user).post(files('two'), write)).status).toBe(403);
      expect((await as(user).delete(files('f'), write)).status).toBe(403);
      expect((await as(user).post(`${commits}/${head}/cherry_pick`, { branch: lent.branch })).status).toBe(
        403,
      );
      expect((await as(user).post(`${commits}/${head}/revert`, { branch: lent.branch })).status).toBe(403);
    }
    expect((await app.current.api.post(files('two'), write)).status).toBe(401);
    expect(await at.tip(lent.branch)).toBe(tip);
    expect([await canPush(lent.branch), await canPush(other), await canPush('master')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await canPush(lent.branch, at.developer)).toBe(false);
  });

  it('takes them of developers where those may merge', async () => {
    await as(at.maintainer)
      .post(`/projects/${at.target.id}/repository/branches`, { branch: 'open', ref: 'master' })
      .expect(201);
    const open = await lend({ target_branch: 'open' });
    expect((await at.commit(at.developer, open.branch))[0]).toBe(201);
    expect((await at.commit(at.stranger, open.branch))[0]).toBe(403);
  });

  it('is that branch alone: no other, no new one, no removal, no tag', async () => {
    const repository = `/projects/${at.fork.id}/repository`;
    const { maintainer } = at;
    expect(await at.commit(maintainer, other)).toEqual([403, '403 Forbidden']);
    expect(await at.commit(maintainer, 'master')).toEqual([403, '403 Forbidden']);
    const begin = { branch: 'new', ref: lent.branch };
    expect((await as(maintainer).post(`${repository}/branches`, begin)).status).toBe(403);
    expect((await as(maintainer).delete(`${repository}/branches/${lent.branch}`)).status).toBe(403);
    const tag = { tag_name: 'v1', ref: lent.branch };
    expect((await as(maintainer).post(`${repository}/tags`, tag)).status).toBe(403);
    expect((await as(maintainer).delete(`${repository}/merged_branches`)).status).toBe(403);
    expect((await as(maintainer).put(`/projects/${at.fork.id}`, { name: 'Mine' })).status).toBe(403);
  });

  it('takes pushes by git, which brings nothing else with them', async () => {
    const work = path.join(folder, 'work');
    const remote = (user: BuiltUser) => remoteOf(app.current.url, at.fork.fullPath, user.token);
    await git(folder, 'clone', '-q', '-b', lent.branch, remote(at.maintainer), work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Helped');
    await git(work, 'push', '-q', 'origin', lent.branch);
    const helped = await at.tip(lent.branch);
    const refused = (...refs: string[]) =>
      expect(git(work, 'push', '--atomic', 'origin', ...refs)).rejects.toThrow(
        'You are not allowed to push code to this project.',
      );
    await refused(`+HEAD:${other}`);
    await refused('HEAD:brand-new');
    await refused('HEAD:refs/tags/v2');
    await refused(`:${lent.branch}`);
    await refused('+HEAD:master');
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'More');
    await refused(`HEAD:${lent.branch}`, 'HEAD:refs/tags/v3');
    expect(await at.tip(lent.branch)).toBe(helped);
    // The developer is let in, for another branch.
    for (const user of [at.developer, at.stranger])
      await expect(git(work, 'push', remote(user), `HEAD:${lent.branch}`)).rejects.toThrow(
        /error: 403|You are not allowed to push code to this project/,
      );
    // What any branch that is not protected takes of its pushers.
    await git(work, 'commit', '-q', '--amend', '--allow-empty', '-m', 'Again');
    await git(work, 'push', '-q', '--force', 'origin', `HEAD:${lent.branch}`);
  });

  it('obeys the push rules of the fork', async () => {
    await as(at.author)
      .post(`/projects/${at.fork.id}/push_rule`, { commit_message_regex: 'JIRA' })
      .expect(201);
    expect((await at.commit(at.maintainer, lent.branch))[0]).toBe(400);
    await as(at.author).delete(`/projects/${at.fork.id}/push_rule`).expect(204);
    expect((await at.commit(at.maintainer, lent.branch))[0]).toBe(201);
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'the merge request is closed',
      () => as(at.author).put(lent.url, { state_event: 'close' }).expect(200),
      () => as(at.author).put(lent.url, { state_event: 'reopen' }).expect(200),
    ],
    [
      'it is taken back',
      () => as(at.author).put(lent.url, { allow_collaboration: false }).expect(200),
      () => as(at.author).put(lent.url, { allow_collaboration: true }).expect(200),
    ],
    [
      'the branch is protected',
      () => app.current.build.protectedBranch(at.fork, lent.branch, 30),
      () => as(at.author).delete(`/projects/${at.fork.id}/protected_branches/${lent.branch}`).expect(204),
    ],
    [
      'the target is private',
      () => at.set(at.target, { visibility: 'private' }),
      () => at.set(at.target, { visibility: 'public' }),
    ],
    [
      'the target is archived',
      () => at.set(at.target, { archived: true }),
      () => at.set(at.target, { archived: false }),
    ],
    [
      'the target has no merge requests',
      () => at.set(at.target, { merge_requests_access: 'disabled' }),
      () => at.set(at.target, { merge_requests_access: 'enabled' }),
    ],
    [
      'the fork is archived',
      () => at.set(at.fork, { archived: true }),
      () => at.set(at.fork, { archived: false }),
    ],
    [
      'the code of the fork is for its members',
      () => at.set(at.fork, { repository_access: 'private' }),
      () => at.set(at.fork, { repository_access: 'enabled' }),
    ],
    [
      'they are no member of the target any more',
      () =>
        app.current.database.query(
          'UPDATE members SET access_level = 30 WHERE source_id = $1 AND user_id = $2',
          [at.target.id, at.helper.id],
        ),
      () =>
        app.current.database.query(
          'UPDATE members SET access_level = 40 WHERE source_id = $1 AND user_id = $2',
          [at.target.id, at.helper.id],
        ),
    ],
  ])('is not lent while %s', async (_title, begin, end) => {
    expect((await at.commit(at.helper, lent.branch))[0]).toBe(201);
    await begin();
    const [status] = await at.commit(at.helper, lent.branch);
    expect(status).toBe(403);
    await end();
  });

  it('is lent for as long as the author of the merge request may push there', async () => {
    const { build, database } = app.current;
    const insider = await build.user();
    await build.member('project', at.fork.id, insider, 'developer');
    // Of their own, so that whoever they please may merge there.
    const own = await build.project({ owner: insider, visibility: 'public', files: { f: 'x' } });
    await as(insider).post(`/projects/${own.id}/fork/${at.fork.id}`).expect(201);
    const { branch } = await at.branch();
    const { body } = await as(insider)
      .post(`/projects/${at.fork.id}/merge_requests`, {
        source_branch: branch,
        target_branch: 'master',
        target_project_id: own.id,
        title: 'A way back',
        allow_collaboration: true,
      })
      .expect(201);
    expect(body.allow_collaboration).toBe(true);
    const accomplice = await build.user();
    await build.member('project', own.id, accomplice, 'maintainer');
    expect((await at.commit(accomplice, branch))[0]).toBe(201);
    await database.query('DELETE FROM members WHERE source_id = $1 AND user_id = $2', [
      at.fork.id,
      insider.id,
    ]);
    for (const user of [insider, accomplice])
      expect(await at.commit(user, branch)).toEqual([403, '403 Forbidden']);
    const shown = await as(insider).get(`/projects/${own.id}/merge_requests/${body.iid}`).expect(200);
    expect(shown.body.allow_collaboration).toBe(false);
  });

  it('is asked for again once the repository is theirs alone', async () => {
    const waited = await lend();
    const moves = app.current.nest.get(RefMoves);
    const locked = moves.locked.bind(moves);
    const work = path.join(folder, 'waiting');
    const remote = remoteOf(app.current.url, at.fork.fullPath, at.helper.token);
    await git(folder, 'clone', '-q', '-b', waited.branch, remote, work);
    await git(work, 'commit', '-q', '--allow-empty', '-m', 'Late');
    const spy = jest.spyOn(moves, 'locked').mockImplementation(async (project, ...rest) => {
      if (project.id === at.fork.id)
        await as(at.author).put(waited.url, { allow_collaboration: false }).expect(200);
      return locked(project, ...rest);
    });
    await expect(git(work, 'push', 'origin', waited.branch)).rejects.toThrow(
      'You are not allowed to push code to this project.',
    );
    spy.mockClear();
    await as(at.author).put(waited.url, { allow_collaboration: true }).expect(200);
    expect(await at.commit(at.helper, waited.branch)).toEqual([
      403,
      '403 Forbidden - You are not allowed to push into this branch',
    ]);
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
    expect(await at.tip(waited.branch)).toBe(waited.head);
  });

  it('is hidden with its fork from who may not see that', async () => {
    await at.set(at.fork, { visibility: 'private' });
    expect((await at.commit(at.maintainer, lent.branch))[0]).toBe(404);
    await app.current.build.member('project', at.fork.id, at.maintainer, 'reporter');
    expect(await at.commit(at.maintainer, lent.branch)).toEqual([403, '403 Forbidden']);
    await at.set(at.fork, { visibility: 'public' });
    expect((await at.commit(at.maintainer, lent.branch))[0]).toBe(201);
  });
});
