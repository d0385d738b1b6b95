import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { GitProcessError } from '../git';
import { GitSite } from './smart-http.fixture';

describe('fetching over smart HTTP', () => {
  let site: GitSite;
  let work: string;

  beforeEach(async () => {
    site = await GitSite.start();
    work = await site.workTree();
    for (const text of ['second\n', 'third\n'])
      await site.commit(work, { 'README.md': text, 'lib/a.txt': text });
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    site.requests.length = 0;
  });

  afterEach(() => site.close());

  const clone = async (...options: string[]): Promise<string> => {
    await site.must(['clone', '--quiet', ...options, site.url, 'copy']);
    return join(site.folder, 'copy');
  };

  it.each(['0', '1', '2'])('serves clone and fetch to a client of protocol version %s', async (version) => {
    const copy = await clone('-c', `protocol.version=${version}`);
    const tip = await site.commit(work, { 'README.md': 'fourth\n' });
    await site.must(['tag', '-a', 'v1', '-m', 'one'], work);
    await site.must(['push', '--quiet', 'origin', 'main', 'v1'], work);
    await site.must(['fetch', '--quiet', '--tags'], copy);
    expect(await site.must(['rev-parse', 'origin/main', 'v1^{commit}'], copy)).toBe(`${tip}\n${tip}`);
    await site.must(['fsck', '--full', '--strict'], copy);
    expect(site.failures).toEqual([]);
  });

  it('clones an empty repository', async () => {
    await rm(site.repository, { recursive: true });
    await site.must(['init', '--quiet', '--bare', '--initial-branch=trunk', site.repository]);
    const copy = await clone();
    expect(await site.must(['symbolic-ref', 'HEAD'], copy)).toBe('refs/heads/trunk');
  });

  it.each(['0', '2'])('gives a shallow copy and deepens it (version %s)', async (version) => {
    const copy = await clone('--depth', '1', '-c', `protocol.version=${version}`);
    const depth = (): Promise<string> => site.must(['rev-list', '--count', 'HEAD'], copy);
    expect(await depth()).toBe('1');
    await site.must(['fetch', '--quiet', '--deepen', '1'], copy);
    expect(await depth()).toBe('2');
    await site.must(['fetch', '--quiet', '--unshallow'], copy);
    expect(await depth()).toBe('3');
    expect(site.failures).toEqual([]);
  });

  it.each(['0', '2'])(
    'leaves blobs out of a partial clone and sends them on demand (version %s)',
    async (version) => {
      const copy = await clone('--filter=blob:none', '--no-checkout', '-c', `protocol.version=${version}`);
      const absent = await site.must(['rev-list', '--objects', '--all', '--missing=print'], copy);
      expect(absent).toMatch(/^\?[0-9a-f]{40}$/m);
      await site.must(['checkout', '--quiet', 'main'], copy);
      expect(await site.must(['hash-object', 'lib/a.txt'], copy)).toBe(
        await site.must(['hash-object', 'lib/a.txt'], work),
      );
    },
  );

  it('refuses a sparse filter, which would read a file of the client as patterns', async () => {
    const pattern = await site.must(['rev-parse', 'main:README.md'], work);
    const { code, stderr } = await site.git(['clone', `--filter=sparse:oid=${pattern}`, site.url, 'copy']);
    expect(code).not.toBe(0);
    expect(stderr).toContain("filter 'sparse:oid' not supported");
  });

  it('reads gzipped negotiations', async () => {
    const copy = await clone();
    const many = 'for i in $(seq 40); do git commit -q --allow-empty -m "$i"; git branch "n/$i"; done';
    await site.must(['config', 'alias.many', `!${many}`], work);
    await site.must(['many'], work);
    await site.must(['push', '--quiet', '--all', 'origin'], work);
    site.requests.length = 0;
    await site.must(['fetch', '--quiet'], copy);
    expect(site.requests.some(({ encoding }) => encoding === 'gzip')).toBe(true);
    expect(await site.must(['rev-parse', 'origin/main'], copy)).toBe(await site.inside('rev-parse', 'main'));
  });

  it('serves thousands of refs and names that are no UTF-8', async () => {
    const tip = await site.inside('rev-parse', 'main');
    const lines = Array.from(
      { length: 3_000 },
      (_, i) => `${tip} refs/heads/many/${String(i).padStart(4, '0')}\n`,
    );
    const odd = Buffer.concat([Buffer.from(`${tip} refs/heads/caf`), Buffer.from([0xe9]), Buffer.from('\n')]);
    await appendFile(join(site.repository, 'packed-refs'), Buffer.concat([odd, Buffer.from(lines.join(''))]));
    for (const version of ['0', '2']) {
      const listed = await site.must(['-c', `protocol.version=${version}`, 'ls-remote', '--heads', site.url]);
      expect(listed.split('\n')).toHaveLength(3_002);
    }
    const copy = await clone();
    expect(await site.must(['for-each-ref', '--format=x', 'refs/remotes/origin/caf*'], copy)).toBe('x');
  });

  it('stops git when the client is killed', async () => {
    await site.commit(work, { 'large.bin': randomBytes(30_000_000) });
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    const transport = site.transport();
    const body = new PassThrough();
    const answer = await transport.uploadPack(body, null);
    const tip = await site.inside('rev-parse', 'main');
    const want = `want ${tip} no-progress side-band-64k\n`;
    body.end(`${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`);
    await once(answer, 'readable');
    expect(await site.processIds()).not.toEqual([]);
    answer.destroy();
    while ((await site.processIds()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answer.destroyed).toBe(true);
  });

  it('stops git when the request is cancelled, and breaks the answer off', async () => {
    const controller = new AbortController();
    const answer = await site.transport(controller.signal).uploadPack(new PassThrough(), null);
    controller.abort();
    await expect(once(answer, 'end')).rejects.toThrow('cancelled');
    while ((await site.processIds()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('stops git when the request breaks off', async () => {
    const body = new PassThrough();
    const answer = await site.transport().uploadPack(body, 'version=2');
    body.write('0014command=ls-refs\n');
    body.destroy();
    await expect(once(answer, 'end')).rejects.toThrow('broke off');
  });

  it('stops a transfer that takes too long or falls silent', async () => {
    site.limits = { wholeMs: 300 };
    const slow = await site.transport().uploadPack(new PassThrough(), null);
    await expect(once(slow, 'end')).rejects.toMatchObject({ limit: 'the transfer took too long' });
    site.limits = { idleMs: 300 };
    const silent = await site.transport().uploadPack(new PassThrough(), null);
    await expect(once(silent, 'end')).rejects.toMatchObject({ limit: 'no data for too long' });
  });

  it('breaks the answer to nonsense off with the error of git', async () => {
    const body = new PassThrough();
    const answer = await site.transport().uploadPack(body, null);
    body.end('nonsense');
    await expect(once(answer.resume(), 'end')).rejects.toThrow(GitProcessError);
  });

  it('fails before the first byte when there is no repository', async () => {
    await rm(site.repository, { recursive: true });
    for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
      await expect(site.transport().advertise(service, null)).rejects.toThrow(GitProcessError);
    }
  });
});
