import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { branchOf, mergeRequest } from '../../support/collaboration-builders';
import { git, remoteOf } from '../../support/git-client';
import { HookReceiver } from '../../support/hook-receiver';

const app = useApplication({ TIER: 'starter', ALLOW_LOCAL_WEBHOOKS: 'true' });

let owner: BuiltUser;
let author: BuiltUser;
let project: BuiltProject;
let receiver: HookReceiver;
beforeAll(async () => {
  owner = await app.current.build.user();
  author = await app.current.build.user();
  project = await app.current.build.project({ owner, members: { developer: author }, files: { a: 'x\n' } });
  receiver = await HookReceiver.start();
});
afterAll(() => receiver.close());

const as = (user: BuiltUser) => app.current.as(user);
const url = (rest = '') => `/projects/${project.id}/merge_requests${rest}`;
const notesOf = async (iid: number): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    `SELECT n.body FROM notes n JOIN merge_requests mr ON mr.id = n.merge_request_id
     WHERE mr.project_id = $1 AND mr.iid = $2 ORDER BY n.id`,
    [project.id, iid],
  );
  return rows.map(({ body }) => body);
};
const make = (params: object = {}) => mergeRequest(app.current, { project, author, params });

describe('GET /projects/:id/merge_requests/:merge_request_iid/changes', () => {
  it('has the differences to where the branch left the target', async () => {
    const { iid, branch, sha } = await make();
    await as(owner)
      .post(`/projects/${project.id}/repository/commits`, {
        branch: 'master',
        commit_message: 'Meanwhile',
        actions: [{ action: 'create', file_path: `meanwhile-${iid}`, content: 'm' }],
      })
      .expect(201);
    const { body } = await as(author)
      .get(url(`/${iid}/changes`))
      .expect(200);
    expect(body).toMatchObject({ iid, sha, subscribed: true });
    expect(body.changes).toEqual([
      {
        diff: '@@ -0,0 +1 @@\n+x\n',
        new_path: branch,
        old_path: branch,
        a_mode: '0',
        b_mode: '100644',
        new_file: true,
        renamed_file: false,
        deleted_file: false,
      },
    ]);
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/commits has those that the target has not', async () => {
    const { iid, sha } = await make();
    const commits = await as(author)
      .get(url(`/${iid}/commits`))
      .expect(200);
    expect([commits.body.map(({ id }: { id: string }) => id), commits.headers['x-total']]).toEqual([
      [sha],
      '1',
    ]);
  });
});

