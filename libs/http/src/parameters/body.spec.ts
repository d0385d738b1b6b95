import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type Response } from 'express';
import supertest from 'supertest';
import { DomainError } from '#libs/errors';
import { BodiesInFlight } from './bodies-in-flight';
import { readBody } from './body';
import { bodyLimitsOf, JSON_DEPTH_LIMIT, JSON_ELEMENT_LIMIT } from './body-limits';
import { params, parseParams } from './params';
import { parseRack } from './rack-parameters';
import { RepeatedValue, UploadedFile } from './values';
import { wire } from './wire';

const LIMITS = { text: 200_000, file: 50_000, files: 2 };
const STATUSES = new Map([
  ['too_large', 413],
  ['unavailable', 503],
  ['defect', 500],
]);
const FORM = 'application/x-www-form-urlencoded';

let folder: string;
let api: ReturnType<typeof supertest>;
let server: Server;
/** What the middleware answered besides the response: errors in the order of their requests. */
let errors: unknown[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'body-spec-'));
  const app = express();
  const ordinary = readBody({
    limits: () => LIMITS,
    temporaryFolder: folder,
    skip: (r) => r.path.endsWith('.git'),
  });
  const scarce = readBody({ limits: () => LIMITS, bodiesInFlight: new BodiesInFlight(1000) });
  app.use((request, response, next) => {
    if (request.path === '/large') readBody({ temporaryFolder: folder })(request, response, next);
    else if (request.path === '/full')
      readBody({ temporaryFolder: path.join(folder, 'none') })(request, response, next);
    else if (request.path === '/scarce') scarce(request, response, next);
    else ordinary(request, response, next);
  });
  app.get('/files/:path', ({ params: ofPath, parameters }, response) => {
    response.json({ ...parameters, ...ofPath });
  });
  app.use((request: Request, response: Response) => {
    const parameters = Object.entries(request.parameters ?? {}).map(([name, value]) => {
      if (value instanceof RepeatedValue) return [name, { repeated: value.values }];
      if (value instanceof UploadedFile)
        return [name, { ...value, content: readFileSync(value.path, 'latin1') }];
      return [name, value];
    });
    const { rawJson } = request;
    response.json({ parameters: Object.fromEntries(parameters), ...(rawJson !== undefined && { rawJson }) });
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    errors.push(error);
    const detail = error instanceof DomainError ? error.detail : { kind: 'defect' };
    response.status(STATUSES.get(detail.kind) ?? 400).json(detail);
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = supertest(`http://127.0.0.1:${port()}`);
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

beforeEach(() => (errors = []));

function port(): number {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

async function expectNoFilesLeft(): Promise<void> {
  while (readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(readdirSync(folder)).toEqual([]);
}

function multipart(...parts: string[]): string {
  return `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;
}

const postMultipart = (body: string | Buffer) =>
  api.post('/').set('Content-Type', 'multipart/form-data; boundary=b').send(body);

describe('what real clients send', () => {
  it('1: DELETE with a JSON body, a form body or a query', async () => {
    const expected = { branch: 'master', commit_message: 'd' };
    const json = await api.delete('/').send(expected);
    const form = await api.delete('/').type('form').send('branch=master&commit_message=d');
    const query = await api.delete('/?branch=master&commit_message=d');
    expect([json, form, query].map(({ body }) => body.parameters)).toEqual([expected, expected, expected]);
  });

  it.each(['get', 'delete', 'post', 'put'] as const)(
    '2: %s announcing JSON with an empty body',
    async (method) => {
      const { status, body } = await api[method]('/?a=1').set('Content-Type', 'application/json');
      expect([status, body]).toEqual([200, { parameters: { a: '1' } }]);
    },
  );

  it('2: DELETE with {}, GET announcing text, GET with a body that no one reads', async () => {
    expect((await api.delete('/').send({})).body).toEqual({ parameters: {}, rawJson: {} });
    expect((await api.get('/').set('Content-Type', 'text/plain')).status).toBe(200);
    expect((await api.get('/?a=1').type('json').send('{"broken')).body).toEqual({ parameters: { a: '1' } });
  });

  it('3: forms with nested names, also on PUT', async () => {
    const form =
      'actions[][action]=create&actions[][file_path]=a&actions[][action]=delete&variables[][key]=A';
    const { body } = await api.put('/').type('form').send(form);
    expect(body.parameters).toEqual({
      actions: [{ action: 'create', file_path: 'a' }, { action: 'delete' }],
      variables: [{ key: 'A' }],
    });
  });

  it('4: parameters in query and body together; the body wins', async () => {
    const form = await api.post('/?ref=master&x=query').type('form').send('variables[][key]=A&x=body');
    expect(form.body.parameters).toEqual({ ref: 'master', x: 'body', variables: [{ key: 'A' }] });
    const json = await api.post('/?allowed_to_push[][user_id]=1&name=release%2F%2A').send({});
    expect(json.body.parameters).toEqual({ allowed_to_push: [{ user_id: '1' }], name: 'release/*' });
  });

  it('5 and 6: booleans as words and digits, lists in all styles', async () => {
    const { body } = await api.get('/?membership=True&push_events=1&wiki=False&iids[]=1&iids[]=2&g=1&g=2');
    expect(body.parameters).toEqual({
      membership: 'True',
      push_events: '1',
      wiki: 'False',
      iids: ['1', '2'],
      g: { repeated: ['1', '2'] },
    });
    const declared = params({
      membership: wire.boolean(),
      wiki: wire.boolean(),
      iids: wire.list(wire.integer()),
    });
    expect(parseParams(declared, body.parameters)).toEqual({ membership: true, wiki: false, iids: [1, 2] });
  });

  it.each(['src%2Fa%20b.md', 'src%2Fa%20b%2Emd'])('7: a path encoded as %s', async (encoded) => {
    const { body } = await api.get(`/files/${encoded}?ref=feature%2Fx`);
    expect(body).toEqual({ path: 'src/a b.md', ref: 'feature/x' });
  });

  it('8: base64 with the newlines of MIME', async () => {
    const { body } = await api.post('/').type('form').send('content=aGVsbG8%3D%0A');
    expect(body.parameters).toEqual({ content: 'aGVsbG8=\n' });
  });

  it('9: multipart with a file without type, an octet stream and an empty avatar', async () => {
    const { body } = await postMultipart(
      multipart(
        'name="file"; filename="a b.txt"\r\n\r\nhello',
        'name="data"; filename="../../b.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\x01\x02',
        'name="avatar"\r\n\r\n',
        'name="logo"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n',
        'name="links[][url]"\r\n\r\nü',
        'name="links[][url]"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nv',
      ),
    );
    expect(body.parameters).toMatchObject({
      file: { fileName: 'a b.txt', size: 5, content: 'hello' },
      data: { fileName: 'b.bin', contentType: 'application/octet-stream', size: 2, content: '\x01\x02' },
      avatar: '',
      links: [{ url: 'ü' }, { url: 'v' }],
    });
    expect(body.parameters).not.toHaveProperty('logo');
    await expectNoFilesLeft();
    expect(existsSync(body.parameters.file.path)).toBe(false);
  });

  it('10 and 11: null, and a trailing question mark', async () => {
    expect((await api.put('/?').send({ expires_at: null })).body.parameters).toEqual({ expires_at: null });
  });
});

describe('a JSON body', () => {
  it.each([['[1,2]'], ['"text"'], ['5'], ['null']])(
    '%s is kept aside and gives no parameters',
    async (text) => {
      const { body } = await api.post('/?a=1').type('json').send(text);
      expect(body).toEqual({ parameters: { a: '1' }, rawJson: JSON.parse(text) });
    },
  );

  it('has its keys taken as they are', async () => {
    const text = '{"a[b]":1,"a[]":2,"__proto__":{"x":1},"constructor":3}';
    const { text: answer } = await api.post('/').type('application/scim+json').send(text);
    expect(answer).toBe(`{"parameters":${text},"rawJson":${text}}`);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it.each(['{', '{"a":1,}', 'nonsense', '{"a":"\u0001"}', '{} {}'])('%j is malformed', async (text) => {
    const { status, body } = await api.post('/').type('json').send(text);
    expect([status, body]).toEqual([400, { kind: 'invalid_parameter', text: 'The JSON body is malformed' }]);
  });

  it('nests only so deep, whatever stands in its texts', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const send = async (text: string) => (await api.post('/large').type('json').send(text)).status;
    expect(await send(nested(JSON_DEPTH_LIMIT))).toBe(200);
    expect(await send(nested(JSON_DEPTH_LIMIT + 1))).toBe(400);
    expect(await send('['.repeat(1_000_000))).toBe(400);
    expect(await send(JSON.stringify({ a: `"\\${'['.repeat(1000)}\\\\"` }))).toBe(200);
  });

  it('has only so many values', async () => {
    const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 1));
    expect((await api.post('/large').type('json').send(list(JSON_ELEMENT_LIMIT))).status).toBe(200);
    expect(
      (
        await api
          .post('/large')
          .type('json')
          .send(list(JSON_ELEMENT_LIMIT + 1))
      ).status,
    ).toBe(400);
  });

  it.each([
    ['{"a":"x\\u0000"}', 400],
    ['{"a\\u0000":1}', 400],
    ['{"a":"\\\\\\u0000"}', 400],
    ['{"a":"\\u00\\u0000"}', 400],
    ['{"a":"\\\\u0000"}', 200],
    ['{"a":"\\u0001\\u00001"}', 400],
  ])('with a null byte is refused: %s', async (text, status) => {
    expect((await api.post('/').type('json').send(text)).status).toBe(status);
  });

  it('must be UTF-8', async () => {
    const latin = Buffer.from('{"a":"é"}', 'latin1');
    expect(await rawPost({ 'Content-Type': 'application/json' }, latin)).toBe(400);
    expect(await rawPost({ 'Content-Type': 'application/json; charset=utf-16' }, Buffer.from('{}'))).toBe(
      400,
    );
  });
});

describe('text that must not reach anybody', () => {
  it.each(['/?a=%00', '/?a%00=1', '/x%00y'])('a null byte in the url %s', async (url) => {
    expect((await api.get(url)).status).toBe(400);
  });

  it.each(['a=%00', 'a=%FF', 'a=%zz', 'a=1&a[b]=2'])('the form %s', async (form) => {
    expect((await api.post('/').type('form').send(form)).status).toBe(400);
    expect((await api.get(`/?${form}`)).status).toBe(400);
  });

  it('raw bytes of a form that are no UTF-8, unless they are of the named charset', async () => {
    const bytes = Buffer.from('a=é', 'latin1');
    expect(await rawPost({ 'Content-Type': FORM }, bytes)).toBe(400);
    expect(await rawPost({ 'Content-Type': `${FORM}; charset=ISO-8859-1` }, bytes)).toBe(200);
    expect(await rawPost({ 'Content-Type': `${FORM}; charset=klingon` }, bytes)).toBe(400);
  });

  it('multipart fields that are no UTF-8 or hold a null byte', async () => {
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
    expect(await rawPost(type, Buffer.from(multipart('name="a"\r\n\r\n\xff'), 'latin1'))).toBe(400);
    expect(await rawPost(type, Buffer.from(multipart('name="a"\r\n\r\n\0')))).toBe(400);
  });
});

describe('limits', () => {
  const tooMuch = 'x'.repeat(LIMITS.text);

  it.each([
    ['json', JSON.stringify({ a: tooMuch })],
    ['form', `a=${tooMuch}`],
    ['multipart/form-data; boundary=b', multipart(`name="a"\r\n\r\n${tooMuch}1`)],
    [
      'multipart/form-data; boundary=b',
      multipart(`name="a"; filename="a"\r\n\r\n${'x'.repeat(LIMITS.file + 1)}`),
    ],
  ])('refuse a %s body that is too large', async (type, body) => {
    expect((await api.post('/').type(type).send(body)).status).toBe(413);
    await expectNoFilesLeft();
  });

  it('refuse a body by its announced length', async () => {
    const status = await rawPost(
      { 'Content-Type': 'application/json', 'Content-Length': '300000' },
      Buffer.alloc(300_000),
    );
    expect(status).toBe(413);
  });

  it('count what comes without an announced length', async () => {
    const headers = { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' };
    expect(await rawPost(headers, Buffer.alloc(LIMITS.text + 1, 'x'))).toBe(413);
    expect(await rawPost(headers, Buffer.from(`a=${'x'.repeat(LIMITS.text - 2)}`))).toBe(200);
  });

  it('count what a compressed body becomes', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect(await rawPost(headers, gzipSync(JSON.stringify({ a: 'x'.repeat(1000) })))).toBe(200);
    expect(await rawPost(headers, gzipSync(JSON.stringify({ a: tooMuch })))).toBe(413);
    expect(await rawPost(headers, Buffer.from('no gzip'))).toBe(400);
    expect(await rawPost(headers, gzipSync('{}').subarray(0, 15))).toBe(400);
    expect(await rawPost({ ...headers, 'Content-Encoding': 'zip' }, Buffer.from('{}'))).toBe(400);
  });

  it.each([
    ['/api/v4/projects/1/repository/commits', 144],
    ['/api/v4/projects/1/repository/commits.json', 144],
    ['/api/v4/projects/g%2Fp/repository/files/a%2Fb.md?branch=x', 144],
    ['/api/v4/projects/1/repository/commits/master/comments', 20],
    ['/api/v4/projects/1/issues/1/notes', 20],
  ])('allow %s so many mebibytes of text: %d', (url, mebibytes) => {
    expect(bodyLimitsOf({ url, headers: { 'private-token': 'x' } }).text).toBe(mebibytes * 1024 * 1024);
  });

  it.each([
    ['no credential at all', {}, '', 1],
    ['an empty header', { 'private-token': '' }, 'private_token=', 1],
    ['a cookie of something else', { cookie: 'theme=dark' }, '', 1],
    ['an Authorization header', { authorization: 'Bearer x' }, '', 144],
    ['a Job-Token header', { 'job-token': 'x' }, '', 144],
    ['a session cookie', { cookie: 'theme=dark; _service_session=x' }, '', 144],
    ['a private_token in the query', {}, 'private%5Ftoken=x', 144],
    ['an access_token in the query', {}, 'a=1&access_token=x', 144],
  ])('allow a request with %s so many mebibytes of file contents: %d', (_name, headers, query, mebibytes) => {
    const url = `/api/v4/projects/1/repository/commits?${query}`;
    const { text } = bodyLimitsOf({ url, headers, parameters: parseRack(query) });
    expect(text).toBe(mebibytes * 1024 * 1024);
  });

  it('let a stranger send a mebibyte, and somebody with a token more', async () => {
    const body = `a=${'x'.repeat(1024 * 1024)}`;
    expect((await api.post('/large').type('form').send(body)).status).toBe(413);
    const known = await api.post('/large').set('Private-Token', 'x').type('form').send(body);
    expect(known.body.parameters.a).toHaveLength(1024 * 1024);
  });

  it.each([
    ['json', JSON.stringify({ a: 'x'.repeat(600) })],
    ['form', `a=${'x'.repeat(600)}`],
    ['multipart/form-data; boundary=b', multipart(`name="a"\r\n\r\n${'x'.repeat(600)}`)],
  ])('bound what all %s bodies together take, and forget those that were read', async (type, body) => {
    const send = (text: string) => api.post('/scarce').type(type).send(text);
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await send(body)).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await send(body.replace('xxx', 'x'.repeat(600)))).status).toBe(503);
    expect((await send(body)).status).toBe(200);
  });

  it('refuse too many files', async () => {
    const file = 'name="f[]"; filename="a"\r\n\r\nx';
    expect((await postMultipart(multipart(file, file))).status).toBe(200);
    expect((await postMultipart(multipart(file, file, file))).status).toBe(400);
    await expectNoFilesLeft();
  });
});

describe('a multipart body that is broken', () => {
  it.each([
    ['ends too early in a file', '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx'],
    ['ends too early in a field', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'],
    ['has no end', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b'],
    ['has no parts', 'nothing of the kind'],
  ])('%s and is refused', async (_name, body) => {
    const { status } = await postMultipart(body);
    expect(status).toBe(400);
    await expectNoFilesLeft();
  });

  it('names no boundary and is refused', async () => {
    expect((await api.post('/').set('Content-Type', 'multipart/form-data').send('x')).status).toBe(400);
  });

  it('is read after a commit of several thousand fields', async () => {
    const fields = Array.from({ length: 5000 }, (_, index) => `name="a[][k]"\r\n\r\n${index}`);
    const { body } = await api
      .post('/large')
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(multipart(...fields));
    expect(body.parameters.a).toHaveLength(5000);
    expect(body.parameters.a[4999]).toEqual({ k: '4999' });
  });
});

describe('a server that cannot store a file', () => {
  it('has failed itself; the client is not blamed', async () => {
    const body = multipart('name="a"; filename="a"\r\n\r\nx');
    const { status } = await api
      .post('/full')
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(body);
    expect(status).toBe(500);
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  });
});

describe('bodies that are left alone', () => {
  it('are those of unknown types', async () => {
    const { body } = await api.post('/?a=1').type('application/x-git-upload-pack-request').send('0000');
    expect(body).toEqual({ parameters: { a: '1' } });
  });

  it('are those that a route reads itself', async () => {
    const { body } = await api.post('/p.git?service=x').type('json').send('{broken');
    expect(body).toEqual({ parameters: { service: 'x' } });
  });
});

describe('a client that goes away in the middle of a body', () => {
  it.each(['application/json', FORM, 'multipart/form-data; boundary=b'])(
    'of %s leaves nothing behind',
    async (type) => {
      const socket = connect(port(), '127.0.0.1');
      const part = '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nxxxx';
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n${part}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(errors[0]).toBeInstanceOf(DomainError);
      await expectNoFilesLeft();
      expect((await api.get('/')).status).toBe(200);
    },
  );
});

/** Sends exactly these bytes; resolves with the status. */
function rawPost(headers: Record<string, string>, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { port: port(), host: '127.0.0.1', method: 'POST', path: '/', headers },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      },
    );
    outgoing.on('error', reject).end(body);
  });
}
