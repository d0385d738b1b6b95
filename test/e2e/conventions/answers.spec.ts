import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let commits: string;

beforeAll(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    visibility: 'public',
    owner: user,
    files: { README: 'hello' },
  });
  commits = `/projects/${project.id}/repository/commits`;
  for (let number = 1; number <= 4; number += 1) {
    await app.current.as(user).post(commits, {
      branch: 'master',
      commit_message: `commit ${number}`,
      actions: [{ action: 'create', file_path: `file-${number}`, content: 'x' }],
    });
  }
});

describe('errors', () => {
  it('answers 404 for an unknown route', async () => {
    const answer = await app.current.api.get('/no/such/route');
    expect([answer.status, answer.body]).toEqual([404, { error: '404 Not Found' }]);
    expect((await app.current.api.get('/')).body).toEqual({ error: '404 Not Found' });
  });

  it('answers 405 with the methods that the path has', async () => {
    const answer = await app.current.as(user).patch(commits);
    expect([answer.status, answer.body]).toEqual([405, { error: '405 Not Allowed' }]);
    expect(answer.headers['allow']).toBe('OPTIONS, GET, HEAD, POST');
  });

  it('lists the methods of a path for OPTIONS', async () => {
    const answer = await app.current.api.options(commits).set('Origin', 'http://elsewhere.test');
    expect(answer.status).toBe(204);
    expect(answer.headers['allow']).toBe('OPTIONS, GET, HEAD, POST');
    expect(answer.headers['access-control-allow-methods']).toBe('OPTIONS, GET, HEAD, POST');
  });

  it('answers 400 for malformed JSON', async () => {
    const answer = await app.current
      .as(user)
      .post(commits)
      .set('Content-Type', 'application/json')
      .send('{"branch":');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('answers 400 for a broken percent sequence and for NUL', async () => {
    expect((await app.current.api.get('/projects/%E0%A4%A/repository/commits')).status).toBe(400);
    expect((await app.current.api.get('/projects/a%00b/repository/commits')).status).toBe(400);
    expect((await app.current.api.get(`${commits}?ref_name=%00`)).status).toBe(400);
  });

  it('names the first attribute that is missing', async () => {
    const answer = await app.current.as(user).post(commits, { branch: 'x' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: '400 (Bad request) "commit_message" not given' },
    ]);
  });

  it('says what is invalid, has no valid value or is empty', async () => {
    const get = (query: string) => app.current.api.get(`${commits}?${query}`);
    expect((await get('since=yesterday')).body).toEqual({ error: 'since is invalid' });
    expect((await get('with_stats=perhaps')).body).toEqual({ error: 'with_stats is invalid' });
    expect((await get('page=two')).body).toEqual({ error: 'page is invalid' });
    expect((await app.current.api.get(`${commits}/master/refs?type=twig`)).body).toEqual({
      error: 'type does not have a valid value',
    });
    const empty = await app.current
      .as(user)
      .post(commits, { branch: '', commit_message: 'm', actions: [{}] });
    expect(empty.status).toBe(400);
  });

  it('refuses a list or hash where one value belongs', async () => {
    for (const query of ['ref_name[]=master', 'ref_name[a]=master']) {
      const answer = await app.current.api.get(`${commits}?${query}`);
      expect([answer.status, answer.body]).toEqual([400, { error: 'ref_name is invalid' }]);
    }
  });

  it('hides a private project from strangers and anonymous callers alike', async () => {
    const hidden = await app.current.build.project({ files: { a: 'x' } });
    const stranger = await app.current.build.user();
    for (const client of [app.current.api, app.current.as(stranger)]) {
      for (const id of [hidden.id, encodeURIComponent(hidden.fullPath), 999_999_999]) {
        const answer = await client.get(`/projects/${id}/repository/commits`);
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Project Not Found' }]);
      }
    }
  });

  it('answers 401 for an anonymous write on a public project', async () => {
    const answer = await app.current.api.post(commits, {});
    expect([answer.status, answer.body]).toEqual([401, { message: '401 Unauthorized' }]);
  });
});

describe('the project of a path', () => {
  it('is named by id or by URL-encoded full path, in any letter case', async () => {
    const names = [
      String(project.id),
      encodeURIComponent(project.fullPath),
      encodeURIComponent(project.fullPath.toUpperCase()),
      encodeURIComponent(project.fullPath).replaceAll('-', '%2D'),
    ];
    for (const name of names)
      expect((await app.current.api.get(`/projects/${name}/repository/commits`)).status).toBe(200);
  });

  it('is never found by its last part alone', async () => {
    expect((await app.current.api.get(`/projects/${project.path}/repository/commits`)).status).toBe(404);
  });

  it('does not overflow', async () => {
    expect((await app.current.api.get('/projects/99999999999999999999999/repository/commits')).status).toBe(
      404,
    );
  });
});

describe('headers', () => {
  it('carry the request id that the client gave, or one of ours', async () => {
    const given = await app.current.api.get(commits).set('X-Request-Id', 'client-1');
    expect(given.headers['x-request-id']).toBe('client-1');
    const made = await app.current.api.get(commits).set('X-Request-Id', 'not <sane>');
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forbid framing and sniffing, and keep answers out of shared caches', async () => {
    const { headers } = await app.current.api.get(commits);
    expect(headers).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate',
      'content-type': 'application/json',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('let any origin read, without credentials', async () => {
    const { headers } = await app.current.api.get(commits).set('Origin', 'http://elsewhere.test');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-expose-headers']).toBe(
      'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page',
    );
  });

  it('have a weak ETag, and 304 for who has that answer already', async () => {
    const first = await app.current.api.get(commits);
    const tag = first.headers['etag'] ?? '';
    expect(tag).toMatch(/^W\/"/);
    const second = await app.current.api.get(commits).set('If-None-Match', tag);
    expect([second.status, second.text]).toEqual([304, '']);
  });
});

describe('HEAD', () => {
  it('answers like GET, without the body', async () => {
    const get = await app.current.api.get(`${commits}?per_page=2`);
    const head = await app.current.api.head(`${commits}?per_page=2`);
    expect(head.status).toBe(200);
    expect(head.text ?? '').toBe('');
    for (const name of ['link', 'x-total', 'x-next-page', 'content-type', 'etag']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it('has the status of an error too', async () => {
    expect((await app.current.api.head('/projects/0/repository/commits')).status).toBe(404);
  });
});

describe('pagination', () => {
  const base = 'http://service.test/api/v4';

  it('tells of the pages around', async () => {
    const answer = await app.current.api.get(`${commits}?per_page=2&page=2`);
    expect(answer.body).toHaveLength(2);
    expect(answer.headers).toMatchObject({
      'x-page': '2',
      'x-per-page': '2',
      'x-prev-page': '1',
      'x-next-page': '3',
      'x-total': '5',
      'x-total-pages': '3',
      link: [
        `<${base}${commits}?page=1&per_page=2>; rel="prev"`,
        `<${base}${commits}?page=3&per_page=2>; rel="next"`,
        `<${base}${commits}?page=1&per_page=2>; rel="first"`,
        `<${base}${commits}?page=3&per_page=2>; rel="last"`,
      ].join(', '),
    });
  });

  it('has no previous page on the first and no next one on the last', async () => {
    const first = await app.current.api.get(`${commits}?per_page=3`);
    expect(first.headers).toMatchObject({ 'x-prev-page': '', 'x-next-page': '2' });
    const last = await app.current.api.get(`${commits}?per_page=3&page=2`);
    expect(last.headers).toMatchObject({ 'x-prev-page': '1', 'x-next-page': '' });
    expect(last.headers['link']).not.toContain('rel="next"');
  });

  it('answers an empty page past the end', async () => {
    const answer = await app.current.api.get(`${commits}?per_page=2&page=9`);
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(answer.headers).toMatchObject({
      'x-page': '9',
      'x-prev-page': '',
      'x-next-page': '',
      'x-total': '5',
    });
  });

  it('counts one page for an empty collection', async () => {
    const answer = await app.current.api.get(`${commits}?path=nothing-here`);
    expect(answer.headers).toMatchObject({ 'x-total': '0', 'x-total-pages': '1' });
    expect(answer.headers['link']).toMatch(/page=1&per_page=20>; rel="last"$/);
  });

  it('clamps per_page to 100', async () => {
    expect((await app.current.api.get(`${commits}?per_page=1000`)).headers['x-per-page']).toBe('100');
  });

  it('keeps the path byte for byte and the other parameters, but never a token', async () => {
    const path = `/projects/${encodeURIComponent(project.fullPath)}/repository/commits`;
    const answer = await app.current.api.get(
      `${path}?private_token=${user.token}&with_stats=true&a[]=1&per_page=1`,
    );
    expect(answer.headers['link']).toContain(
      `<${base}${path}?with_stats=true&a%5B%5D=1&page=2&per_page=1>; rel="next"`,
    );
    expect(answer.headers['link']).not.toContain(user.token);
  });
});

describe('a collection of more than 10,000 rows', () => {
  it('has neither totals nor a last page, and still a next one', async () => {
    await app.current.database.query(
      `INSERT INTO users (username, name, email, confirmed_at)
       SELECT 'crowd-' || n, 'Crowd', 'crowd-' || n || '@example.com', now() FROM generate_series(1, 10001) AS n`,
    );
    const client = app.current.as(user);
    const page = await client.get('/users?search=crowd&per_page=100&page=50');
    expect(page.body).toHaveLength(100);
    expect(page.headers).toMatchObject({ 'x-page': '50', 'x-next-page': '51', 'x-prev-page': '49' });
    expect(page.headers).not.toHaveProperty('x-total');
    expect(page.headers).not.toHaveProperty('x-total-pages');
    expect(page.headers['link']).not.toContain('rel="last"');
    const last = await client.get('/users?search=crowd&per_page=100&page=101');
    expect(last.body).toHaveLength(1);
    expect(last.headers['x-next-page']).toBe('');
    const head = await client.head('/users?search=crowd&per_page=100&page=50');
    expect(head.headers['x-next-page']).toBe('51');
    expect(head.headers).not.toHaveProperty('x-total');
  });
});

describe('bodies', () => {
  it('of more than the limit are refused with 413, by their announced length and by counting', async () => {
    const client = app.current.as(user);
    const large = JSON.stringify({ note: 'x'.repeat(21 * 1024 * 1024) });
    const announced = await client
      .post(`${commits}/master/comments`)
      .set('Content-Type', 'application/json')
      .send(large);
    expect([announced.status, announced.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
  });
});
