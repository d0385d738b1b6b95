import net from 'node:net';
import { NameResolver } from '#libs/outbound';
import { until } from '#libs/testing';
import { startApplication, useApplication, type TestApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { HookReceiver } from '../../support/hook-receiver';

const application = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

interface Place {
  readonly app: TestApplication;
  readonly project: BuiltProject;
  readonly maintainer: BuiltUser;
}

interface Hook {
  readonly id: number;
  readonly path: string;
}

async function aProject(app = application.current): Promise<Place> {
  const maintainer = await app.build.user();
  const project = await app.build.project({ members: { maintainer }, files: { 'README.md': 'hello' } });
  return { app, project, maintainer };
}

async function hookIn({ app, project, maintainer }: Place, fields: object): Promise<Hook> {
  const hooks = `/projects/${project.id}/hooks`;
  const { status, body } = await app.as(maintainer).post(hooks, fields);
  expect(status).toBe(201);
  return { id: body.id, path: `${hooks}/${body.id}` };
}

async function push({ app, project, maintainer }: Place, branch: string, headers = {}): Promise<void> {
  const branches = `/projects/${project.id}/repository/branches`;
  const { status } = await app.as(maintainer).with(headers).post(branches, { branch, ref: 'master' });
  expect(status).toBe(201);
}

interface Entry {
  readonly attempts: number;
  readonly finished_at: string | null;
  readonly response_status: number | null;
  readonly internal_error_message: string | null;
  readonly request_data: { readonly ref: string };
}

async function log({ app, maintainer }: Place, { path }: Hook): Promise<Entry[]> {
  const { body } = await app.as(maintainer).get(`${path}/events`);
  return body;
}

const over = (place: Place, hook: Hook, count = 1) =>
  until(async () => {
    const entries = await log(place, hook);
    return entries.filter((entry) => entry.finished_at !== null).length >= count && entries;
  }, 25_000);

/** Whatever waits for its next attempt is tried at once. */
const hurry = async ({ app }: Place): Promise<void> => {
  await app.database.query(
    `UPDATE pgboss.job SET start_after = now() WHERE name = 'hooks.call_slow' AND state = 'created'`,
  );
};

/** A port of this machine where nobody listens. */
async function deadPort(): Promise<number> {
  const receiver = await HookReceiver.start();
  const { port } = receiver;
  await receiver.close();
  return port;
}

describe('a receiver', () => {
  it('that cannot be reached is called again later', async () => {
    const place = await aProject();
    const port = await deadPort();
    const hook = await hookIn(place, { url: `http://127.0.0.1:${port}/` });
    await push(place, 'topic');
    const waiting = await until(async () => {
      const [entry] = await log(place, hook);
      return entry?.attempts === 1 && entry;
    });
    expect(waiting).toMatchObject({
      finished_at: null,
      response_status: null,
      internal_error_message: 'The connection failed (ECONNREFUSED)',
    });
    const receiver = await HookReceiver.start({ port });
    await hurry(place);
    const [call] = await receiver.got(1);
    expect(call?.body).toMatchObject({ ref: 'refs/heads/topic' });
    const [entry] = await over(place, hook);
    expect(entry).toMatchObject({ attempts: 2, response_status: 200, internal_error_message: null });
    await receiver.close();
  });

  it('that stays away is given up', async () => {
    const place = await aProject();
    const hook = await hookIn(place, { url: `http://127.0.0.1:${await deadPort()}/` });
    await push(place, 'topic');
    const [entry] = await until(async () => {
      await hurry(place);
      const entries = await log(place, hook);
      return entries[0]?.finished_at && entries;
    });
    expect(entry).toMatchObject({
      attempts: 5,
      response_status: null,
      internal_error_message: 'The connection failed (ECONNREFUSED)',
    });
  });

  it('that refuses what it gets is called once', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    receiver.answer = (response) => response.writeHead(503).end();
    const hook = await hookIn(place, { url: receiver.url });
    await push(place, 'topic');
    expect(await over(place, hook)).toMatchObject([{ attempts: 1, response_status: 503 }]);
    await receiver.close();
  });

  it('that does not answer has ten seconds, and is not called again', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    receiver.answer = () => undefined;
    const hook = await hookIn(place, { url: receiver.url });
    await push(place, 'topic');
    const [entry] = await over(place, hook);
    expect(entry).toMatchObject({
      attempts: 1,
      response_status: null,
      internal_error_message: 'No answer came within 10 seconds',
    });
    await receiver.close();
  });

  it('with a certificate that nobody vouches for is called where the hook says so', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start({ tls: true });
    const strict = await hookIn(place, { url: receiver.url });
    const lax = await hookIn(place, { url: receiver.url, enable_ssl_verification: false });
    await push(place, 'topic');
    expect(await over(place, strict)).toMatchObject([
      { attempts: 1, internal_error_message: expect.stringMatching(/^The certificate is not trusted/) },
    ]);
    expect(await over(place, lax)).toMatchObject([{ response_status: 200 }]);
    expect(receiver.calls).toHaveLength(1);
    await receiver.close();
  });

  it('that gave no answer keeps nobody waiting but others like it', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    const silent = await hookIn(place, { url: receiver.url.replace('http', 'https') });
    const prompt = await hookIn(place, { url: receiver.url });
    await push(place, 'first');
    await over(place, silent);
    await push(place, 'second');
    await over(place, silent, 2);
    await over(place, prompt, 2);
    const { rows } = await place.app.database.query(
      `SELECT job.name, delivery.hook_id = $1 AS silent, count(*)::int FROM hook_deliveries delivery
       JOIN pgboss.job ON job.data->>'deliveryId' = delivery.id::text AND job.name LIKE 'hooks.call%'
       WHERE delivery.hook_id IN ($1, $2) GROUP BY 1, 2 ORDER BY 1, 2`,
      [silent.id, prompt.id],
    );
    expect(rows).toEqual([
      { name: 'hooks.call', silent: false, count: 2 },
      { name: 'hooks.call', silent: true, count: 1 },
      { name: 'hooks.call_slow', silent: true, count: 1 },
    ]);
    await receiver.close();
  });

  it('sends nobody anywhere else', async () => {
    const place = await aProject();
    const [receiver, inside] = [await HookReceiver.start(), await HookReceiver.start()];
    receiver.answer = (response) => response.writeHead(307, { location: inside.url }).end();
    const hook = await hookIn(place, { url: receiver.url });
    await push(place, 'topic');
    expect(await over(place, hook)).toMatchObject([{ response_status: 307 }]);
    expect(inside.calls).toEqual([]);
    await Promise.all([receiver.close(), inside.close()]);
  });
});

