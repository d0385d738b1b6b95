import { ZERO_SHA } from '#libs/git';
import { RefMoves } from '../../../src/repository/repository.api';
import { RecoverMerges } from '../../../src/collaboration/merging/recover-merges.job';
import { until } from '#libs/testing';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { useApplication } from '../../support/application';
import { git, remoteOf } from '../../support/git-client';
import { lines, MergingScene, type Proposal } from '../../support/merging-scene';

const app = useApplication();

const scene = (columns: Readonly<Record<string, unknown>> = {}): Promise<MergingScene> =>
  MergingScene.set(app.current, columns);

const stateOf = async (at: MergingScene, proposal: Proposal): Promise<unknown> =>
  (await at.row(proposal))['state'];

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge, several at once', () => {
  it('merges once, however many ask', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const answers = await Promise.all([1, 2, 3].map(() => at.merge(at.maintainer, proposal)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 405, 405]);
    expect(await at.git.git('rev-list', '--count', '--merges', 'master')).toBe('1');
    expect(await at.notes(proposal)).toEqual(['merged']);
  });

  it('loses nothing of several that go to one branch, nor of commits that come between', async () => {
    const at = await scene();
    const proposals: Proposal[] = [];
    for (const line of [0, 4, 8]) {
      await at.branch(`topic-${line}`, { [line]: `new ${line}` });
      proposals.push(await at.propose({ source: `topic-${line}` }));
    }
    const file = { branch: 'master', content: 'x', commit_message: 'Between' };
    const work = [
      ...proposals.map((proposal) => at.merge(at.maintainer, proposal)),
      app.current.as(at.maintainer).post(`/projects/${at.project.id}/repository/files/new`, file),
    ];
    const answers = await Promise.all(work);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
    expect(await at.git.git('show', 'master:f')).toBe(
      lines({ 0: 'new 0', 4: 'new 4', 8: 'new 8' }).trimEnd(),
    );
    expect(await at.git.git('show', 'master:new')).toBe('x');
  });

  it('merges no commit that came after the head that the caller named', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const pushed = app.current.as(at.developer).post(`/projects/${at.project.id}/repository/files/new`, {
      branch: 'topic',
      content: 'x',
      commit_message: 'Late',
    });
    const [merge] = await Promise.all([at.merge(at.maintainer, proposal, { sha: proposal.head }), pushed]);
    const merged = await at.git.git('log', '--format=%H', 'master');
    expect([200, 409]).toContain(merge.status);
    expect(merged.includes(await at.tip('topic'))).toBe(false);
  });
});

