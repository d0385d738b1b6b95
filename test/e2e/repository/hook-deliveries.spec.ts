import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ZERO_SHA } from '#libs/git';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { git, remoteOf } from '../../support/git-client';
import { HookReceiver, type ReceivedCall } from '../../support/hook-receiver';

const application = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let receiver: HookReceiver;
let folder: string;
beforeEach(async () => {
  receiver = await HookReceiver.start();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'hooks-'));
});
afterEach(async () => {
  await receiver.close();
  await fs.rm(folder, { recursive: true, force: true });
});

interface Place {
  readonly project: BuiltProject;
  readonly maintainer: BuiltUser;
}

async function aProject(): Promise<Place> {
  const { build } = application.current;
  const maintainer = await build.user();
  const project = await build.project({ members: { maintainer }, files: { 'README.md': 'hello' } });
  return { project, maintainer };
}

async function hookIn(
  { project, maintainer }: Place,
  fields: object = {},
): Promise<{ id: number; path: string }> {
  const hooks = `/projects/${project.id}/hooks`;
  const { status, body } = await application.current
    .as(maintainer)
    .post(hooks, { url: receiver.url, ...fields });
  expect(status).toBe(201);
  return { id: body.id, path: `${hooks}/${body.id}` };
}

/** By the API: one commit with one new file. */
async function commit(
  { project, maintainer }: Place,
  branch: string,
  file: string,
  more: object = {},
): Promise<string> {
  const actions = [{ action: 'create', file_path: file, content: 'x' }];
  const { status, body } = await application.current
    .as(maintainer)
    .post(`/projects/${project.id}/repository/commits`, {
      branch,
      commit_message: `Add ${file}`,
      actions,
      ...more,
    });
  expect(status).toBe(201);
  return body.id;
}

/** Until the log of a hook says that so many calls are over; the latest first. */
const finished = (place: Place, hook: { path: string }, count: number) =>
  until(async () => {
    const { body } = await application.current.as(place.maintainer).get(`${hook.path}/events`);
    return (
      body.filter((entry: { finished_at: string | null }) => entry.finished_at !== null).length >= count &&
      body
    );
  });

const bodies = (calls: readonly ReceivedCall[]) => calls.map(({ body }) => body);