// Case 16 of the security cases.
describe('hooks that lead back to this service', () => {
  const ownApi = ({ app, project, maintainer }: Place, path: string, query = ''): string =>
    `${app.url}/api/v4/projects/${project.id}/${path}?private_token=${maintainer.token}${query}`;

  it('are not called for what they did themselves, and others are', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    const hook = await hookIn(place, { url: ownApi(place, 'repository/branches', '&branch=made-by-hook') });
    const other = await hookIn(place, { url: receiver.url });
    await push(place, 'topic');
    const refs = (await over(place, other, 2)).map(({ request_data: { ref } }) => ref);
    expect(refs.sort()).toEqual(['refs/heads/made-by-hook', 'refs/heads/topic']);
    expect(await over(place, hook)).toMatchObject([
      { response_status: 201, request_data: { ref: 'refs/heads/topic' } },
    ]);
    await receiver.close();
  });

  it('end after one round, also in a circle', async () => {
    const place = await aProject();
    const second = await hookIn(place, { url: 'http://later.example/', push_events: false });
    const first = await hookIn(place, { url: ownApi(place, `hooks/${second.id}/test/push_events`) });
    const api = place.app.as(place.maintainer);
    const url = ownApi(place, `hooks/${first.id}/test/push_events`);
    expect((await api.put(second.path, { url })).status).toBe(200);
    await push(place, 'topic');
    expect(await over(place, second)).toMatchObject([{ response_status: 422 }]);
    expect(await over(place, first)).toMatchObject([{ response_status: 201 }]);
  });

  it('are called whatever a client says of where it comes from', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    const { id } = await hookIn(place, { url: receiver.url });
    const chain = Buffer.from(JSON.stringify({ root: 'event:1:0', hookIds: [id], madeAt: Date.now() }));
    const forged = [
      `${chain.toString('base64url')}.${'A'.repeat(43)}`,
      'nonsense',
      '.',
      `${chain.toString('base64url')}.`,
    ];
    for (const [index, header] of forged.entries())
      await push(place, `topic-${index}`, { 'x-service-hook-chain': header });
    expect(await receiver.got(forged.length)).toHaveLength(forged.length);
    await receiver.close();
  });
});

