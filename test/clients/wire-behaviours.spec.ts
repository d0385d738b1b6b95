import { answerFor } from '#libs/http';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { RawHttp, type RawHttpAnswer } from './raw-http';

/** The numbered behaviours of real clients, on the endpoints that there are so far. */
const app = useApplication();

const BASE = 'http://service.test/api/v4';

let owner: BuiltUser;
let project: BuiltProject;
/** The owner's requests. */
let api: RawHttp;
let anonymous: RawHttp;
let repository: string;

beforeAll(async () => {
  owner = await app.current.build.user();
  project = await app.current.build.project({
    owner,
    path: 'p.with-dots',
    files: { 'README.md': 'hello', 'src/a b.md': 'spaced', 'release/*': 'starred' },
  });
  api = as(owner.token);
  anonymous = new RawHttp(app.current.url);
  repository = `/projects/${project.id}/repository`;
});

const as = (token: string): RawHttp => new RawHttp(app.current.url, { 'PRIVATE-TOKEN': token });

async function putFile(path: string): Promise<void> {
  const content = { branch: 'master', content: 'x', commit_message: 'add' };
  expect((await api.json('POST', `${repository}/files/${path}`, content)).status).toBe(201);
}

const contentOf = async (path: string): Promise<string> =>
  (await api.get(`${repository}/files/${path}/raw?ref=master`)).text;

/** The path and query of a Link target, for following it to the server under test. */
function linkTo(relation: string, { headers }: RawHttpAnswer): string | undefined {
  const links = String(headers.link ?? '').split(', ');
  const found = links.find((link) => link.endsWith(`; rel="${relation}"`));
  return found?.slice(1, found.indexOf('>')).replace(BASE, '');
}

describe('1: DELETE with parameters', () => {
  const deleted = async (path: string, send: () => Promise<RawHttpAnswer>): Promise<void> => {
    await putFile(path);
    expect((await send()).status).toBe(204);
    expect((await api.get(`${repository}/files/${path}?ref=master`)).status).toBe(404);
  };

  it('in a JSON body (gitbeaker, Perl)', () =>
    deleted('json', () =>
      api.json('DELETE', `${repository}/files/json`, { branch: 'master', commit_message: 'del' }),
    ));

  it('in a form body (ruby)', () =>
    deleted('form', () => api.form('DELETE', `${repository}/files/form`, 'branch=master&commit_message=d')));

  it('in the query (python, go)', () =>
    deleted('query', () => api.send('DELETE', `${repository}/files/query?branch=master&commit_message=d`)));
});