describe('a hook for pushes', () => {
  it('is told of a commit that the API made, field by field', async () => {
    const place = await aProject();
    const { project, maintainer } = place;
    await hookIn(place, { token: 'a secret: ä' });
    const sha = await commit(place, 'master', 'new.txt');
    const [call] = await receiver.got(1);
    expect(call).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'x-service-event': 'Push Hook',
        'x-service-token': Buffer.from('a secret: ä').toString('latin1'),
        // Under these names the reference's receivers look: its plugins, go-gitlab.
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': Buffer.from('a secret: ä').toString('latin1'),
      },
    });
    const web = `http://service.test/${project.fullPath}`;
    const ssh = `git@service.test:${project.fullPath}.git`;
    expect(call?.body).toEqual({
      object_kind: 'push',
      event_name: 'push',
      before: project.tip,
      after: sha,
      ref: 'refs/heads/master',
      checkout_sha: sha,
      message: null,
      user_id: maintainer.id,
      user_name: maintainer.name,
      user_username: maintainer.username,
      // The address that the user shows to everybody: none.
      user_email: '',
      user_avatar: null,
      project_id: project.id,
      project: {
        id: project.id,
        name: project.path,
        description: '',
        web_url: web,
        avatar_url: null,
        git_ssh_url: ssh,
        git_http_url: `${web}.git`,
        namespace: expect.any(String),
        visibility_level: 0,
        path_with_namespace: project.fullPath,
        default_branch: 'master',
        ci_config_path: null,
        homepage: web,
        url: ssh,
        ssh_url: ssh,
        http_url: `${web}.git`,
      },
      commits: [
        {
          id: sha,
          message: 'Add new.txt',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
          url: `${web}/commit/${sha}`,
          author: { name: maintainer.name, email: maintainer.email },
          added: ['new.txt'],
          modified: [],
          removed: [],
        },
      ],
      total_commits_count: 1,
      repository: {
        name: project.path,
        url: ssh,
        description: '',
        homepage: web,
        git_http_url: `${web}.git`,
        git_ssh_url: ssh,
        visibility_level: 0,
      },
    });
  });

  it('is told of a git push: the newest twenty commits, oldest first, with their files', async () => {
    const place = await aProject();
    await hookIn(place);
    const remote = remoteOf(application.current.url, place.project.fullPath, place.maintainer.token);
    await git(folder, 'clone', '-q', remote, 'work');
    const work = path.join(folder, 'work');
    for (let number = 1; number <= 24; number++)
      await git(work, 'commit', '-q', '--allow-empty', '-m', `C${number}`);
    await fs.writeFile(path.join(work, 'added'), 'content of a file that is long enough\n'.repeat(9));
    await fs.writeFile(path.join(work, 'README.md'), 'changed');
    await git(work, 'add', '-A');
    await git(work, 'commit', '-q', '-m', 'Add and change');
    await git(work, 'mv', 'added', 'moved');
    await git(work, 'rm', '-q', 'README.md');
    await git(work, 'commit', '-q', '-m', 'Move and remove');
    await git(work, 'push', '-q', 'origin', 'master');
    const [call] = await receiver.got(1);
    expect(call?.body).toMatchObject({ before: place.project.tip, total_commits_count: 26 });
    const { commits } = call?.body ?? {};
    if (!Array.isArray(commits)) throw new Error('commits are a list');
    expect(commits.map(({ message }) => message.trim())).toEqual([
      ...Array.from({ length: 18 }, (_, index) => `C${index + 7}`),
      'Add and change',
      'Move and remove',
    ]);
    expect(commits.at(-2)).toMatchObject({ added: ['added'], modified: ['README.md'], removed: [] });
    expect(commits.at(-1)).toMatchObject({ added: ['moved'], modified: [] });
    expect(commits.at(-1).removed.sort()).toEqual(['README.md', 'added']);
  });

  it('is told when a branch comes and goes', async () => {
    const place = await aProject();
    await hookIn(place);
    const api = application.current.as(place.maintainer);
    const branches = `/projects/${place.project.id}/repository/branches`;
    await api.post(branches, { branch: 'topic', ref: 'master' });
    await receiver.got(1);
    const sha = await commit(place, 'other', 'other.txt', { start_branch: 'master' });
    await receiver.got(2);
    await api.delete(`${branches}/topic`);
    const calls = await receiver.got(3);
    const { tip } = place.project;
    expect(bodies(calls)).toMatchObject([
      {
        ref: 'refs/heads/topic',
        before: ZERO_SHA,
        after: tip,
        checkout_sha: tip,
        commits: [],
        total_commits_count: 0,
      },
      {
        ref: 'refs/heads/other',
        before: ZERO_SHA,
        after: sha,
        commits: [{ id: sha }],
        total_commits_count: 1,
      },
      {
        ref: 'refs/heads/topic',
        before: tip,
        after: ZERO_SHA,
        checkout_sha: null,
        commits: [],
        total_commits_count: 0,
      },
    ]);
  });

  it('is told of the branches alone that its filter lets through', async () => {
    const place = await aProject();
    await hookIn(place, { push_events_branch_filter: 'release-*' });
    await commit(place, 'master', 'a');
    await commit(place, 'release-1', 'b', { start_branch: 'master' });
    await commit(place, 'not-release-1', 'c', { start_branch: 'master' });
    await commit(place, 'release-2', 'd', { start_branch: 'master' });
    const calls = await receiver.got(2);
    expect(new Set(bodies(calls).map(({ ref }) => ref))).toEqual(
      new Set(['refs/heads/release-1', 'refs/heads/release-2']),
    );
  });

  it('is not told of tags, nor of pushes to other projects, nor of pushes when it wants none', async () => {
    const place = await aProject();
    const other = await aProject();
    await hookIn(place);
    await hookIn(place, { url: `${receiver.url}/unwanted`, push_events: false, note_events: true });
    await application.current
      .as(place.maintainer)
      .post(`/projects/${place.project.id}/repository/tags`, { tag_name: 'v1', ref: 'master' });
    await commit(other, 'master', 'other');
    const sha = await commit(place, 'master', 'own');
    const calls = await receiver.got(1);
    expect(bodies(calls)).toMatchObject([{ object_kind: 'push', after: sha }]);
    expect(calls).toHaveLength(1);
  });
});

describe('a hook for tags', () => {
  it('is told of tags that come and go, annotated or not', async () => {
    const place = await aProject();
    const { tip } = place.project;
    await hookIn(place, { push_events: false, tag_push_events: true, push_events_branch_filter: 'none' });
    const api = application.current.as(place.maintainer);
    const tags = `/projects/${place.project.id}/repository/tags`;
    await api.post(tags, { tag_name: 'v1', ref: 'master' });
    await receiver.got(1);
    const { body: annotated } = await api.post(tags, { tag_name: 'v2', ref: 'master', message: 'Second' });
    await receiver.got(2);
    await api.delete(`${tags}/v1`);
    const calls = await receiver.got(3);
    expect(calls.map(({ headers }) => headers['x-service-event'])).toEqual(Array(3).fill('Tag Push Hook'));
    expect(bodies(calls)).toMatchObject([
      { object_kind: 'tag_push', event_name: 'tag_push', ref: 'refs/tags/v1', before: ZERO_SHA, after: tip },
      {
        ref: 'refs/tags/v2',
        after: annotated.target,
        checkout_sha: tip,
        message: 'Second',
        commits: [{ id: tip }],
      },
      { ref: 'refs/tags/v1', before: tip, after: ZERO_SHA, checkout_sha: null, message: null, commits: [] },
    ]);
  });

  it('is told of several refs of one push apart', async () => {
    const place = await aProject();
    await hookIn(place, { tag_push_events: true });
    const remote = remoteOf(application.current.url, place.project.fullPath, place.maintainer.token);
    await git(folder, 'clone', '-q', remote, 'work');
    await git(
      path.join(folder, 'work'),
      'push',
      '-q',
      'origin',
      'HEAD:refs/heads/topic',
      'HEAD:refs/tags/v1',
    );
    const calls = await receiver.got(2);
    expect(
      bodies(calls)
        .map(({ object_kind: kind, ref }) => `${kind} ${ref}`)
        .sort(),
    ).toEqual(['push refs/heads/topic', 'tag_push refs/tags/v1']);
  });
});

