import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const application = useApplication();

interface Place {
  readonly project: BuiltProject;
  readonly maintainer: BuiltUser;
  readonly hooks: string;
}

async function aProject(): Promise<Place> {
  const { build } = application.current;
  const maintainer = await build.user();
  const project = await build.project({ members: { maintainer }, files: { 'README.md': 'hello' } });
  return { project, maintainer, hooks: `/projects/${project.id}/hooks` };
}

const URL = 'https://receiver.example/hook';

const created = async ({ maintainer, hooks }: Place, fields: object = {}) => {
  const { status, body } = await application.current.as(maintainer).post(hooks, { url: URL, ...fields });
  expect(status).toBe(201);
  return body;
};

describe('POST /projects/:id/hooks', () => {
  it('makes a hook with the defaults', async () => {
    const place = await aProject();
    const { status, body } = await application.current.as(place.maintainer).post(place.hooks, { url: URL });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      url: URL,
      project_id: place.project.id,
      push_events: true,
      push_events_branch_filter: null,
      issues_events: false,
      confidential_issues_events: false,
      merge_requests_events: false,
      tag_push_events: false,
      note_events: false,
      job_events: false,
      pipeline_events: false,
      wiki_page_events: false,
      enable_ssl_verification: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(Object.keys(body)).toEqual([
      ...['id', 'url', 'project_id', 'push_events', 'push_events_branch_filter', 'issues_events'],
      ...['confidential_issues_events', 'merge_requests_events', 'tag_push_events', 'note_events'],
      ...['job_events', 'pipeline_events', 'wiki_page_events', 'enable_ssl_verification', 'created_at'],
    ]);
  });

  it('takes every field, and the wiki flag by both of its names', async () => {
    const fields = {
      push_events: false,
      push_events_branch_filter: 'feature/*',
      issues_events: true,
      confidential_issues_events: true,
      merge_requests_events: true,
      tag_push_events: true,
      note_events: true,
      job_events: true,
      pipeline_events: true,
      wiki_page_events: true,
      enable_ssl_verification: false,
    };
    const place = await aProject();
    expect(await created(place, { ...fields, token: 'secret' })).toMatchObject(fields);
    expect(await created(place, { wiki_events: true })).toMatchObject({ wiki_page_events: true });
  });

  it('never shows the token and keeps neither it nor the URL in clear', async () => {
    const place = await aProject();
    const secrets = { url: 'https://user:planted-password@receiver.example/', token: 'planted-token' };
    const { id } = await created(place, secrets);
    const api = application.current.as(place.maintainer);
    const answers = [
      await api.get(`${place.hooks}/${id}`),
      await api.get(place.hooks),
      await api.put(`${place.hooks}/${id}`, secrets),
      await api.get(`${place.hooks}/${id}/events`),
    ];
    for (const { text } of answers) expect(text).not.toContain('planted-token');
    const { rows } = await application.current.database.query<{ row: string }>(
      `SELECT h::text || encode(sealed_url, 'escape') || encode(sealed_token, 'escape') AS row
       FROM project_hooks h WHERE id = $1`,
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toMatch(/planted|receiver/);
  });

  it('asks for a URL', async () => {
    const place = await aProject();
    const { status, body } = await application.current
      .as(place.maintainer)
      .post(place.hooks, { push_events: true });
    expect(status).toBe(400);
    expect(body).toEqual({ message: '400 (Bad request) "url" not given' });
  });

  it.each([
    ...['', 'ftp://example.com', 'example.com', 'http://', 'javascript:alert(1)', 'http://exa mple.com'],
    ...['http://127.0.0.1/', 'http://localhost:8080/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'],
    ...[
      'http://10.0.0.1/',
      'http://192.168.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://0x7f.1/',
    ],
    ...[
      'http://2130706433/',
      'http://0177.0.0.1/',
      'http://example.com:25/',
      'http://example.com/\r\nX-A: b',
    ],
  ])('refuses the URL %j, new or changed', async (url) => {
    const place = await aProject();
    const api = application.current.as(place.maintainer);
    const { id } = await created(place);
    for (const { status, body } of [
      await api.post(place.hooks, { url }),
      await api.put(`${place.hooks}/${id}`, { url }),
    ]) {
      expect(status).toBe(422);
      expect(body).toEqual({ error: 'Invalid url given' });
    }
    expect((await api.get(`${place.hooks}/${id}`)).body.url).toBe(URL);
  });

  it('refuses a branch filter that no branch could have, and a token that no header could', async () => {
    const place = await aProject();
    const api = application.current.as(place.maintainer);
    for (const filter of ['~badbranchname/', 'a b', '..', 'x.lock', 'a'.repeat(2_000)]) {
      const { status, body } = await api.post(place.hooks, { url: URL, push_events_branch_filter: filter });
      expect(status).toBe(422);
      expect(body).toEqual({ error: 'Invalid branch filter given' });
    }
    for (const token of ['a\r\nHost: other', 'a\u0001b', 'x'.repeat(3_000)]) {
      const { status, body } = await api.post(place.hooks, { url: URL, token });
      expect(status).toBe(422);
      expect(body).toEqual({ error: 'Invalid token given' });
    }
    expect((await api.get(place.hooks)).body).toEqual([]);
  });

  it('refuses fields of another type and takes none that it does not know', async () => {
    const place = await aProject();
    const api = application.current.as(place.maintainer);
    const wrong = await api.post(place.hooks, { url: URL, push_events: 'maybe' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({ error: 'push_events is invalid' });
    expect((await api.post(place.hooks, { url: ['a', 'b'] })).status).toBe(400);
    const other = await aProject();
    const body = await created(place, {
      project_id: other.project.id,
      id: 1,
      created_at: '2000-01-01T00:00:00Z',
    });
    expect(body.project_id).toBe(place.project.id);
    expect(body.created_at).not.toMatch(/^2000/);
  });

  it('makes a hundred hooks in a project and no more, also of many at once', async () => {
    const place = await aProject();
    await application.current.database.query(
      `INSERT INTO project_hooks (project_id, sealed_url)
       SELECT $1, (SELECT sealed_url FROM project_hooks WHERE id = $2) FROM generate_series(1, 97)`,
      [place.project.id, (await created(place)).id],
    );
    const api = application.current.as(place.maintainer);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => api.post(place.hooks, { url: URL })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toEqual({ error: 'Maximum number of project hooks (100) exceeded' });
  });
});

describe('GET /projects/:id/hooks', () => {
  it('lists the hooks of the project in pages, the oldest first', async () => {
    const place = await aProject();
    const other = await aProject();
    await created(other);
    const ids = [(await created(place)).id, (await created(place)).id, (await created(place)).id];
    const api = application.current.as(place.maintainer);
    const first = await api.get(`${place.hooks}?per_page=2`);
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    expect(first.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-next-page': '2' });
    const second = await api.get(`${place.hooks}?per_page=2&page=2`);
    expect(second.body).toEqual([await api.get(`${place.hooks}/${ids[2]}`).then(({ body }) => body)]);
    const head = await api.head(place.hooks);
    expect(head.status).toBe(200);
    expect(head.headers['x-total']).toBe('3');
  });
});

describe('GET /projects/:id/hooks/:hook_id', () => {
  it('shows one hook of this project and of no other', async () => {
    const place = await aProject();
    const other = await aProject();
    const hook = await created(place);
    const api = application.current.as(place.maintainer);
    expect((await api.get(`${place.hooks}/${hook.id}`)).body).toEqual(hook);
    const foreign = await created(other);
    for (const id of [foreign.id, 999_999_999]) {
      const { status, body } = await api.get(`${place.hooks}/${id}`);
      expect(status).toBe(404);
      expect(body).toEqual({ message: '404 Not found' });
      expect((await api.put(`${place.hooks}/${id}`, { url: URL })).status).toBe(404);
      expect((await api.delete(`${place.hooks}/${id}`)).status).toBe(404);
      expect((await api.get(`${place.hooks}/${id}/events`)).status).toBe(404);
      expect((await api.post(`${place.hooks}/${id}/test/push_events`)).status).toBe(404);
    }
    expect((await api.get(`${place.hooks}/abc`)).status).toBe(400);
  });
});

describe('PUT /projects/:id/hooks/:hook_id', () => {
  it('changes what is given and leaves the rest', async () => {
    const place = await aProject();
    const hook = await created(place, { push_events_branch_filter: 'master', note_events: true });
    const api = application.current.as(place.maintainer);
    const url = 'http://other.example:8080/';
    const changed = await api.put(`${place.hooks}/${hook.id}`, {
      url,
      push_events: false,
      wiki_events: true,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...hook, url, push_events: false, wiki_page_events: true });
    const again = await api.put(`${place.hooks}/${hook.id}`, {
      url,
      push_events_branch_filter: '',
      wiki_page_events: false,
    });
    expect(again.body).toEqual({ ...hook, url, push_events: false, push_events_branch_filter: null });
  });

  it('asks for a URL', async () => {
    const place = await aProject();
    const { id } = await created(place);
    const { status, body } = await application.current.as(place.maintainer).put(`${place.hooks}/${id}`, {});
    expect(status).toBe(400);
    expect(body).toEqual({ message: '400 (Bad request) "url" not given' });
  });
});

describe('DELETE /projects/:id/hooks/:hook_id', () => {
  it('removes a hook once, and says so the second time', async () => {
    const place = await aProject();
    const { id } = await created(place);
    const api = application.current.as(place.maintainer);
    const first = await api.delete(`${place.hooks}/${id}`);
    expect([first.status, first.text]).toEqual([204, '']);
    const second = await api.delete(`${place.hooks}/${id}`);
    expect([second.status, second.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it('leaves a hook that was changed since', async () => {
    const place = await aProject();
    const { id } = await created(place);
    const api = application.current.as(place.maintainer);
    const early = api.with({ 'if-unmodified-since': new Date(Date.now() - 86_400_000).toUTCString() });
    expect((await early.delete(`${place.hooks}/${id}`)).status).toBe(412);
    expect((await api.get(`${place.hooks}/${id}`)).status).toBe(200);
    const late = api.with({ 'if-unmodified-since': new Date(Date.now() + 86_400_000).toUTCString() });
    expect((await late.delete(`${place.hooks}/${id}`)).status).toBe(204);
  });
});

describe('who may see and change hooks', () => {
  it('are maintainers, owners and administrators', async () => {
    const { build, api } = application.current;
    const [guest, reporter, developer] = [await build.user(), await build.user(), await build.user()];
    const [maintainer, owner] = [await build.user(), await build.user()];
    const project = await build.project({
      members: { guest, reporter, developer, maintainer, owner },
      files: { 'README.md': 'hello' },
    });
    const open = await build.project({ visibility: 'public' });
    const hooks = `/projects/${project.id}/hooks`;
    const { id } = await created({ project, maintainer, hooks });
    const calls = (place: string) =>
      [
        ['get', place, undefined],
        ['get', `${place}/${id}`, undefined],
        ['get', `${place}/${id}/events`, undefined],
        ['post', place, {}],
        ['post', `${place}/${id}/test/push_events`, undefined],
        ['put', `${place}/${id}`, {}],
        ['delete', `${place}/${id}`, undefined],
      ] as const;
    const asked = async (client: typeof api, place: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (const [method, path, body] of calls(place))
        statuses.push((await client[method](path, body)).status);
      return statuses;
    };
    const seven = (status: number) => Array.from({ length: 7 }, () => status);
    expect(await asked(api, hooks)).toEqual(seven(401));
    expect(await asked(api, `/projects/${open.id}/hooks`)).toEqual(seven(401));
    const stranger = await build.user();
    expect(await asked(application.current.as(stranger), hooks)).toEqual(seven(404));
    expect(await asked(application.current.as(stranger), `/projects/${open.id}/hooks`)).toEqual(seven(403));
    for (const member of [guest, reporter, developer])
      expect(await asked(application.current.as(member), hooks)).toEqual(seven(403));
    const narrow = { token: await build.token(maintainer, ['read_repository']) };
    expect(await asked(application.current.as(narrow), hooks)).toEqual(seven(403));
    const admin = await build.user({ admin: true });
    for (const member of [maintainer, owner, admin]) {
      const client = application.current.as(member);
      const own = (await created({ project, maintainer: member, hooks })).id;
      expect((await client.get(`${hooks}/${own}`)).status).toBe(200);
      expect((await client.get(`${hooks}/${own}/events`)).status).toBe(200);
      expect((await client.put(`${hooks}/${own}`, { url: URL })).status).toBe(200);
      expect((await client.delete(`${hooks}/${own}`)).status).toBe(204);
    }
  });
});