describe('2: a content type without content', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  it('JSON announced on GET, and on DELETE with and without a length (python)', async () => {
    expect((await api.get('/user', { headers: JSON_TYPE })).status).toBe(200);
    for (const [branch, length] of [
      ['no-length', {}],
      ['zero-length', { 'Content-Length': '0' }],
    ] as const) {
      await api.json('POST', `${repository}/branches`, { branch, ref: 'master' });
      const headers = { ...JSON_TYPE, ...length };
      expect((await api.send('DELETE', `${repository}/branches/${branch}`, { headers })).status).toBe(204);
    }
  });

  it('{} on DELETE (gitbeaker)', async () => {
    await api.json('POST', `${repository}/branches`, { branch: 'braces', ref: 'master' });
    expect((await api.json('DELETE', `${repository}/branches/braces`, {})).status).toBe(204);
  });

  it('text/plain on GET (release-it)', async () => {
    expect((await api.get('/user', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(200);
  });
});

describe('3: forms with lists of hashes (ruby)', () => {
  it('a key that repeats begins the next element', async () => {
    const actions =
      'actions[][action]=create&actions[][file_path]=form%2Fa&actions[][content]=x' +
      '&actions[][action]=create&actions[][file_path]=form%2Fb&actions[][content]=y%26z';
    const answer = await api.form(
      'POST',
      `${repository}/commits`,
      `branch=master&commit_message=two&${actions}`,
    );
    expect([answer.status, answer.body.title]).toEqual([201, 'two']);
    expect([await contentOf('form%2Fa'), await contentOf('form%2Fb')]).toEqual(['x', 'y&z']);
  });

  it('names may be percent-encoded', async () => {
    const action =
      'actions%5B%5D%5Baction%5D=create&actions%5B%5D%5Bfile_path%5D=form%2Fc&actions%5B%5D%5Bcontent%5D=a+b';
    const answer = await api.form(
      'POST',
      `${repository}/commits`,
      `branch=master&commit_message=one&${action}`,
    );
    expect(answer.status).toBe(201);
    expect(await contentOf('form%2Fc')).toBe('a b');
  });
});

describe('4: POST with parameters in query and body', () => {
  it('plain ones in the query, lists in a form (ruby)', async () => {
    const answer = await api.form(
      'POST',
      `${repository}/commits?branch=master&commit_message=split`,
      'actions[][action]=create&actions[][file_path]=split%2Fruby&actions[][content]=x',
    );
    expect([answer.status, answer.body.title]).toEqual([201, 'split']);
  });

  it('all in the query, hashes in lists among them, and {} as body (gitbeaker)', async () => {
    const query =
      'branch=master&commit_message=query&actions[][action]=create&actions[][file_path]=split%2F%2A&actions[][content]=x';
    expect((await api.json('POST', `${repository}/commits?${query}`, {})).status).toBe(201);
    expect(await contentOf('split%2F%2A')).toBe('x');
    const branch = await api.json('POST', `${repository}/branches?branch=feature%2Fsplit&ref=master`, {});
    expect([branch.status, branch.body.name]).toEqual([201, 'feature/split']);
  });
});

describe('5: booleans', () => {
  const fieldsOf = async (query: string): Promise<string[][]> => {
    const answer = await api.get(`/projects?${query}`);
    expect(answer.status).toBe(200);
    return answer.body.map((found: object) => Object.keys(found));
  };

  it.each([
    ['True', 'False', 'python'],
    ['1', '0', 'Perl'],
    ['true', 'false', 'everybody else'],
  ])('%s and %s (%s)', async (yes, no) => {
    const simple = await fieldsOf(`membership=${yes}&simple=${yes}`);
    const full = await fieldsOf(`membership=${yes}&simple=${no}`);
    expect([simple.length, full.length]).toEqual([1, 1]);
    expect(simple[0]).not.toContain('visibility');
    expect(full[0]).toContain('visibility');
  });
});

describe('6: lists', () => {
  it.each([
    ['skip_groups[]=FIRST&skip_groups[]=SECOND', 'python, gitbeaker, go'],
    ['skip_groups%5B%5D=FIRST&skip_groups%5B%5D=SECOND', 'the same, encoded'],
    ['skip_groups=FIRST&skip_groups=SECOND', 'go-gitlab 0.73'],
    ['skip_groups=FIRST,SECOND', 'go-gitlab 0.115'],
    ['skip_groups=FIRST%2CSECOND', 'the same, encoded'],
  ])('%s (%s)', async (style) => {
    const user = await app.current.build.user();
    const members = { owner: user };
    const groups = [
      await app.current.build.group({ members }),
      await app.current.build.group({ members }),
      await app.current.build.group({ members }),
    ] as const;
    const query = style.replace('FIRST', String(groups[0].id)).replace('SECOND', String(groups[1].id));
    const answer = await as(user.token).get(`/groups?${query}`);
    expect(answer.body.map(({ id }: { id: number }) => id)).toEqual([groups[2].id]);
  });
});

describe('7: one path, encoded in several ways', () => {
  it.each([
    ['src%2Fa%20b.md', 'gitbeaker, python, ruby, Perl'],
    ['src%2Fa%20b%2Emd', 'go'],
    ['src%2fa%20b.md', 'hand-written scripts'],
  ])('a file as %s (%s)', async (path) => {
    const answer = await api.get(`${repository}/files/${path}?ref=master`);
    expect([answer.status, answer.body.file_path]).toEqual([200, 'src/a b.md']);
    expect(await contentOf(path)).toBe('spaced');
  });

  it.each(['release%2F%2A', 'release%2F*'])('a star as %s', async (path) => {
    expect(await contentOf(path)).toBe('starred');
  });

  it('a project as number, path and path with encoded dots', async () => {
    const path = project.fullPath.replace('/', '%2F');
    for (const id of [String(project.id), path, path.replaceAll('.', '%2E')]) {
      const answer = await api.get(`/projects/${id}`);
      expect([answer.status, answer.body.id]).toEqual([200, project.id]);
      expect((await api.get(`/projects/${id}/repository/files/README%2Emd?ref=master`)).status).toBe(200);
    }
  });

  it('slashes that stand together count as one, but not encoded ones (go-gitlab 0.20)', async () => {
    const commits = `//projects/${project.id}//repository/commits`;
    const { status, headers, body } = await api.get(`${commits}?per_page=1&path=src//a+b.md`);
    expect([status, body]).toEqual([200, []]);
    expect(headers.link).toContain(`/api/v4${commits}?`);
    expect((await api.get(`${repository}/files/src%2F%2Fa%20b.md?ref=master`)).status).toBe(404);
  });

  it('a branch with a slash in path and query', async () => {
    await api.json('POST', `${repository}/branches`, { branch: 'feature/x', ref: 'master' });
    expect((await api.get(`${repository}/branches/feature%2Fx`)).body.name).toBe('feature/x');
    const file = await api.get(`${repository}/files/src%2Fa%20b.md?ref=feature%2Fx`);
    expect([file.status, file.body.ref]).toEqual([200, 'feature/x']);
  });
});

describe('8: base64 with the newlines of MIME (ruby)', () => {
  it.each([
    ['a short one with a newline at its end', 'aGVsbG8%3D%0A', 'hello'],
    ['a long one in lines', `${'YWFh'.repeat(15)}%0A`.repeat(3), 'a'.repeat(135)],
    ['lines that end in CR LF', 'aGVs%0D%0AbG8%3D%0D%0A', 'hello'],
  ])('%s', async (_case, encoded, content) => {
    const path = `mime-${content.length}-${encoded.length}`;
    const body = `branch=master&commit_message=m&encoding=base64&content=${encoded}`;
    expect((await api.form('POST', `${repository}/files/${path}`, body)).status).toBe(201);
    expect(await contentOf(path)).toBe(content);
  });
});

describe('9: multipart', () => {
  const field = (name: string, value: string): string =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

  it('parts without a type, and an extra empty avatar (python)', async () => {
    const answer = await api.multipart('POST', `${repository}/files/multipart`, [
      field('branch', 'master'),
      field('commit_message', 'by parts'),
      field('content', 'caf\xc3\xa9'),
      field('avatar', ''),
    ]);
    expect([answer.status, answer.body]).toEqual([201, { file_path: 'multipart', branch: 'master' }]);
    expect(await contentOf('multipart')).toBe('café');
  });

  it('octet streams (gitbeaker, release-it, semantic-release) and files without a type (python)', async () => {
    const answer = await api.multipart('PUT', `/projects/${project.id}`, [
      field('description', 'by parts'),
      'Content-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xff\r\n\x01',
      'Content-Disposition: form-data; name="other"; filename="a.txt"\r\n\r\nhello',
      'Content-Disposition: form-data; name="avatar"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n',
    ]);
    expect([answer.status, answer.body.description]).toEqual([200, 'by parts']);
  });
});

describe('10: what is not meant (python)', () => {
  it('"expires_at": null is no date', async () => {
    const { id } = await app.current.build.user();
    const body = { user_id: id, access_level: 30, expires_at: null };
    const answer = await api.json('POST', `/projects/${project.id}/members`, body);
    expect([answer.status, answer.body.expires_at]).toEqual([201, null]);
  });

  it('file_path in the body of a PUT is what the path says already', async () => {
    await putFile('saved');
    const { body: file } = await api.get(`${repository}/files/saved?ref=master`);
    const change = { ...file, content: 'bmV3', encoding: 'base64', branch: 'master', commit_message: 'save' };
    const answer = await api.json('PUT', `${repository}/files/saved`, change);
    expect([answer.status, answer.body]).toEqual([200, { file_path: 'saved', branch: 'master' }]);
    expect(await contentOf('saved')).toBe('new');
  });

  it('another file_path in the body never wins over the path', async () => {
    await putFile('meant');
    const change = { file_path: 'README.md', branch: 'master', content: 'changed', commit_message: 'm' };
    expect((await api.json('PUT', `${repository}/files/meant`, change)).body.file_path).toBe('meant');
    expect([await contentOf('meant'), await contentOf('README.md')]).toEqual(['changed', 'hello']);
  });
});

describe('11: oddities of ruby', () => {
  it('a question mark with nothing behind it', async () => {
    const answer = await api.get(`${repository}/branches?`);
    expect([answer.status, answer.headers['x-page']]).toEqual([200, '1']);
    expect((await api.get('/user?')).status).toBe(200);
    expect(linkTo('first', answer)).toBe(`${repository}/branches?page=1&per_page=20`);
  });

  it('Accept: text/plain for raw content, also where the answer is an error', async () => {
    const headers = { Accept: 'text/plain' };
    const raw = await api.get(`${repository}/files/README.md/raw?ref=master`, { headers });
    expect([raw.status, raw.text]).toEqual([200, 'hello']);
    const missing = await api.get(`${repository}/files/none/raw?ref=master`, { headers });
    expect([missing.status, missing.body]).toEqual([404, { message: '404 File Not Found' }]);
  });

  it('Accept: application/json with the type of a form on every call', async () => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await api.get('/user', { headers })).status).toBe(200);
    expect((await api.send('DELETE', `${repository}/branches/no-such-branch`, { headers })).status).toBe(404);
  });
});

