import { randomBytes } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ZERO_SHA } from '../git';
import { GitSite } from './smart-http.fixture';

describe('pushing over smart HTTP', () => {
  let site: GitSite;
  let work: string;

  beforeEach(async () => {
    site = await GitSite.start();
    work = await site.workTree();
  });

  afterEach(async () => {
    try {
      expect(site.failures).toEqual([]);
      expect((await site.objects()).quarantines).toEqual([]);
      await site.inside('fsck', '--full', '--strict');
    } finally {
      await site.close();
    }
  });

  const head = (revision = 'HEAD'): Promise<string> => site.must(['rev-parse', revision], work);
  const push = (...args: string[]): Promise<string> => site.must(['push', '--quiet', ...args], work);

  it.each(['0', '1', '2'])(
    'makes branches and tags of an empty repository (protocol version %s)',
    async (version) => {
      await site.must(['tag', '-a', 'v1', '-m', 'one'], work);
      await site.must(['tag', 'light'], work);
      await site.must(
        ['-c', `protocol.version=${version}`, 'push', '--quiet', 'origin', 'main', '--tags'],
        work,
      );
      expect(await site.inside('for-each-ref', '--format=%(refname) %(objectname)')).toBe(
        [
          `refs/heads/main ${await head()}`,
          `refs/tags/light ${await head()}`,
          `refs/tags/v1 ${await head('v1')}`,
        ].join('\n'),
      );
      const created = [
        { ref: 'refs/heads/main', oldSha: ZERO_SHA, newSha: await head() },
        { ref: 'refs/tags/light', oldSha: ZERO_SHA, newSha: await head() },
        { ref: 'refs/tags/v1', oldSha: ZERO_SHA, newSha: await head('v1') },
      ];
      expect(site.moved).toEqual([created]);
      await site.must(['clone', '--quiet', site.url, 'copy']);
    },
  );

  it('moves, forces and deletes', async () => {
    const first = await head();
    await push('origin', 'main', 'main:topic/one');
    const second = await site.commit(work, { a: 'a' });
    await push('origin', 'main');
    await site.must(['commit', '--quiet', '--amend', '--message', 'other'], work);
    const third = await head();
    await push('--force', 'origin', 'main');
    await push('origin', ':topic/one');
    expect(site.moved.slice(1)).toEqual([
      [{ ref: 'refs/heads/main', oldSha: first, newSha: second }],
      [{ ref: 'refs/heads/main', oldSha: second, newSha: third }],
      [{ ref: 'refs/heads/topic/one', oldSha: first, newSha: ZERO_SHA }],
    ]);
    expect(await site.inside('for-each-ref', '--format=%(refname) %(objectname)')).toBe(
      `refs/heads/main ${third}`,
    );
  });

  it('shows what came to the application before any ref moves, and the options with it', async () => {
    let seen: unknown;
    site.decide = async ({ updates, incoming, pushOptions }) => {
      const tip = updates[0]?.newSha ?? '';
      const commit = await incoming.commit(tip);
      const file = await incoming.file(tip, 'README.md');
      const text = file === null ? '' : (await incoming.blob(file.sha)).toString();
      const refs = await site.inside('for-each-ref');
      seen = { tip: commit?.sha, message: commit?.message, text, pushOptions, refs };
      return null;
    };
    await push('-o', 'it\'s; $(date) "quoted"', '-o', 'ci.skip', 'origin', 'main');
    expect(seen).toEqual({
      tip: await head(),
      message: 'change\n',
      text: 'first\n',
      pushOptions: ['it\'s; $(date) "quoted"', 'ci.skip'],
      refs: '',
    });
  });

  it('tells the pusher why it was refused and keeps nothing', async () => {
    await push('origin', 'main');
    const before = await site.objects();
    await site.commit(work, { 'secret.txt': 'secret' });
    site.decide = () => Promise.resolve({ message: 'No secrets, please.\nSee \u001b[2Jthe rules.' });
    const { code, stderr } = await site.git(['push', 'origin', 'main', 'main:other'], work);
    expect(code).toBe(1);
    expect(stderr).toContain('remote: No secrets, please.');
    expect(stderr).toContain('remote: See [2Jthe rules.');
    expect(stderr).toContain('! [remote rejected] main -> main (pre-receive hook declined)');
    expect(await site.objects()).toEqual(before);
    expect(await site.inside('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(site.moved[1]).toEqual([]);
    expect(site.moved).toHaveLength(2);
  });

  it('refuses refs that are neither branches nor tags without asking the application', async () => {
    for (const ref of ['refs/notes/commits', 'refs/keep-around/x', `refs/heads/${ZERO_SHA}`]) {
      const { code, stderr } = await site.git(['push', 'origin', `main:${ref}`], work);
      expect({ code, isNamed: stderr.includes(ref) }).toEqual({ code: 1, isNamed: true });
    }
    expect(site.decided).toBe(0);
    expect((await site.objects()).count).toBe(0);
  });

  it('refuses a name that is no UTF-8', async () => {
    // A script, for an argument of Node is always UTF-8.
    await site.must(
      ['config', 'alias.odd', '!git update-ref "refs/heads/$(printf \'caf\\351\')" HEAD'],
      work,
    );
    await site.must(['odd'], work);
    const { code, stderr } = await site.git(['push', 'origin', 'refs/heads/caf*:refs/heads/caf*'], work);
    expect(code).toBe(1);
    expect(stderr).toContain('the name is not valid UTF-8');
    expect(site.decided).toBe(0);
  });

  it('reports the refs that moved when others of the push did not', async () => {
    await push('origin', 'main', 'main:dir');
    await site.inside('config', 'receive.denyNonFastForwards', 'true');
    const first = await head();
    await site.must(['commit', '--quiet', '--amend', '--message', 'other'], work);
    const rewritten = await head();
    const refs = ['+main:main', 'main:fresh', 'main:dir/below'];
    const { code, stderr } = await site.git(['push', 'origin', ...refs], work);
    expect(code).toBe(1);
    expect(stderr).toContain('non-fast-forward');
    expect(site.moved[1]).toEqual([{ ref: 'refs/heads/fresh', oldSha: ZERO_SHA, newSha: rewritten }]);
    expect(await site.inside('rev-parse', 'main', 'dir', 'fresh')).toBe([first, first, rewritten].join('\n'));
  });

  it('moves nothing of an atomic push that fails in part', async () => {
    await push('origin', 'main', 'main:dir');
    await site.commit(work, { a: 'a' });
    const { code } = await site.git(['push', '--atomic', 'origin', 'main:fresh', 'main:dir/below'], work);
    expect(code).toBe(1);
    expect(site.moved[1]).toEqual([]);
    await push('--atomic', 'origin', 'main:fresh', 'main:main');
    expect(site.moved[2]?.map(({ ref }) => ref).sort()).toEqual(['refs/heads/fresh', 'refs/heads/main']);
  });

  it('moves a thousand refs at once', async () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `refs/heads/n/${i}`);
    const spec = lines.map((ref) => `main:${ref}`);
    await push('origin', ...spec);
    expect(site.moved[0]).toHaveLength(1_000);
    await push('origin', ...lines.map((ref) => `:${ref}`));
    expect(site.moved[1]).toHaveLength(1_000);
    expect(await site.inside('for-each-ref')).toBe('');
  });

  it('takes 20 MB in chunks and hands the same bytes out', async () => {
    await site.commit(work, { 'large.bin': randomBytes(20_000_000) });
    await site.must(['-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'main'], work);
    expect(site.requests.some(({ isChunked }) => isChunked)).toBe(true);
    expect(site.decided).toBe(1);
    await site.must(['clone', '--quiet', site.url, 'copy']);
    const hash = ['hash-object', 'large.bin'];
    expect(await site.must(hash, `${site.folder}/copy`)).toBe(await site.must(hash, work));
  });

  it('unpacks a small push and keeps a large one packed', async () => {
    await push('origin', 'main');
    expect(await site.inside('count-objects', '-v')).toContain('packs: 0');
    const files = Array.from({ length: 150 }, (_, i) => [`${i}.txt`, `${i}\n`] as const);
    await site.commit(work, Object.fromEntries(files));
    await push('origin', 'main');
    expect(await site.inside('count-objects', '-v')).toContain('packs: 1');
  });

  it('lets two pushes run side by side', async () => {
    await push('origin', 'main');
    const second = await site.workTree('second');
    await site.commit(second, { 'b.txt': 'b' });
    await site.commit(work, { 'a.txt': 'a' });
    await Promise.all([
      push('origin', 'main:one'),
      site.must(['push', '--quiet', 'origin', 'main:two'], second),
    ]);
    expect(await site.inside('for-each-ref', '--format=%(refname)')).toBe(
      ['refs/heads/main', 'refs/heads/one', 'refs/heads/two'].join('\n'),
    );
    expect(site.moved).toHaveLength(3);
  });

  it('never runs a hook of the repository', async () => {
    const witness = join(site.folder, 'witness');
    await mkdir(join(site.repository, 'hooks'), { recursive: true });
    for (const name of ['pre-receive', 'update', 'post-receive', 'reference-transaction', 'post-update']) {
      const hook = join(site.repository, 'hooks', name);
      await writeFile(hook, `#!/bin/sh\ntouch '${witness}'\n`, { mode: 0o755 });
    }
    await push('origin', 'main');
    await expect(access(witness)).rejects.toThrow('ENOENT');
  });
});