describe('a merge whose process died in between', () => {
  /** As it is left behind: locked, with a note of where the target was to go. */
  async function interrupted(at: MergingScene, tipSha: string, minutesAgo: number): Promise<Proposal> {
    const proposal = await at.propose({ columns: { state: 'locked' } });
    await app.current.database.query(
      `INSERT INTO merge_attempts (merge_request_id, user_id, tip_sha, merge_commit_sha, removes_source_branch, created_at)
       VALUES ($1, $2, $3, $3, true, now() - make_interval(mins => $4))`,
      [proposal.id, at.maintainer.id, tipSha, minutesAgo],
    );
    return proposal;
  }
  const recover = () => app.current.nest.get(RecoverMerges).run({}, { signal: new AbortController().signal });

  it('is written down where the branch has moved, and opened again where it has not', async () => {
    const at = await scene();
    const head = await at.branch('topic', { 8: 'eight' });
    const arrived = await interrupted(at, head, 2);
    await at.git.git('update-ref', 'refs/heads/master', head);
    const other = await scene();
    await other.branch('topic', { 8: 'eight' });
    const lost = await interrupted(other, 'a'.repeat(40), 20);
    const young = await scene();
    await young.branch('topic', { 8: 'eight' });
    const underWay = await interrupted(young, 'a'.repeat(40), 2);
    await recover();
    expect(await at.row(arrived)).toMatchObject({ state: 'merged', merge_commit_sha: head });
    expect(await at.notes(arrived)).toEqual(['merged']);
    expect(await at.git.git('for-each-ref', 'refs/heads/topic')).toBe('');
    expect(await other.row(lost)).toMatchObject({
      state: 'opened',
      merge_error: 'Something went wrong during merge',
    });
    expect(await stateOf(young, underWay)).toBe('locked');
    await recover();
    expect(await at.notes(arrived)).toEqual(['merged']);
  });

  it.each([false, true])(
    'loses its source branch all the same, its issues closed before that: %s',
    async (closedIssues) => {
      const at = await scene();
      const head = await at.branch('topic', { 8: 'eight' });
      const { body: issue } = await app.current
        .as(at.maintainer)
        .post(`/projects/${at.project.id}/issues`, { title: 'Open' })
        .expect(201);
      const columns = {
        state: 'merged',
        merged_by_id: at.maintainer.id,
        merged_at: new Date(),
        merge_commit_sha: head,
        description: `Closes #${issue.iid}`,
      };
      const merged = await at.propose({ columns });
      await at.git.git('update-ref', 'refs/heads/master', head);
      await app.current.database.query(
        `INSERT INTO merge_attempts (merge_request_id, user_id, tip_sha, removes_source_branch, closed_issues, created_at)
         VALUES ($1, $2, $3, true, $4, now() - make_interval(mins => 2))`,
        [merged.id, at.maintainer.id, head, closedIssues],
      );
      await recover();
      expect(await at.git.git('for-each-ref', 'refs/heads/topic')).toBe('');
      // What was closed once and opened again by somebody stays open.
      const { body } = await app.current
        .as(at.maintainer)
        .get(`/projects/${at.project.id}/issues/${issue.iid}`);
      expect(body.state).toBe(closedIssues ? 'opened' : 'closed');
      const left = 'SELECT FROM merge_attempts WHERE merge_request_id = $1';
      expect((await app.current.database.query(left, [merged.id])).rows).toEqual([]);
    },
  );

  it('keeps the note of a branch that could not be removed yet', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const moves = app.current.nest.get(RefMoves);
    const push = moves.push.bind(moves);
    const failing = jest
      .spyOn(moves, 'push')
      .mockImplementation((move) =>
        move.updates.some(({ newSha }) => newSha === ZERO_SHA)
          ? Promise.reject(new Error('no disk'))
          : push(move),
      );
    const answer = await at.merge(at.maintainer, proposal, { should_remove_source_branch: true });
    failing.mockRestore();
    expect([answer.status, answer.body.state]).toEqual([200, 'merged']);
    expect(await at.tip('topic')).toBe(proposal.head);
    await app.current.database.query(`UPDATE merge_attempts SET created_at = now() - interval '2 minutes'`);
    await recover();
    expect(await at.git.git('for-each-ref', 'refs/heads/topic')).toBe('');
  });

  it('is given up at once where the branch has not moved', async () => {
    const at = await scene();
    await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    const failing = jest
      .spyOn(app.current.nest.get(RefMoves), 'move')
      .mockRejectedValueOnce(new Error('no disk'));
    expect((await at.merge(at.maintainer, proposal)).status).toBe(500);
    failing.mockRestore();
    expect(await at.row(proposal)).toMatchObject({
      state: 'opened',
      merge_error: 'Something went wrong during merge',
    });
    await at.merge(at.maintainer, proposal).expect(200);
    expect(await at.row(proposal)).toMatchObject({ state: 'merged', merge_error: null });
  });
});

describe('what comes to its target by a push', () => {
  it('is merged by whoever pushed it', async () => {
    const at = await scene();
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pushed-merge-'));
    const head = await at.branch('topic', { 8: 'eight' });
    const proposal = await at.propose();
    await at.branch('open', { 2: 'two' });
    const open = await at.propose({ source: 'open' });
    await git(
      folder,
      'clone',
      '-q',
      remoteOf(app.current.url, at.project.fullPath, at.maintainer.token),
      'work',
    );
    const work = path.join(folder, 'work');
    await git(work, 'merge', '-q', '--no-ff', '-m', 'By hand', 'origin/topic');
    await git(work, 'push', '-q', 'origin', 'master');
    await until(async () => (await stateOf(at, proposal)) === 'merged');
    expect(await at.row(proposal)).toMatchObject({
      merge_commit_sha: await at.tip('master'),
      merged_by_id: at.maintainer.id,
      head_sha: head,
    });
    expect(await stateOf(at, open)).toBe('opened');
    expect(await at.notes(proposal)).toEqual(['merged']);
    await fs.rm(folder, { recursive: true, force: true });
  });
});