describe('who hears of a merge request', () => {
  let iid: number;
  beforeAll(async () => ({ iid } = await make()));

  it('POST /projects/:id/merge_requests/:merge_request_iid/subscribe makes somebody hear of it, once', async () => {
    expect(
      (
        await as(owner)
          .post(url(`/${iid}/subscribe`))
          .expect(201)
      ).body.subscribed,
    ).toBe(true);
    expect((await as(owner).post(url(`/${iid}/subscribe`))).status).toBe(304);
    expect((await app.current.api.post(url(`/${iid}/subscribe`))).status).toBe(401);
    expect((await as(owner).post(url('/999/subscribe'))).status).toBe(404);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe does the contrary', async () => {
    expect(
      (
        await as(author)
          .post(url(`/${iid}/unsubscribe`))
          .expect(201)
      ).body.subscribed,
    ).toBe(false);
    expect((await as(author).post(url(`/${iid}/unsubscribe`))).status).toBe(304);
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid/participants', () => {
  it('lists who takes part', async () => {
    const { iid } = await make({ assignee_id: owner.id });
    const { body } = await as(author)
      .get(url(`/${iid}/participants`))
      .expect(200);
    expect(body.map(({ id }: { id: number }) => id)).toEqual([author.id, owner.id]);
  });

  it('lists whom notes call, as far as they may read it', async () => {
    const { iid } = await make();
    const { build } = app.current;
    const [reader, guest, outsider] = [await build.user(), await build.user(), await build.user()];
    await build.member('project', project.id, reader, 'reporter');
    await build.member('project', project.id, guest, 'guest');
    const body = `@${guest.username} @${reader.username} @${outsider.username} @nobody`;
    await as(author)
      .post(url(`/${iid}/notes`), { body })
      .expect(201);
    const { body: people } = await as(author)
      .get(url(`/${iid}/participants`))
      .expect(200);
    expect(people.map(({ id }: { id: number }) => id)).toEqual([author.id, reader.id]);
    const { body: shown } = await as(reader)
      .get(url(`/${iid}`))
      .expect(200);
    expect(shown.subscribed).toBe(true);
  });
});

describe('the times of a merge request', () => {
  let iid: number;
  beforeAll(async () => ({ iid } = await make()));
  const post = (row: string, duration?: string, user = author) =>
    as(user).post(url(`/${iid}/${row}`), duration === undefined ? {} : { duration });

  it('POST /projects/:id/merge_requests/:merge_request_iid/time_estimate says how long it is to take', async () => {
    expect((await post('time_estimate', '3h30m').expect(200)).body).toMatchObject({
      human_time_estimate: '3h 30m',
    });
    expect((await post('time_estimate', 'soon')).status).toBe(400);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time says how long it took', async () => {
    expect((await post('add_spent_time', '1h').expect(201)).body).toMatchObject({ total_time_spent: 3600 });
    const reporter = await app.current.build.user();
    await app.current.build.member('project', project.id, reporter, 'reporter');
    expect((await post('add_spent_time', '1h', reporter)).status).toBe(403);
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/time_stats tells both', async () => {
    expect((await as(author).get(url(`/${iid}/time_stats`))).body).toEqual({
      time_estimate: 12_600,
      total_time_spent: 3600,
      human_time_estimate: '3h 30m',
      human_total_time_spent: '1h',
    });
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate forgets the one', async () => {
    expect((await post('reset_time_estimate').expect(200)).body).toMatchObject({
      time_estimate: 0,
      total_time_spent: 3600,
    });
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time forgets the other', async () => {
    expect((await post('reset_spent_time').expect(200)).body).toMatchObject({ total_time_spent: 0 });
  });
});

describe('the pipelines of a merge request', () => {
  it('GET /projects/:id/merge_requests/:merge_request_iid/pipelines has those of its commits, the newest at its head', async () => {
    const { iid, sha, branch } = await make();
    await as(author)
      .post(`/projects/${project.id}/statuses/${sha}`, { state: 'success', ref: branch, name: 'ci' })
      .expect(201);
    await until(async () => (await as(author).get(url(`/${iid}`))).body.head_pipeline !== null);
    const { body } = await as(author)
      .get(url(`/${iid}`))
      .expect(200);
    expect(body.pipeline).toMatchObject({ sha, ref: branch, status: 'success' });
    expect(body.head_pipeline).toMatchObject({ id: body.pipeline.id, user: { id: author.id } });
    expect(
      (
        await as(author)
          .get(url(`/${iid}/pipelines`))
          .expect(200)
      ).body,
    ).toEqual([body.pipeline]);
    // One that is opened later finds what ran before.
    await as(author)
      .put(url(`/${iid}`), { state_event: 'close' })
      .expect(200);
    const again = await as(author)
      .post(url(), { source_branch: branch, target_branch: 'master', title: 'Again' })
      .expect(201);
    expect(again.body.head_pipeline.id).toBe(body.pipeline.id);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/pipelines makes one of the jobs that are meant for it', async () => {
    const { iid } = await make();
    expect((await as(author).post(url(`/${iid}/pipelines`))).status).toBe(400);
    const config = 'check:\n  script: [make]\n  only: [merge_requests]\n';
    const branch = 'with-jobs';
    const sha = await branchOf(project, { branch, files: { '.gitlab-ci.yml': config } });
    const opened = await as(author)
      .post(url(), { source_branch: branch, target_branch: 'master', title: 'Built' })
      .expect(201);
    const path = url(`/${opened.body.iid}/pipelines`);
    await until(async () => (await as(author).get(path)).body.length === 1);
    const { body } = await as(author).post(path).expect(201);
    expect(body).toMatchObject({ sha, ref: `refs/merge-requests/${opened.body.iid}/head` });
    expect((await as(author).get(path)).body).toHaveLength(2);
  });
});

describe('the versions of a merge request', () => {
  it('GET /projects/:id/merge_requests/:merge_request_iid/versions lists them', async () => {
    const { iid, id, sha } = await make();
    const { body } = await as(author)
      .get(url(`/${iid}/versions`))
      .expect(200);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        head_commit_sha: sha,
        base_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        start_commit_sha: body[0].base_commit_sha,
        created_at: expect.stringMatching(/Z$/),
        merge_request_id: id,
        state: 'collected',
        real_size: '1',
      },
    ]);
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id has what is in one', async () => {
    const [{ iid, sha, branch }, other] = [await make(), await make()];
    const [version] = (await as(author).get(url(`/${iid}/versions`))).body;
    const { body } = await as(author)
      .get(url(`/${iid}/versions/${version.id}`))
      .expect(200);
    expect(body).toMatchObject({ ...version, commits: [{ id: sha }], diffs: [{ new_path: branch }] });
    expect((await as(author).get(url(`/${other.iid}/versions/${version.id}`))).status).toBe(404);
  });
});