describe('12: ways to say who calls', () => {
  it('Private-Token in any letter case (all)', async () => {
    for (const name of ['PRIVATE-TOKEN', 'Private-Token', 'private-token']) {
      const answer = await anonymous.get('/user', { headers: { [name]: owner.token } });
      expect([answer.status, answer.body.id]).toEqual([200, owner.id]);
    }
  });

  it('Authorization: Bearer with a personal access token (Renovate)', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const answer = await anonymous.get('/user', { headers: { Authorization: `${scheme} ${owner.token}` } });
      expect([answer.status, answer.body.id]).toEqual([200, owner.id]);
    }
  });

  it('the Sudo header (go) and the sudo parameter (python)', async () => {
    const admin = await app.current.build.user({ admin: true, scopes: ['api', 'sudo'] });
    const root = as(admin.token);
    const byHeader = await root.get('/user', { headers: { Sudo: owner.username } });
    const byQuery = await root.get(`/user?sudo=${owner.username}`);
    expect([byHeader.body.id, byQuery.body.id]).toEqual([owner.id, owner.id]);
    const path = `/projects/${project.id}/repository/branches`;
    const write = await root.json('POST', `${path}?sudo=${owner.id}`, { branch: 'by-sudo', ref: 'master' });
    expect(write.status).toBe(201);
  });

  it('Job-Token is read, and refused where jobs have no business', async () => {
    const token = await app.current.build.token(owner, ['api'], { kind: 'job' });
    const open = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    const path = `/projects/${open.id}/repository/branches`;
    expect((await anonymous.get(path)).status).toBe(200);
    expect((await anonymous.get(path, { headers: { 'JOB-TOKEN': token } })).status).toBe(401);
  });
});

