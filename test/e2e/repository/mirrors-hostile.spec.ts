import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let owner: BuiltUser;
let listener: Server;
let port: number;
let heard = 0;
beforeAll(async () => {
  owner = await app.current.build.user();
  listener = createServer((_request, response) => response.end()).on('connection', () => (heard += 1));
  await once(listener.listen(0), 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  port = address.port;
});
afterAll(() => listener.close());

const HOST = 'Requests to the local network are not allowed';

describe('import URLs', () => {
  it.each([
    ['http://127.0.0.1:PORT/x.git', HOST],
    ['http://user:password@127.0.0.1:PORT/x.git', HOST],
    ['http://localhost:PORT/x.git', HOST],
    ['http://sub.LOCALHOST.:PORT/x.git', HOST],
    ['http://2130706433:PORT/x.git', HOST],
    ['http://0x7f.1:PORT/x.git', HOST],
    ['http://0177.0.0.1:PORT/x.git', HOST],
    ['http://[::1]:PORT/x.git', HOST],
    ['http://[::ffff:127.0.0.1]:PORT/x.git', HOST],
    ['http://[::ffff:7f00:1]:PORT/x.git', HOST],
    ['http://169.254.169.254/latest/meta-data', HOST],
    ['http://10.0.0.1/x.git', HOST],
    ['https://192.168.1.1/x.git', HOST],
    ['http://0.0.0.0:PORT/x.git', HOST],
    ['git://example.com/x.git', 'Only allowed schemes are http, https'],
    ['ssh://git@example.com/x.git', 'Only allowed schemes are http, https'],
    ['file:///etc/passwd', 'Only allowed schemes are http, https'],
    ['ext::sh -c touch% /tmp/x', 'URI is invalid'],
    ['--upload-pack=touch /tmp/x', 'URI is invalid'],
    ['/etc', 'URI is invalid'],
    ['http://example.com/\r\nx: y', 'URI is invalid'],
    ['http://example.com\\@127.0.0.1/', 'URI is invalid'],
    ['http://a:b%0d%0ac@example.com/', 'Username or password are invalid'],
    ['http://example.com:22/x.git', 'Only allowed ports are 80, 443, and any over 1024'],
  ])('to %s are refused when they are given, and nobody is called', async (text, reason) => {
    const importUrl = text.replace('PORT', String(port));
    const project = await app.current.build.project({ owner });
    const api = app.current.as(owner);
    for (const answer of [
      await api.post('/projects', { name: 'x', import_url: importUrl }),
      await api.put(`/projects/${project.id}`, { mirror: true, import_url: importUrl }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: { import_url: [`is blocked: ${reason}`] } },
      ]);
    }
    expect((await api.get(`/projects/${encodeURIComponent(`${owner.username}/x`)}`)).status).toBe(404);
    expect(heard).toBe(0);
  });

  it('whose name leads to this machine are not followed either', async () => {
    // The machine's own name is an ordinary one, and only a name server tells where it leads.
    const importUrl = `http://${os.hostname()}:${port}/x.git`;
    const { body } = await app.current
      .as(owner)
      .post('/projects', { name: 'rebinding', import_url: importUrl })
      .expect(201);
    const project = await until(async () => {
      const answer = await app.current.as(owner).get(`/projects/${body.id}`);
      return answer.body.import_status === 'failed' && answer.body;
    });
    expect(project.import_error).toBe(`${HOST}.`);
    expect(heard).toBe(0);
  });

  it('are asked for by nobody who is not signed in', async () => {
    await app.current.api
      .post('/projects', { name: 'x', import_url: `http://127.0.0.1:${port}/` })
      .expect(401);
    expect(heard).toBe(0);
  });
});