describe('hooks', () => {
  it('tell of what is done about merge requests', async () => {
    await as(owner)
      .post(`/projects/${project.id}/hooks`, {
        url: receiver.url,
        merge_requests_events: true,
        push_events: false,
      })
      .expect(201);
    const { iid, sha } = await make({ title: 'Told', labels: 'bug', assignee_id: owner.id });
    await as(author)
      .put(url(`/${iid}`), { title: 'Retold', labels: '', assignee_id: author.id })
      .expect(200);
    await as(author)
      .put(url(`/${iid}`), { state_event: 'close' })
      .expect(200);
    await as(author)
      .put(url(`/${iid}`), { state_event: 'reopen' })
      .expect(200);
    await as(owner)
      .post(url(`/${iid}/approve`))
      .expect(201);
    const calls = await receiver.got(5);
    const bodies = calls.map(({ body }) => body);
    expect(calls.map(({ headers }) => headers['x-service-event'])).toEqual(
      Array.from({ length: 5 }, () => 'Merge Request Hook'),
    );
    expect(bodies[0]).toMatchObject({
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { username: author.username },
      project: { id: project.id },
      object_attributes: {
        iid,
        action: 'open',
        source_branch: expect.any(String),
        target_branch: 'master',
        source: { id: project.id },
        target: { id: project.id },
        last_commit: { id: sha },
        work_in_progress: false,
        url: `http://service.test/${project.fullPath}/merge_requests/${iid}`,
      },
      changes: {},
      repository: { name: project.path },
    });
    expect(bodies[1]).toMatchObject({
      object_attributes: { action: 'update' },
      changes: {
        title: { previous: 'Told', current: 'Retold' },
        assignees: { previous: [{ username: owner.username }], current: [{ username: author.username }] },
        labels: { previous: [{ title: 'bug', type: 'ProjectLabel' }], current: [] },
      },
      assignees: [{ username: author.username }],
    });
    expect(bodies.slice(2).map((body) => body['object_attributes'])).toMatchObject([
      { action: 'close' },
      { action: 'reopen' },
      { action: 'approved' },
    ]);
  });
});

