import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GitFixture, isSoonGone } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';

const app = useApplication();

const MiB = 1024 * 1024;
const HUGE = 100_000_000;
const LARGE = 25 * MiB + 1;

let project: BuiltProject;
let git: GitFixture;
let hugeSha256: string;
const large = Buffer.alloc(LARGE, randomBytes(65_537));
const text = 'text and more text\n'.repeat(100_000);

beforeAll(async () => {
  project = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
  git = GitFixture.on(project.repositoryPath);
  // Random bytes do not get smaller, and trying takes git half a minute of a busy machine.
  await git.git('config', 'core.compression', '0');
  const huge = Buffer.alloc(HUGE, randomBytes(100_003));
  hugeSha256 = createHash('sha256').update(huge).digest('hex');
  await git.commit({ branch: 'master', files: { 'large.bin': large, 'long.txt': text, 'huge.bin': huge } });
}, 120_000);

const url = (path: string, end = ''): string =>
  `/api/v4/projects/${project.id}/repository/files/${path}${end}?ref=master`;

const request = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(`${app.current.url}${path}`, resolve).once('error', reject));

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of all buffers that somebody holds. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Reads an answer to its end; tells its length and digest, and the most memory held while it came. */
async function take(response: IncomingMessage): Promise<{ length: number; sha256: string; held: number }> {
  const before = heldBytes();
  const hash = createHash('sha256');
  let [length, held, nextLook] = [0, 0, 0];
  for await (const chunk of response) {
    hash.update(chunk);
    length += chunk.length;
    if (length < nextLook) continue;
    nextLook += 25 * MiB;
    held = Math.max(held, heldBytes() - before);
  }
  return { length, sha256: hash.digest('hex'), held };
}

/** Sockets and pipes on both sides hold some megabytes; the file would be a hundred. */
const FEW = 32 * MiB;

describe('a file of 100 MB', () => {
  it('is sent raw, every byte, without ever being in memory', async () => {
    const response = await request(url('huge.bin', '/raw'));
    expect(response.headers).toMatchObject({
      'content-length': String(HUGE),
      'content-type': 'application/octet-stream',
      'x-service-content-sha256': hugeSha256,
    });
    const { sha256, held } = await take(response);
    expect(sha256).toBe(hugeSha256);
    expect(held).toBeLessThan(FEW);
  });

  it('waits for a client that reads slowly, instead of filling memory', async () => {
    const response = await request(url('huge.bin', '/raw'));
    const before = heldBytes();
    response.pause();
    await pause(300);
    expect(heldBytes() - before).toBeLessThan(FEW);
    response.destroy();
  });

  it('stops git when the client goes away', async () => {
    const response = await request(url('huge.bin', '/raw'));
    const blob = String(response.headers['x-service-blob-id']);
    response.destroy();
    expect(await isSoonGone(`cat-file blob ${blob}`)).toBe(true);
  });

  it('has its metadata by HEAD, its length that of the GET', async () => {
    const answer = await app.current.api.head(url('huge.bin', '/raw')).expect(200);
    expect(answer.headers).toMatchObject({ 'content-length': String(HUGE), 'x-service-size': String(HUGE) });
    expect(await isSoonGone(`cat-file blob ${answer.headers['x-service-blob-id']}`)).toBe(true);
  });

  it('is a record with the content in base64 like any other', async () => {
    const response = await request(url('huge.bin'));
    expect(response.headers['content-type']).toBe('application/json');
    const { length, held } = await take(response);
    expect(response.headers['content-length']).toBe(String(length));
    expect(held).toBeLessThan(FEW);
  });
});