it('is not called for a push of more than a hundred refs, which would be as many calls', async () => {
  const place = await aProject();
  await hookIn(place, { tag_push_events: true });
  const remote = remoteOf(application.current.url, place.project.fullPath, place.maintainer.token);
  await git(folder, 'clone', '-q', remote, 'work');
  const tags = Array.from({ length: 101 }, (_, number) => `HEAD:refs/tags/v${number}`);
  await git(path.join(folder, 'work'), 'push', '-q', 'origin', ...tags);
  const sha = await commit(place, 'master', 'later');
  const calls = await receiver.got(1);
  expect(bodies(calls)).toMatchObject([{ object_kind: 'push', after: sha }]);
});

describe('a hook for pipelines', () => {
  it('is told when statuses of a commit change their pipeline', async () => {
    const place = await aProject();
    const { project, maintainer } = place;
    await hookIn(place, { push_events: false, pipeline_events: true });
    const api = application.current.as(maintainer);
    const report = (state: string) => api.post(`/projects/${project.id}/statuses/${project.tip}`, { state });
    await report('running');
    await receiver.got(2);
    await report('running');
    await report('success');
    const calls = await receiver.got(3);
    expect(calls.map(({ headers }) => headers['x-service-event'])).toEqual(Array(3).fill('Pipeline Hook'));
    const statuses = bodies(calls).map(({ object_attributes: attributes }) => attributes);
    expect(
      new Set(
        statuses.slice(0, 2).map((attributes) => JSON.stringify(attributes).match(/"status":"(\w+)"/)?.[1]),
      ),
    ).toEqual(new Set(['pending', 'running']));
    expect(calls[2]?.body).toMatchObject({
      object_kind: 'pipeline',
      object_attributes: {
        ref: 'master',
        tag: false,
        sha: project.tip,
        status: 'success',
        detailed_status: 'passed',
      },
      user: { name: maintainer.name, username: maintainer.username, avatar_url: null },
      project: { id: project.id, path_with_namespace: project.fullPath },
      commit: { id: project.tip, author: { name: 'Fixture', email: 'fixture@example.com' } },
      builds: [],
    });
  });
});

describe('GET /projects/:id/hooks/:hook_id/events', () => {
  it('shows each call with its answer, and no secret', async () => {
    const place = await aProject();
    receiver.answer = (response) =>
      response.writeHead(418, { 'x-mood': 'bad' }).end(`no\0${'x'.repeat(20_000)}`);
    const url = receiver.url.replace('://', '://user:planted-password@');
    const hook = await hookIn(place, { url, token: 'planted-token' });
    const sha = await commit(place, 'master', 'a');
    const [entry] = await finished(place, hook, 1);
    expect(entry).toEqual({
      id: expect.any(Number),
      url: receiver.url,
      trigger: 'push_events',
      request_headers: {
        'content-type': 'application/json',
        'user-agent': 'Service-Hooks',
        'x-service-event': 'Push Hook',
        'x-gitlab-event': 'Push Hook',
        'x-service-delivery': String(entry.id),
      },
      request_data: expect.objectContaining({ object_kind: 'push', after: sha }),
      response_headers: expect.objectContaining({ 'x-mood': 'bad' }),
      response_body: expect.stringMatching(/^no\uFFFDx+$/),
      response_status: 418,
      execution_duration: expect.any(Number),
      internal_error_message: null,
      attempts: 1,
      finished_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect(entry.response_body).toHaveLength(8 * 1024);
    expect(JSON.stringify(entry)).not.toContain('planted');
    expect(receiver.calls[0]?.headers).toMatchObject({
      'x-service-token': 'planted-token',
      'x-gitlab-token': 'planted-token',
      authorization: `Basic ${Buffer.from('user:planted-password').toString('base64')}`,
    });
    // An answer is an answer: nobody calls again.
    const { rows } = await application.current.database.query(
      `SELECT 1 FROM pgboss.job WHERE name LIKE 'hooks.call%' AND state IN ('created', 'retry') AND data->>'deliveryId' = $1`,
      [String(entry.id)],
    );
    expect(rows).toEqual([]);
  });

  it('is in pages, the latest first', async () => {
    const place = await aProject();
    const hook = await hookIn(place);
    const shas = [await commit(place, 'master', 'a'), await commit(place, 'master', 'b')];
    await finished(place, hook, 2);
    const api = application.current.as(place.maintainer);
    const { body, headers } = await api.get(`${hook.path}/events?per_page=1`);
    expect(body).toMatchObject([{ request_data: { after: shas[1] } }]);
    expect(headers).toMatchObject({ 'x-total': '2', 'x-next-page': '2' });
  });
});