describe('a user who leaves', () => {
  it('leaves merge requests to the ghost', async () => {
    const leaving = await app.current.build.user();
    const admin = await app.current.build.user({ admin: true });
    await app.current.build.member('project', project.id, leaving, 'developer');
    const { iid } = await mergeRequest(app.current, {
      project,
      author: leaving,
      params: { assignee_id: leaving.id },
    });
    await as(owner)
      .post(url(`/${iid}/approve`))
      .expect(201);
    const closed = await mergeRequest(app.current, { project, author });
    const merged = await mergeRequest(app.current, { project, author });
    const deeds = `UPDATE merge_requests SET state = 'closed', closed_at = now(), closed_by_id = $1 WHERE id = $2`;
    await app.current.database.query(deeds, [leaving.id, closed.id]);
    const merge = `UPDATE merge_requests SET state = 'merged', merged_at = now(), merged_by_id = $1 WHERE id = $2`;
    await app.current.database.query(merge, [leaving.id, merged.id]);
    await as(admin).delete(`/users/${leaving.id}`).expect(204);
    await until(async () => (await as(owner).get(url(`/${iid}`))).body.author?.username === 'ghost');
    const by = async (one: { iid: number }, key: string) =>
      (await as(owner).get(url(`/${one.iid}`))).body[key]?.username;
    await until(async () => (await by(closed, 'closed_by')) === 'ghost');
    await until(async () => (await by(merged, 'merged_by')) === 'ghost');
    const { body } = await as(owner)
      .get(url(`/${iid}`))
      .expect(200);
    expect(body.assignees).toEqual([]);
    for (const rest of ['/approvals', '/commits', '/changes', '/versions', '/participants', '/pipelines'])
      expect((await as(owner).get(url(`/${iid}${rest}`))).status).toBe(200);
  });
});

describe('a branch of a merge request', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pushing-'));
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  it('moves on by a push to a new version, with a note, and approvals gone', async () => {
    const { iid, sha, branch } = await mergeRequest(app.current, { project, author });
    await as(owner)
      .post(url(`/${iid}/approve`))
      .expect(201);
    await git('/', 'clone', '--quiet', remoteOf(app.current.url, project.fullPath, author.token), folder);
    await git(folder, 'checkout', '--quiet', branch);
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'fixup! <More>');
    await git(folder, 'push', '--quiet', 'origin', branch);
    const head = (await git(folder, 'rev-parse', 'HEAD')).trim();
    await until(async () => (await as(author).get(url(`/${iid}`))).body.sha === head);
    const { body: versions } = await as(author)
      .get(url(`/${iid}/versions`))
      .expect(200);
    expect(versions).toMatchObject([
      { head_commit_sha: head, base_commit_sha: expect.any(String), state: 'collected', real_size: '1' },
      { head_commit_sha: sha },
    ]);
    const { body: first } = await as(author)
      .get(url(`/${iid}/versions/${versions[1].id}`))
      .expect(200);
    expect([first.commits, first.diffs]).toMatchObject([[{ id: sha }], [{ new_path: branch }]]);
    expect((await as(author).get(url(`/${iid}/versions/1${versions[1].id}`))).status).toBe(404);
    const notes = await notesOf(iid);
    expect(notes.slice(1)).toEqual([
      expect.stringContaining(
        `added 1 commit\n\n<ul><li>${head.slice(0, 8)} - fixup! &lt;More&gt;</li></ul>`,
      ),
      `marked as a **Work In Progress** from ${head}`,
    ]);
    expect((await as(author).get(url(`/${iid}/approvals`))).body.approved_by).toEqual([]);
    // Thrown away: the former head can still be read.
    await git(folder, 'reset', '--quiet', '--hard', 'HEAD~2');
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Anew');
    await git(folder, 'push', '--quiet', '--force', 'origin', branch);
    const anew = (await git(folder, 'rev-parse', 'HEAD')).trim();
    await until(async () => (await as(author).get(url(`/${iid}`))).body.sha === anew);
    const kept = `refs/keep-around/${head}`;
    await until(async () => (await git(project.repositoryPath, 'for-each-ref', kept)).includes(head));
    // Gone: it stays as it was.
    await git(folder, 'push', '--quiet', 'origin', `:${branch}`);
    await until(async () => (await notesOf(iid)).includes(`deleted source branch \`${branch}\``));
    const { body } = await as(author)
      .get(url(`/${iid}`))
      .expect(200);
    expect(body).toMatchObject({ state: 'opened', sha: anew });
    expect((await as(author).get(url(`/${iid}/commits`))).body).toMatchObject([{ id: anew }]);
  });
});