describe('POST /projects/:id/hooks/:hook_id/test/:trigger', () => {
  it('calls the hook with the latest thing of the kind, whatever it wants to know of', async () => {
    const place = await aProject();
    const receiver = await HookReceiver.start();
    const hook = await hookIn(place, { url: receiver.url, push_events: false });
    const api = place.app.as(place.maintainer);
    const { status, body } = await api.post(`${hook.path}/test/push_events`);
    expect([status, body]).toEqual([201, { message: '201 Created' }]);
    await receiver.got(1);
    await api.post(`/projects/${place.project.id}/repository/tags`, { tag_name: 'v1', ref: 'master' });
    await api.post(`${hook.path}/test/tag_push_events`);
    await receiver.got(2);
    await api.post(`/projects/${place.project.id}/statuses/${place.project.tip}`, { state: 'success' });
    await api.post(`${hook.path}/test/pipeline_events`);
    const calls = await receiver.got(3);
    const { tip } = place.project;
    expect(calls.map(({ body: told }) => told)).toMatchObject([
      { object_kind: 'push', ref: 'refs/heads/master', after: tip, user_id: place.maintainer.id },
      { object_kind: 'tag_push', ref: 'refs/tags/v1', after: tip },
      { object_kind: 'pipeline', object_attributes: { sha: tip, status: 'success' } },
    ]);
    await receiver.close();
  });

  it('says where there is nothing to tell, and what it cannot try', async () => {
    const { build } = application.current;
    const maintainer = await build.user();
    const project = await build.project({ members: { maintainer } });
    const hook = await hookIn(
      { app: application.current, project, maintainer },
      { url: 'http://a.example/' },
    );
    const api = application.current.as(maintainer);
    for (const trigger of ['push_events', 'tag_push_events', 'pipeline_events', 'issues_events']) {
      const { status, body } = await api.post(`${hook.path}/test/${trigger}`);
      expect([status, body]).toEqual([422, { error: 'The project has no such event yet' }]);
    }
    const unknown = await api.post(`${hook.path}/test/releases_events`);
    expect([unknown.status, unknown.body]).toEqual([400, { error: 'trigger does not have a valid value' }]);
  });
});

// Case 13 of the security cases: what was harmless when it was saved may lead inside when it is called.
describe('a name that leads into the local network', () => {
  it('is not called', async () => {
    const guarded = await startApplication();
    let connections = 0;
    const inside = net.createServer(() => connections++);
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const address = inside.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const lookup = jest
      .spyOn(guarded.nest.get(NameResolver), 'addressesOf')
      .mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
    try {
      const place = await aProject(guarded);
      const hook = await hookIn(place, { url: `http://harmless.example:${port}/` });
      await push(place, 'topic');
      expect(await over(place, hook)).toMatchObject([
        { attempts: 1, internal_error_message: 'Requests to the local network are not allowed' },
      ]);
      expect(lookup).toHaveBeenCalledTimes(1);
      expect(connections).toBe(0);
    } finally {
      inside.close();
      await guarded.close();
    }
  });
});

it('clears the log of old calls once an hour', async () => {
  const place = await aProject();
  const receiver = await HookReceiver.start();
  const hook = await hookIn(place, { url: receiver.url });
  await push(place, 'old');
  await over(place, hook);
  await place.app.database.query(
    `UPDATE hook_deliveries SET created_at = now() - interval '8 days' WHERE hook_id = $1`,
    [hook.id],
  );
  await push(place, 'new');
  await over(place, hook, 2);
  await place.app.database.query(
    `INSERT INTO pgboss.job (name, data) VALUES ('hooks.clear_deliveries', '{}')`,
  );
  const left = await until(async () => {
    const entries = await log(place, hook);
    return entries.length === 1 && entries;
  });
  expect(left).toMatchObject([{ request_data: { ref: 'refs/heads/new' } }]);
  await receiver.close();
});