describe('13: pages', () => {
  let user: BuiltUser;
  let ids: number[];

  beforeAll(async () => {
    user = await app.current.build.user();
    const projects = [];
    for (let count = 0; count < 5; count += 1)
      projects.push(await app.current.build.project({ owner: user }));
    ids = projects.map(({ id }) => id);
  });

  const idsOf = ({ body }: RawHttpAnswer): number[] => body.map(({ id }: { id: number }) => id);

  async function collect(path: string, next: (answer: RawHttpAnswer) => string | undefined) {
    const found: number[][] = [];
    for (let at: string | undefined = path; at !== undefined;) {
      const answer = await as(user.token).get(at);
      found.push(idsOf(answer));
      at = next(answer);
    }
    return found;
  }

  const inPages = (): number[][] => [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)];
  const SORTED = '/projects?membership=True&order_by=id&sort=asc';

  it('following rel="next" until there is none (python, ruby)', async () => {
    expect(await collect(`${SORTED}&per_page=2`, (answer) => linkTo('next', answer))).toEqual(inPages());
  });

  it('counting up to X-Next-Page, with the total of X-Total (gitbeaker)', async () => {
    const next = ({ headers }: RawHttpAnswer) => {
      expect(headers['x-total']).toBe('5');
      const page = String(headers['x-next-page']);
      return page === '' ? undefined : `${SORTED}&per_page=2&page=${page}`;
    };
    expect(await collect(`${SORTED}&per_page=2&page=1`, next)).toEqual(inPages());
  });

  it('asking for page 1 of 20 and stopping where a page is short (Perl)', async () => {
    const answer = await as(user.token).get(`${SORTED}&page=1&per_page=20`);
    expect(idsOf(answer)).toEqual(ids);
  });

  it.each([
    ['&sort=asc', 'id_after', (all: number[]) => all],
    ['', 'id_before', (all: number[]) => all.toReversed()],
  ])('keyset%s: rel="next" leads on by %s (python, gitbeaker)', async (sort, parameter, inOrder) => {
    const links: string[] = [];
    const next = (answer: RawHttpAnswer) => {
      expect(answer.headers['x-total']).toBeUndefined();
      const link = linkTo('next', answer);
      if (link !== undefined) links.push(link);
      return link;
    };
    const path = `/projects?pagination=keyset&order_by=id&membership=True&per_page=2${sort}`;
    expect((await collect(path, next)).flat()).toEqual(inOrder(ids));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toContain(`&${parameter}=`);
  });
});

