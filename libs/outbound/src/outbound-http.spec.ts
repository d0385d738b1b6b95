import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { PinnedAddress } from './address-rules';
import { CERTIFICATE, KEY } from './certificate.fixture';
import { NameResolver } from './name-resolver';
import { OutboundError, type OutboundProblem } from './outbound-error';
import { OutboundHttp } from './outbound-http';
import type { OutboundRequest } from './outbound-request';

/** A name server that answers one list after the other, and the last one for ever. */
class Answers extends NameResolver {
  asked = 0;

  constructor(private readonly answers: readonly (readonly string[])[]) {
    super();
  }

  async addressesOf(): Promise<readonly PinnedAddress[]> {
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)] ?? [];
    return answer.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
  }
}

/** A name server that never answers. */
class Silence extends NameResolver {
  addressesOf(): Promise<readonly PinnedAddress[]> {
    return new Promise(() => undefined);
  }
}

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  servers.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return address.port;
}

const local = (names: NameResolver = new Answers([['127.0.0.1']])) =>
  new OutboundHttp({ allowLocal: true }, names);
const guarded = (names: NameResolver) => new OutboundHttp({ allowLocal: false }, names);

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 5_000,
  tls: { verify: true },
  ...more,
});

async function problemOf(request: Promise<unknown>): Promise<OutboundProblem> {
  const error: unknown = await request.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error(`no failure of the expected kind: ${String(error)}`);
  return error.problem;
}

/** Counts the connections to a port of this machine. */
async function silentPort(): Promise<{ port: number; readonly connections: number }> {
  let connections = 0;
  const port = await listening(net.createServer(() => connections++));
  return {
    port,
    get connections() {
      return connections;
    },
  };
}

