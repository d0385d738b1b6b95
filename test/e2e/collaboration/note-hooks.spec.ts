import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { HookReceiver } from '../../support/hook-receiver';
import { NotedThings, type NotedThing } from '../../support/noted-things';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let things: NotedThings;
let owner: BuiltUser;
let project: BuiltProject;
let receiver: HookReceiver;
beforeAll(async () => {
  things = new NotedThings(app.current);
  owner = await app.current.build.user();
  project = await app.current.build.project({ owner, files: { 'a.txt': 'one\n' } });
  receiver = await HookReceiver.start();
  for (const [path, confidential_issues_events] of [
    ['/all', true],
    ['/open', false],
  ]) {
    const flags = { note_events: true, push_events: false, confidential_issues_events };
    await api()
      .post(`/projects/${project.id}/hooks`, { url: `${receiver.url}${path}`, ...flags })
      .expect(201);
  }
});
beforeEach(() => {
  receiver.calls.length = 0;
});
afterAll(() => receiver.close());

const api = () => app.current.as(owner);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

const calledOf = (path: string) => receiver.calls.filter((call) => call.path.endsWith(path));

describe('a note', () => {
  it.each([
    ['an issue', 'issue', 'issues', (): Promise<NotedThing> => things.issue(project, owner)],
    ['a merge request', 'merge_request', 'merge_requests', () => things.mergeRequest(project, owner)],
    ['a snippet', 'snippet', 'snippets', () => things.snippet(project, owner)],
  ] as const)('on %s is told to hooks', async (_what, name, page, make) => {
    const on = await make();
    const { body: note } = await api().post(on.notes, { body: 'Hello' }).expect(201);
    await receiver.got(2);
    const [call] = calledOf('/open');
    expect(call?.headers['x-service-event']).toBe('Note Hook');
    expect(call?.body).toMatchObject({
      object_kind: 'note',
      event_type: 'note',
      user: { name: owner.name, username: owner.username, avatar_url: null },
      project_id: project.id,
      project: { id: project.id, path_with_namespace: project.fullPath },
      repository: { name: project.path, homepage: `http://service.test/${project.fullPath}` },
      object_attributes: {
        id: note.id,
        note: 'Hello',
        description: 'Hello',
        noteable_type: on.kind,
        noteable_id: on.id,
        author_id: owner.id,
        created_at: TIME,
        updated_at: TIME,
        project_id: project.id,
        attachment: null,
        line_code: null,
        commit_id: null,
        system: false,
        st_diff: null,
        type: null,
        url: `http://service.test/${project.fullPath}/${page}/${on.iid ?? on.id}#note_${note.id}`,
      },
      [name]: { id: on.id, title: expect.any(String) },
    });
  });

  it('on a commit is told to hooks', async () => {
    const url = `/projects/${project.id}/repository/commits/${project.tip}/comments`;
    await api().post(url, { note: 'Hello', path: 'a.txt', line: 1, line_type: 'new' }).expect(201);
    await receiver.got(2);
    expect(calledOf('/open')).toHaveLength(1);
    expect(calledOf('/open')[0]?.body).toMatchObject({
      object_kind: 'note',
      object_attributes: {
        note: 'Hello',
        noteable_type: 'Commit',
        commit_id: project.tip,
        line_code: expect.stringMatching(/^[0-9a-f]{40}_0_1$/),
        type: 'DiffNote',
        position: { head_sha: project.tip, new_path: 'a.txt', old_line: null, new_line: 1 },
        url: expect.stringContaining(`/commit/${project.tip}#note_`),
      },
      commit: { id: project.tip, message: 'First commit\n', author: { name: 'Fixture' } },
    });
  });

  it('that answers another on a commit is told, with the file that it links to', async () => {
    const { body: file } = await api()
      .post(`/projects/${project.id}/uploads`)
      .attach('file', Buffer.from('x'), { filename: 'log.txt' })
      .expect(201);
    const url = `/projects/${project.id}/repository/commits/${project.tip}/discussions`;
    const { body: begun } = await api().post(url, { body: 'Why?' }).expect(201);
    await receiver.got(2);
    receiver.calls.length = 0;
    const answer = { body: `See ${file.markdown}` };
    const { body: note } = await api().post(`${url}/${begun.id}/notes`, answer).expect(201);
    await receiver.got(2);
    expect(calledOf('/open')[0]?.body).toMatchObject({
      event_type: 'note',
      object_attributes: {
        id: note.id,
        attachment: 'log.txt',
        noteable_type: 'Commit',
        noteable_id: null,
        commit_id: project.tip,
        discussion_id: begun.id,
        type: 'DiscussionNote',
        line_code: null,
        url: `http://service.test/${project.fullPath}/commit/${project.tip}#note_${note.id}`,
      },
      commit: { id: project.tip },
    });
  });

  it('on a confidential issue is told only to those who may hear of both', async () => {
    const secret = await things.issue(project, owner, { confidential: true });
    await api().post(secret.notes, { body: 'Psst' }).expect(201);
    await api()
      .post((await things.issue(project, owner)).notes, { body: 'Hello' })
      .expect(201);
    await receiver.got(3);
    expect(calledOf('/open').map(({ body }) => body['event_type'])).toEqual(['note']);
    const told = calledOf('/all').find(({ body }) => body['event_type'] === 'confidential_note');
    expect(told?.headers['x-service-event']).toBe('Confidential Note Hook');
    expect(told?.body).toMatchObject({
      object_attributes: { note: 'Psst' },
      issue: { id: secret.id, confidential: true },
    });
  });

  it('that is changed, deleted, an award or the word of the system is not told', async () => {
    const on = await things.issue(project, owner);
    const other = await things.issue(project, owner);
    const { body: note } = await api()
      .post(on.notes, { body: `see #${other.iid}` })
      .expect(201);
    await receiver.got(2);
    await api().put(`${on.notes}/${note.id}`, { body: 'changed' }).expect(200);
    await api().post(on.notes, { body: ':+1:' }).expect(201);
    await api().delete(`${on.notes}/${note.id}`).expect(204);
    await api().post(other.notes, { body: 'last' }).expect(201);
    await receiver.got(4);
    const first = { note: `see #${other.iid}`, system: false };
    const last = { note: 'last', system: false };
    expect(receiver.calls.map(({ body }) => body['object_attributes'])).toMatchObject([
      first,
      first,
      last,
      last,
    ]);
  });
});

