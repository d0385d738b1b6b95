import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import { HookReceiver } from '../../support/hook-receiver';

const application = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

const FLAGS = [
  ...['push_events', 'tag_push_events', 'issues_events', 'confidential_issues_events'],
  ...['merge_requests_events', 'note_events', 'job_events', 'pipeline_events', 'wiki_page_events'],
];

/** What receivers read in X-Service-Event, and in the body as its kind. */
const KINDS = [
  ['Push Hook', 'push'],
  ['Tag Push Hook', 'tag_push'],
  ['Issue Hook', 'issue'],
  ['Confidential Issue Hook', 'issue'],
  ['Merge Request Hook', 'merge_request'],
  ['Note Hook', 'note'],
  ['Confidential Note Hook', 'note'],
  ['Job Hook', 'build'],
  ['Pipeline Hook', 'pipeline'],
  ['Wiki Page Hook', 'wiki_page'],
];

describe('a hook that wants every kind of event', () => {
  let receiver: HookReceiver;
  beforeAll(async () => {
    receiver = await HookReceiver.start();
  });
  afterAll(() => receiver.close());

  it('is called for what people do, and on trial of each kind', async () => {
    const { build } = application.current;
    const maintainer = await build.user();
    const { id } = await build.project({ members: { maintainer }, files: { 'README.md': 'hello' } });
    const api = application.current.as(maintainer);
    const create = async (path: string, sent: object) => {
      const { status, body } = await api.post(`/projects/${id}${path}`, sent);
      expect([path, status]).toEqual([path, 201]);
      return body;
    };
    const flags = Object.fromEntries(FLAGS.map((flag) => [flag, true]));
    const hook = await create('/hooks', { url: receiver.url, token: 'shared', ...flags });

    const commit = { branch: 'change', start_branch: 'master', commit_message: 'Add jobs' };
    const configuration = 'test:\n  script: [make]\n';
    const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: configuration }];
    await create('/repository/commits', { ...commit, actions });
    await create('/repository/tags', { tag_name: 'v1', ref: 'master' });
    const open = await create('/issues', { title: 'Open' });
    const secret = await create('/issues', { title: 'Secret', confidential: true });
    await create('/merge_requests', { source_branch: 'change', target_branch: 'master', title: 'Change' });
    await create(`/issues/${open.iid}/notes`, { body: 'I see' });
    await create(`/issues/${secret.iid}/notes`, { body: 'I see' });
    await create('/wikis', { title: 'home', content: 'hello' });

    const heard = () => new Set(receiver.calls.map(({ headers }) => headers['x-service-event']));
    await until(() => KINDS.every(([header]) => heard().has(header)));
    expect([...heard()].sort()).toEqual(KINDS.map(([header]) => header).sort());
    for (const [header, kind] of KINDS) {
      const call = receiver.calls.find(({ headers }) => headers['x-service-event'] === header);
      expect([header, call?.body['object_kind']]).toEqual([header, kind]);
      expect(call?.headers['x-service-token']).toBe('shared');
    }

    const before = receiver.calls.length;
    for (const trigger of [...FLAGS, 'confidential_note_events'])
      expect([trigger, (await api.post(`/projects/${id}/hooks/${hook.id}/test/${trigger}`)).status]).toEqual([
        trigger,
        201,
      ]);
    await receiver.got(before + FLAGS.length + 1);
  });

  it('costs a delivery for the kinds alone that some hook of the project wants', async () => {
    const { build, database } = application.current;
    const maintainer = await build.user();
    const { id } = await build.project({ members: { maintainer }, files: { 'README.md': 'hello' } });
    const api = application.current.as(maintainer);
    const none = Object.fromEntries(FLAGS.map((flag) => [flag, false]));
    await api.post(`/projects/${id}/hooks`, { url: receiver.url, ...none, issues_events: true }).expect(201);
    await api.post(`/projects/${id}/issues`, { title: 'Open' }).expect(201);
    await api.post(`/projects/${id}/repository/tags`, { tag_name: 'v1', ref: 'master' }).expect(201);
    const { rows } = await database.query(
      `SELECT e.name FROM pgboss.job j JOIN outbox_events e ON e.id = (j.data ->> 'eventId')::bigint
       WHERE j.name = 'events.hooks' AND (e.payload ->> 'projectId')::bigint = $1`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});