describe('a request to a URL of a user', () => {
  it('sends what it was given and answers what came back', async () => {
    const seen: unknown[] = [];
    const port = await listening(
      http.createServer((request, response) => {
        request.setEncoding('utf8').on('data', (body) => {
          seen.push([request.method, request.url, request.headers.host, request.headers['x-kind'], body]);
          response.writeHead(201, { 'x-one': 'a', 'set-cookie': ['b', 'c'] }).end('thanks');
        });
      }),
    );
    const url = `http://receiver.test:${port}/path?query=1`;
    const answer = await local().request(post(url, { headers: { 'x-kind': 'test' }, body: 'content' }));
    expect(seen).toEqual([['POST', '/path?query=1', `receiver.test:${port}`, 'test', 'content']]);
    expect(answer).toMatchObject({ status: 201, isTruncated: false });
    expect(answer.body.toString()).toBe('thanks');
    expect(answer.headers).toMatchObject({ 'x-one': 'a', 'set-cookie': 'b, c' });
  });

  it('turns the user and password of the URL into basic authentication', async () => {
    let authorization: string | undefined;
    const port = await listening(
      http.createServer((request, response) => {
        authorization = request.headers.authorization;
        response.end();
      }),
    );
    await local().request(post(`http://me:p%40ss@127.0.0.1:${port}/`));
    expect(authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('asks the name server once and connects to what it answered then (rebinding)', async () => {
    const port = await listening(http.createServer((_request, response) => response.end('first')));
    const names = new Answers([['127.0.0.1'], ['127.0.0.2']]);
    const answer = await local(names).request(post(`http://rebinding.test:${port}/`));
    expect(answer.body.toString()).toBe('first');
    expect(names.asked).toBe(1);
    const inside = await silentPort();
    const harmlessLater = new Answers([['127.0.0.1'], ['8.8.8.8']]);
    const request = guarded(harmlessLater).request(post(`http://rebinding.test:${inside.port}/`));
    expect(await problemOf(request)).toEqual({ kind: 'refused', refusal: 'host' });
    expect(harmlessLater.asked).toBe(1);
    expect(inside.connections).toBe(0);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '10.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:127.0.0.1']],
  ])('refuses a name that leads to %j', async (answer) => {
    const inside = await silentPort();
    const request = guarded(new Answers([answer])).request(post(`http://harmless.test:${inside.port}/`));
    expect(await problemOf(request)).toEqual({ kind: 'refused', refusal: 'host' });
    expect(inside.connections).toBe(0);
  });

  it('asks no name server about a URL that is refused as it stands', async () => {
    const names = new Answers([['8.8.8.8']]);
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'ftp://example.com/', 'http://[::1]/']) {
      expect(await problemOf(guarded(names).request(post(url)))).toMatchObject({ kind: 'refused' });
    }
    expect(names.asked).toBe(0);
  });

  it('follows no redirect', async () => {
    const inside = await silentPort();
    const port = await listening(
      http.createServer((_request, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end();
      }),
    );
    const answer = await local().request(post(`http://127.0.0.1:${port}/`));
    expect(answer.status).toBe(307);
    expect(inside.connections).toBe(0);
  });

  it('keeps a bounded part of an endless answer', async () => {
    const port = await listening(
      http.createServer((_request, response) => {
        const more = (): void => {
          while (response.write('x'.repeat(16_384)));
          response.once('drain', more);
        };
        more();
      }),
    );
    const answer = await local().request(post(`http://127.0.0.1:${port}/`, { mostBytes: 1_000 }));
    expect(answer.isTruncated).toBe(true);
    expect(answer.body).toHaveLength(1_000);
  });

  it('ends in time where no answer comes, or one that never ends', async () => {
    const mute = await silentPort();
    const slow = await listening(
      http.createServer((_request, response) => {
        response.writeHead(200).flushHeaders();
        const drip = setInterval(() => response.write('.'), 20);
        response.once('close', () => clearInterval(drip));
      }),
    );
    for (const port of [mute.port, slow]) {
      const request = local().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }));
      expect(await problemOf(request)).toEqual({ kind: 'timeout' });
    }
    const lost = local(new Silence()).request(post('http://silent.test/', { timeoutMs: 100 }));
    expect(await problemOf(lost)).toEqual({ kind: 'connection' });
  });

  it('tells a connection that failed from an answer that is no HTTP', async () => {
    const refusing = await listening(net.createServer());
    servers.splice(0).forEach((server) => server.close());
    expect(await problemOf(local().request(post(`http://127.0.0.1:${refusing}/`)))).toEqual({
      kind: 'connection',
    });
    const broken = await listening(net.createServer((socket) => socket.once('data', () => socket.destroy())));
    expect(await problemOf(local().request(post(`http://127.0.0.1:${broken}/`)))).toEqual({
      kind: 'connection',
    });
    const other = await listening(
      net.createServer((socket) => socket.once('data', () => socket.write('500 what?\r\n'))),
    );
    expect(await problemOf(local().request(post(`http://127.0.0.1:${other}/`)))).toEqual({
      kind: 'protocol',
    });
  });

  it('keeps the answer of a server that breaks off in its body', async () => {
    const port = await listening(
      net.createServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
      ),
    );
    const answer = await local().request(post(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ status: 200, isTruncated: true });
    expect(answer.body.toString()).toBe('half');
  });

  it('takes no certificate that nobody vouches for, unless told to', async () => {
    const options = { cert: CERTIFICATE, key: KEY };
    const port = await listening(https.createServer(options, (_request, response) => response.end('safe')));
    const url = `https://localhost:${port}/`;
    expect(await problemOf(local().request(post(url)))).toEqual({ kind: 'certificate' });
    const answer = await local().request(post(url, { tls: { verify: false } }));
    expect(answer.body.toString()).toBe('safe');
    const plain = await listening(http.createServer());
    expect(await problemOf(local().request(post(`https://localhost:${plain}/`)))).toEqual({
      kind: 'protocol',
    });
  });

  it('stops when its caller does', async () => {
    const mute = await silentPort();
    const stopping = new AbortController();
    const request = local().request(post(`http://127.0.0.1:${mute.port}/`, { signal: stopping.signal }));
    setTimeout(() => stopping.abort(), 50);
    expect(await problemOf(request)).toEqual({ kind: 'cancelled' });
  });

  it('never lets a header begin a second one', async () => {
    const inside = await silentPort();
    const headers = { 'x-service-token': 'a\r\nHost: other' };
    await expect(local().request(post(`http://127.0.0.1:${inside.port}/`, { headers }))).rejects.toThrow();
    expect(inside.connections).toBe(0);
  });
});

it('names the addresses that another program may connect to', async () => {
  const names = new Answers([['8.8.8.8', '2606:4700::1111']]);
  expect(await guarded(names).addressesOf('https://mirror.test/a.git')).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await guarded(names).addressesOf('https://8.8.4.4/a.git')).toEqual([
    { address: '8.8.4.4', family: 4 },
  ]);
});