// Case 16 of the security cases.
describe('a note that a hook leads to', () => {
  it('is not told to the hook that led to it, and to others once', async () => {
    const on = await things.issue(project, owner);
    const url = `${app.current.url}/api/v4${on.notes}?private_token=${owner.token}&body=again`;
    const hook = { url, note_events: true, push_events: false };
    const { body: made } = await api().post(`/projects/${project.id}/hooks`, hook).expect(201);
    await api().post(on.notes, { body: 'first' }).expect(201);
    await receiver.got(4);
    await api().delete(`/projects/${project.id}/hooks/${made.id}`).expect(204);
    await api().post(on.notes, { body: 'last' }).expect(201);
    await receiver.got(6);
    const told = calledOf('/all').map(({ body }) => body['object_attributes']);
    expect(told).toMatchObject([{ note: 'first' }, { note: 'again' }, { note: 'last' }]);
    expect(await things.countOf(on)).toBe(3);
  });
});

describe('POST /projects/:id/hooks/:hook_id/test/note_events', () => {
  it('tells a note of people, whatever it is on, and a confidential one only where asked', async () => {
    const place = await app.current.build.project({ owner, files: { 'a.txt': 'one\n' } });
    const own = `/projects/${place.id}/hooks`;
    const { body: hook } = await api()
      .post(own, { url: `${receiver.url}/tried`, push_events: false })
      .expect(201);
    const tried = async (): Promise<unknown> => {
      const before = receiver.calls.length;
      await api().post(`${own}/${hook.id}/test/note_events`).expect(201);
      return (await receiver.got(before + 1)).at(-1)?.body;
    };
    const secret = await things.issue(place, owner, { confidential: true });
    await api().post(secret.notes, { body: 'Psst' }).expect(201);
    await api().post(`${own}/${hook.id}/test/note_events`).expect(422);
    const comments = `/projects/${place.id}/repository/commits/${place.tip}/comments`;
    await api().post(comments, { note: 'Commit' }).expect(201);
    const onCommit = { note: 'Commit', noteable_type: 'Commit', commit_id: place.tip };
    expect(await tried()).toMatchObject({ event_type: 'note', object_attributes: onCommit });
    for (const on of [
      await things.snippet(place, owner),
      await things.mergeRequest(place, owner),
      await things.issue(place, owner),
    ]) {
      await api().post(on.notes, { body: on.kind }).expect(201);
      expect(await tried()).toMatchObject({ event_type: 'note', object_attributes: { note: on.kind } });
    }
    const { body } = await api().post(`${own}/${hook.id}/test/confidential_note_events`);
    expect(body).toEqual({ message: '201 Created' });
    const told = (await receiver.got(5)).at(-1)?.body;
    expect(told).toMatchObject({ event_type: 'confidential_note', object_attributes: { note: 'Psst' } });
  });
});
