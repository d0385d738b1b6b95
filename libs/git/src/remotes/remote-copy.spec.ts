import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import { GitCancelledError } from '../git';
import { GitEngine } from '../git-engine';
import { GitSite } from '../transport/smart-http.fixture';
import { RemoteError, type RemoteLimits, type RemoteRepository } from './remote';

const LIMITS: RemoteLimits = { timeoutMs: 20_000, mostBytes: 1024 ** 3, mostRefs: 1_000, mostMemory: 1_024 };
const SHA = 'a'.repeat(40);

let site: GitSite;
let engine: GitEngine;
let target: { path: string };
const servers: Server[] = [];

beforeEach(async () => {
  site = await GitSite.start();
  engine = new GitEngine();
  target = { path: path.join(site.folder, 'target', 'ours.git') };
  await engine.create(target, 'main');
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await engine.close();
  await site.close();
});

/** A server of our own on a free port; answers its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}

const remote = (url: string): RemoteRepository => ({ url, credentials: null, addresses: ['127.0.0.1'] });

const refsOf = (url: string, limits: Partial<RemoteLimits> = {}) =>
  engine.withRemote(target, remote(url), { ...LIMITS, ...limits }, (copy) => Promise.resolve(copy));

const problemOf = async (url: string, limits: Partial<RemoteLimits> = {}): Promise<string> => {
  const error: unknown = await refsOf(url, limits).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RemoteError)) throw error instanceof Error ? error : new Error('it worked');
  return error.problem;
};

const leftBeside = async (): Promise<string[]> =>
  (await readdir(path.dirname(target.path))).filter((name) => name !== 'ours.git');

describe('a copy of a remote repository', () => {
  it('has its branches and tags, and is gone afterwards', async () => {
    const work = await site.workTree();
    await site.must(['tag', '-a', '-m', 'first', 'v1'], work);
    await site.must(['push', '--quiet', 'origin', 'main', 'v1'], work);
    const copy = await refsOf(site.url);
    expect(copy.headBranch).toBe('main');
    expect(copy.refs.map(({ ref }) => ref)).toEqual(['refs/heads/main', 'refs/tags/v1']);
    expect(copy.refs.map(({ sha }) => sha)).toEqual([
      await site.inside('rev-parse', 'main'),
      await site.inside('rev-parse', 'v1'),
    ]);
    expect(await leftBeside()).toEqual([]);
  });

  it('comes without what is here already, and gives what is new', async () => {
    const work = await site.workTree();
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    const take = () =>
      engine.withRemote(target, remote(site.url), LIMITS, async (copy) => {
        const packs = (await readdir(path.join(copy.location.path, 'objects/pack'))).length;
        const shas = copy.refs.map(({ sha }) => sha);
        const repository = engine.open(target);
        await repository.fetchObjects(copy.location, shas, { check: true });
        const [sha = ''] = shas;
        await repository.updateRefs([
          {
            ref: 'refs/heads/main',
            oldSha: (await repository.ref('refs/heads/main')) ?? '0'.repeat(40),
            newSha: sha,
          },
        ]);
        return packs;
      });
    expect(await take()).toBeGreaterThan(0);
    expect(await take()).toBe(0);
    await site.commit(work, { more: 'm' });
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    await take();
    const fsck = execFileSync('git', ['--git-dir', target.path, 'fsck', '--full', '--strict'], {
      encoding: 'utf8',
    });
    expect(fsck).toBe('');
  });

  it('is fetched from the given addresses, whatever a name server would say of the host', async () => {
    const work = await site.workTree();
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    for (const host of ['nowhere.invalid', 'NOWHERE.invalid.', 'localhost.'])
      expect((await refsOf(site.url.replace('127.0.0.1', host))).refs).toHaveLength(1);
    const elsewhere = { ...remote(site.url.replace('127.0.0.1', 'localhost')), addresses: ['127.0.0.2'] };
    const copy = engine.withRemote(target, elsewhere, LIMITS, (found) => Promise.resolve(found));
    await expect(copy).rejects.toMatchObject({ problem: 'unreachable' });
  });

  it('follows no redirects, and no alternates of the old protocol', async () => {
    let called = 0;
    const other = await serve((_request, response) => {
      called += 1;
      response.end();
    });
    const redirecting = await serve((request, response) => {
      response.writeHead(301, { location: `http://127.0.0.1:${other}${request.url ?? ''}` }).end();
    });
    expect(await problemOf(`http://127.0.0.1:${redirecting}/x.git`)).toBe('redirect');
    const old = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname.endsWith('/info/refs')) response.end(`${SHA}\trefs/heads/main\n`);
      else if (pathname.endsWith('/HEAD')) response.end('ref: refs/heads/main\n');
      else if (pathname.includes('alternates')) response.end(`http://127.0.0.1:${other}/objects\n`);
      else response.writeHead(404).end();
    });
    expect(await problemOf(`http://127.0.0.1:${old}/x.git`)).toBe('protocol');
    expect(called).toBe(0);
  });

  it('sends credentials in a header, and shows them to no other process', async () => {
    const seen: (string | undefined)[] = [];
    let processes = '';
    const port = await serve((request, response) => {
      seen.push(request.headers.authorization);
      processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      response.writeHead(401).end();
    });
    const secret = { ...remote(`http://127.0.0.1:${port}/x.git`), credentials: 'me:pass word:1' };
    const copy = engine.withRemote(target, secret, LIMITS, (found) => Promise.resolve(found));
    await expect(copy).rejects.toMatchObject({ problem: 'authentication' });
    expect(seen[0]).toBe(`Basic ${Buffer.from('me:pass word:1').toString('base64')}`);
    expect(processes).toContain('ls-remote');
    expect(processes).not.toMatch(/pass word|bWU6cGFzcy/);
  });

  it.each([
    ['there is nothing', 404, 'missing'],
    ['credentials are asked for', 401, 'authentication'],
    ['access is refused', 403, 'authentication'],
    ['the server is broken', 503, 'unreachable'],
    ['the answer is no git', 200, 'protocol'],
  ])('tells where %s', async (_what, status, problem) => {
    const port = await serve((_request, response) => response.writeHead(status).end('hello\n'));
    expect(await problemOf(`http://127.0.0.1:${port}/x.git`)).toBe(problem);
    expect(await leftBeside()).toEqual([]);
  });

  it('tells where nobody listens, and where a secret server has no certificate', async () => {
    const port = await serve((_request, response) => response.end());
    expect(await problemOf(`https://127.0.0.1:${port}/x.git`)).toBe('certificate');
    expect(await problemOf('http://127.0.0.1:9/x.git')).toBe('unreachable');
  });

  it('takes no longer, and no more, than it may', async () => {
    const silent = await serve(() => undefined);
    expect(await problemOf(`http://127.0.0.1:${silent}/x.git`, { timeoutMs: 500 })).toBe('too_slow');
    const endless = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname.endsWith('/info/refs')) response.end(`${SHA}\trefs/heads/main\n`);
      else if (pathname.endsWith('/HEAD')) response.end('ref: refs/heads/main\n');
      else if (pathname.includes(SHA.slice(2)))
        Readable.from(endlessBlob()).pipe(createDeflate()).pipe(response);
      else response.writeHead(404).end();
    });
    expect(await problemOf(`http://127.0.0.1:${endless}/x.git`, { mostBytes: 1_000_000 })).toBe('too_large');
    expect(await leftBeside()).toEqual([]);
  });

  it('takes no more memory than it may, however long the list of refs is', async () => {
    const line = Buffer.from(`${SHA}\trefs/heads/${'x'.repeat(1_000)}\n`.repeat(1_000));
    const port = await serve((_request, response) => {
      const lines = function* (): Generator<Buffer> {
        for (let count = 0; count < 2_000; count += 1) yield line;
      };
      Readable.from(lines()).pipe(response);
    });
    expect(await problemOf(`http://127.0.0.1:${port}/x.git`, { mostMemory: 256 })).toBe('too_large');
  });

  it('has no more refs than it may', async () => {
    const work = await site.workTree();
    await site.must(['push', '--quiet', 'origin', 'main', 'main:b', 'main:c'], work);
    expect(await problemOf(site.url, { mostRefs: 2 })).toBe('too_large');
  });

  it('stops when it is cancelled', async () => {
    const cancel = new AbortController();
    const silent = await serve(() => cancel.abort());
    const copy = refsOf(`http://127.0.0.1:${silent}/x.git`, { signal: cancel.signal });
    await expect(copy).rejects.toBeInstanceOf(GitCancelledError);
    expect(await leftBeside()).toEqual([]);
  });

  it.each(['ext::sh -c true', 'file:///etc', 'ssh://x/y', 'http://user@x/y', '--upload-pack=x', '/etc'])(
    'is not fetched from %s',
    async (url) => {
      await expect(refsOf(url)).rejects.toThrow(/plain HTTP URL|Invalid URL/);
    },
  );
});

function* endlessBlob(): Generator<Buffer> {
  yield Buffer.from('blob 1000000000\0');
  let state = 1;
  for (let chunk = 0; chunk < 15_000; chunk += 1) {
    const bytes = Buffer.alloc(65_536);
    for (let at = 0; at < bytes.length; at += 4) {
      state = Math.imul(state, 1_664_525) + 1_013_904_223;
      bytes.writeInt32LE(state | 0, at);
    }
    yield bytes;
  }
}