describe('a file of 25 MiB', () => {
  it('has the record of a small one, field by field', async () => {
    const { body, headers } = await app.current.api.get(url('large.bin')).expect(200);
    const { content, ...rest } = body;
    expect(Buffer.from(content, 'base64').equals(large)).toBe(true);
    const tip = await git.git('rev-parse', 'master');
    expect(Object.keys(body).slice(3, 6)).toEqual(['encoding', 'content', 'content_sha256']);
    expect(rest).toEqual({
      file_name: 'large.bin',
      file_path: 'large.bin',
      size: LARGE,
      encoding: 'base64',
      content_sha256: createHash('sha256').update(large).digest('hex'),
      ref: 'master',
      blob_id: await git.git('rev-parse', 'master:large.bin'),
      commit_id: tip,
      last_commit_id: tip,
    });
    expect(headers).toMatchObject({ 'x-service-size': String(LARGE), 'x-service-last-commit-id': tip });
  });

  it.each(['', '/raw'])('answers 304 to whoever has it (%s)', async (end) => {
    const { headers } = await app.current.api.get(url('large.bin', end)).expect(200);
    const again = await app.current.api
      .with({ 'if-none-match': headers['etag'] ?? '' })
      .get(url('large.bin', end));
    expect([again.status, again.headers['content-length']]).toEqual([304, undefined]);
    expect(await isSoonGone(`cat-file blob ${headers['x-service-blob-id']}`)).toBe(true);
  });

  it('is written through the API and read back', async () => {
    const user = await app.current.build.user();
    await app.current.build.member('project', project.id, user, 'maintainer');
    const bytes = Buffer.alloc(30 * MiB, randomBytes(65_539));
    const body = {
      branch: 'master',
      commit_message: 'm',
      encoding: 'base64',
      content: bytes.toString('base64'),
    };
    await app.current.as(user).post(`/projects/${project.id}/repository/files/new.bin`, body).expect(201);
    expect((await git.gitBytes(['show', 'master:new.bin'])).equals(bytes)).toBe(true);
  });

  it('above the limit of a body is refused with 413', async () => {
    const user = await app.current.build.user();
    await app.current.build.member('project', project.id, user, 'maintainer');
    const body = { branch: 'master', commit_message: 'm', content: 'x'.repeat(145 * MiB) };
    const answer = await app.current.as(user).post(`/projects/${project.id}/repository/files/more.bin`, body);
    expect([answer.status, answer.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
  });
});

describe('a file of 100 MB', () => {
  it('is taken in base64', async () => {
    const user = await app.current.build.user();
    await app.current.build.member('project', project.id, user, 'developer');
    const content = Buffer.alloc(HUGE, 'sent').toString('base64');
    const answer = await app.current.as(user).post(`/projects/${project.id}/repository/files/sent.bin`, {
      ...{ branch: 'sent', start_branch: 'master', commit_message: 'm', encoding: 'base64' },
      content,
    });
    expect([answer.status, answer.body]).toEqual([201, { file_path: 'sent.bin', branch: 'sent' }]);
    expect(await git.git('cat-file', '-s', 'sent:sent.bin')).toBe(String(HUGE));
  });
});

describe('files too large for a diff or for blame', () => {
  it('are named in the diff, without their text', async () => {
    const { body } = await app.current.api
      .get(`/projects/${project.id}/repository/commits/master/diff`)
      .expect(200);
    const files: { new_path: string; diff: string }[] = body;
    expect(files.map(({ new_path }) => new_path)).toEqual(expect.arrayContaining(['new.bin']));
    expect(files.every(({ diff }) => diff.length < MiB)).toBe(true);
  });

  it('leave the service answering', async () => {
    const { status } = await app.current.api.get(url('huge.bin', '/blame'));
    expect([200, 503]).toContain(status);
    await app.current.api.get(url('README')).expect(200);
  });
});

describe('a file whose object is damaged', () => {
  it('is never taken for a whole one', async () => {
    const bytes = randomBytes(3 * MiB);
    const blob = (await git.gitBytes(['hash-object', '-w', '--stdin'], bytes)).toString().trim();
    const tree = (await git.gitBytes(['mktree'], `100644 blob ${blob}\tdamaged\n`)).toString().trim();
    await git.git('update-ref', 'refs/heads/damaged', await git.git('commit-tree', '-m', 'x', tree));
    const damaged = (end: string): string => url('damaged', end).replace('ref=master', 'ref=damaged');
    await app.current.api.get(damaged('/raw')).expect(200);

    const file = path.join(project.repositoryPath, 'objects', blob.slice(0, 2), blob.slice(2));
    await fs.chmod(file, 0o644);
    await fs.truncate(file, MiB);
    for (const end of ['', '/raw']) {
      await expect(request(damaged(end)).then(take)).rejects.toThrow('aborted');
    }
    await app.current.api.get(url('README')).expect(200);
  });
});

describe('a long text', () => {
  it('stays text', async () => {
    const answer = await app.current.api.get(url('long.txt', '/raw')).expect(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(text);
  });
});
