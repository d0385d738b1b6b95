import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GitFixture, until } from '#libs/testing';
import { useApplication } from '../../support/application';
import { git, remoteOf } from '../../support/git-client';
import { HookReceiver } from '../../support/hook-receiver';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let receiver: HookReceiver;
let folder: string;

beforeAll(async () => {
  receiver = await HookReceiver.start();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'life-of-a-change-'));
});
afterAll(async () => {
  await receiver.close();
  await fs.rm(folder, { recursive: true, force: true });
});

const ALL_EVENTS = {
  push_events: true,
  issues_events: true,
  merge_requests_events: true,
  note_events: true,
  pipeline_events: true,
};

const EXPECTED = [
  'issue open',
  'push',
  'merge_request open',
  'note',
  'pipeline',
  'merge_request merge',
  'issue close',
];

/** "kind action" of every call so far. */
const told = (): string[] =>
  receiver.calls.map(({ body }) => {
    const attributes = body['object_attributes'];
    const action = typeof attributes === 'object' && attributes !== null && 'action' in attributes;
    return `${String(body['object_kind'])} ${action ? String(attributes.action) : ''}`.trim();
  });

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge at the end of a change', () => {
  it('goes from an issue to a merged branch, and everybody hears of it', async () => {
    const maintainer = await app.current.build.user();
    const developer = await app.current.build.user();
    const project = await app.current.build.project({
      members: { maintainer, developer },
      files: { 'README.md': 'Read me\n' },
    });
    const url = `/projects/${project.id}`;
    const [boss, dev] = [app.current.as(maintainer), app.current.as(developer)];
    await boss.post(`${url}/hooks`, { url: receiver.url, ...ALL_EVENTS }).expect(201);

    const issue = await dev.post(`${url}/issues`, { title: 'The README says nothing' }).expect(201);
    await dev.post(`${url}/repository/branches`, { branch: '1-say-more', ref: 'master' }).expect(201);
    const action = { action: 'update', file_path: 'README.md', content: 'Read me, please\n' };
    const commit = { branch: '1-say-more', commit_message: 'Be polite', actions: [action] };
    await dev.post(`${url}/repository/commits`, commit).expect(201);

    const work = path.join(folder, 'work');
    const remote = remoteOf(app.current.url, project.fullPath, developer.token);
    await git(folder, 'clone', '-q', '-b', '1-say-more', remote, work);
    await fs.writeFile(path.join(work, 'INSTALL'), 'Just run it\n');
    await git(work, 'add', '.');
    await git(work, 'commit', '-q', '-m', `Say how to install\n\nCloses #${issue.body.iid}`);
    await git(work, 'push', '-q', 'origin', '1-say-more');
    const head = (await git(work, 'rev-parse', 'HEAD')).trim();

    const proposal = await dev
      .post(`${url}/merge_requests`, {
        source_branch: '1-say-more',
        target_branch: 'master',
        title: 'Say more',
        assignee_id: maintainer.id,
        remove_source_branch: true,
      })
      .expect(201);
    expect(proposal.body).toMatchObject({ state: 'opened', sha: head });
    const one = `${url}/merge_requests/${proposal.body.iid}`;
    expect((await boss.get('/user_counts')).body).toEqual({ merge_requests: 1 });
    expect((await boss.get(`${one}/closes_issues`)).body).toMatchObject([{ iid: issue.body.iid }]);
    await boss.post(`${one}/notes`, { body: 'Looks good' }).expect(201);

    for (const state of ['running', 'success'])
      await dev.post(`${url}/statuses/${head}`, { state, ref: '1-say-more', name: 'ci' }).expect(201);
    await until(async () => (await boss.get(one)).body.head_pipeline?.status === 'success');
    expect((await boss.get(one)).body).toMatchObject({
      merge_status: 'can_be_merged',
      user: { can_merge: true },
    });
    expect((await dev.put(`${one}/merge`, { sha: head })).status).toBe(401);

    const merged = await boss.put(`${one}/merge`, { sha: head }).expect(200);
    const onDisk = GitFixture.on(project.repositoryPath);
    expect(merged.body).toMatchObject({
      state: 'merged',
      merged_by: { id: maintainer.id },
      merge_commit_sha: await onDisk.git('rev-parse', 'master'),
    });
    expect(await onDisk.git('for-each-ref', 'refs/heads', '--format=%(refname:short)')).toBe('master');
    expect(await onDisk.git('log', '-1', '--format=%B', 'master')).toContain(`Closes #${issue.body.iid}`);
    expect((await dev.get(`${url}/issues/${issue.body.iid}`)).body).toMatchObject({
      state: 'closed',
      closed_by: { id: maintainer.id },
    });
    expect((await dev.get(`${url}/repository/commits/${head}/merge_requests`)).body).toMatchObject([
      { iid: proposal.body.iid, state: 'merged' },
    ]);
    expect((await boss.get('/user_counts')).body).toEqual({ merge_requests: 0 });

    await until(() => EXPECTED.every((call) => told().includes(call)));
    expect(new Set(told())).toEqual(new Set(EXPECTED));
  });
});