describe('14: limits of the rate', () => {
  it('are published by nobody who keeps none: clients would throttle themselves (go-gitlab, glab)', async () => {
    for (const path of ['/', '/user', `/projects/${project.id}`]) {
      const { headers } = await api.get(path);
      expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });

  it('a refusal for a while says for how many seconds (python)', () => {
    const { status, headers } = answerFor({ kind: 'unavailable', message: 'busy' });
    expect(status).toBe(503);
    expect(headers?.['Retry-After']).toMatch(/^[1-9]\d*$/);
  });
});

describe('15: the probe at the root of the API (go)', () => {
  it.each(['/', ''])('GET /api/v4%s answers 404 in JSON without a token', async (path) => {
    const answer = await anonymous.get(path, { headers: { Accept: 'application/json' } });
    expect([answer.status, answer.body]).toEqual([404, { error: '404 Not Found' }]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('16: addresses that clients build', () => {
  it('web_url is absolute and without a slash at its end, so that a path can follow (release-it)', async () => {
    const { body } = await api.get(`/projects/${project.id}`);
    expect(body.web_url).toBe(`http://service.test/${project.fullPath}`);
    expect(body.http_url_to_repo).toBe(`${body.web_url}.git`);
  });
});

describe('17: the version under both names (gitbeaker)', () => {
  it('/version and /metadata', async () => {
    const version = await api.get('/version');
    const metadata = await api.get('/metadata');
    expect(version.body).toEqual({
      version: expect.stringMatching(/^12\.4\./),
      revision: expect.any(String),
    });
    expect(metadata.body).toMatchObject({ ...version.body, enterprise: true, kas: { enabled: false } });
  });
});

describe('besides: the type of an answer (python-gitlab 3 compares it letter for letter)', () => {
  const file = () => `${repository}/files/README.md?ref=master`;

  it.each([
    ['a record', () => api.get('/user')],
    ['a list', () => api.get('/projects?per_page=1')],
    ['an empty list', () => api.get('/projects?search=nothing-of-this-name')],
    ['a file', () => api.get(file())],
    ['something new', () => api.json('POST', `${repository}/branches`, { branch: 'typed', ref: 'master' })],
    ['an error of the service', () => api.get('/projects/0')],
    ['an unknown path', () => api.get('/no/such/path')],
    [
      'a malformed body',
      () => api.send('POST', '/projects', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    ],
  ])('is application/json and no more for %s', async (_what, ask) => {
    expect((await ask()).headers['content-type']).toBe('application/json');
  });

  it('is text for raw content', async () => {
    const { headers } = await api.get(`${repository}/files/README.md/raw?ref=master`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('besides: the metadata of a file in headers', () => {
  it('are found under the prefix of the specification and under that of the clients (go-gitlab)', async () => {
    const { status, headers, text } = await api.send(
      'HEAD',
      `${repository}/files/src%2Fa%20b%2Emd?ref=master`,
    );
    expect([status, text]).toEqual([200, '']);
    const names = [
      'blob-id',
      'commit-id',
      'content-sha256',
      'encoding',
      'file-name',
      'file-path',
      'last-commit-id',
      'ref',
      'size',
    ];
    const under = (prefix: string) => names.map((name) => headers[`${prefix}${name}`]);
    expect(under('x-gitlab-')).toEqual(under('x-service-'));
    expect(headers).toMatchObject({ 'x-gitlab-file-path': 'src/a b.md', 'x-gitlab-size': '6' });
    expect(under('x-gitlab-')).not.toContain(undefined);
  });
});
