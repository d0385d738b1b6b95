import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Git } from '#libs/git';
import { GitFixture, until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();
const execute = promisify(execFile);

let admin: BuiltUser;
let folder: string;
beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'snapshots-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const inside = async (repository: string, ...args: string[]): Promise<string> =>
  (await execute('git', ['--git-dir', repository, ...args], { maxBuffer: 1e8 })).stdout.trim();

const refsOf = (repository: string): Promise<string> =>
  inside(repository, 'for-each-ref', '--format=%(objectname) %(refname) %(*objectname)');

let taken = 0;
/** Downloads a snapshot and answers the folder that the tar program has put it into. */
async function extracted({ id }: { id: number }, query = ''): Promise<string> {
  const { body } = await app.current
    .as(admin)
    .get(`/projects/${id}/snapshot${query}`)
    .responseType('arraybuffer')
    .expect(200);
  taken += 1;
  const target = path.join(folder, `taken-${taken}`);
  await fs.mkdir(target);
  await fs.writeFile(`${target}.tar`, body);
  await execute('tar', ['-xf', `${target}.tar`, '-C', target]);
  return target;
}

/** What lies beside a repository while it is packed. */
const besides = async ({ repositoryPath }: BuiltProject): Promise<string[]> =>
  (await fs.readdir(path.dirname(repositoryPath))).filter((name) => name.startsWith('.'));

describe('GET /projects/:id/snapshot', () => {
  it('GET /projects/:id/snapshot answers a tar archive of the bare repository', async () => {
    const project = await app.current.build.project({ files: { 'README.md': 'hello\n' } });
    const git = GitFixture.on(project.repositoryPath);
    await git.commit({ branch: 'feature/x', parents: [project.tip], files: { a: 'b' } });
    await git.tag('v1', project.tip, 'the first');
    await git.tag('light', project.tip);
    await git.git('update-ref', 'refs/keep-around/1', project.tip);

    const answer = await app.current.as(admin).get(`/projects/${project.id}/snapshot`).buffer(false);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-disposition': 'attachment; filename="snapshot.tar"',
    });
    const copy = await extracted(project);
    expect(await inside(copy, 'fsck', '--full', '--strict')).toBe('');
    expect(await refsOf(copy)).toBe(await refsOf(project.repositoryPath));
    expect(await inside(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/master');
    expect(await inside(copy, 'rev-parse', '--is-bare-repository')).toBe('true');
    expect(await inside(copy, 'show', 'feature/x:a')).toBe('b');
    await until(async () => (await besides(project)).length === 0);
  });

  it('holds nothing of the directory but the refs and what they reach', async () => {
    const project = await app.current.build.project({ files: { README: 'x' } });
    const git = GitFixture.on(project.repositoryPath);
    await git.git('config', 'remote.origin.url', 'https://user:secret@example.com/');
    await fs.mkdir(path.join(project.repositoryPath, 'hooks'));
    await fs.writeFile(path.join(project.repositoryPath, 'hooks/post-receive'), 'secret');
    await fs.mkdir(path.join(project.repositoryPath, 'objects/tmp_objdir-incoming-1'));
    const stray = (await git.gitBytes(['hash-object', '-w', '--stdin'], 'secret')).toString().trim();

    const copy = await extracted(project);
    expect((await fs.readdir(copy)).sort()).toEqual(['HEAD', 'config', 'objects', 'packed-refs', 'refs']);
    expect((await fs.readdir(path.join(copy, 'objects'))).sort()).toEqual(['info', 'pack']);
    expect(await fs.readFile(path.join(copy, 'config'), 'utf8')).not.toContain('secret');
    await expect(inside(copy, 'cat-file', '-e', stray)).rejects.toThrow();
  });

  it('answers an empty repository for a project without commits, and for a wiki without pages', async () => {
    const empty = await app.current.build.project();
    const filled = await app.current.build.project({ files: { README: 'x' } });
    for (const copy of [await extracted(empty), await extracted(filled, '?wiki=true')]) {
      expect(await refsOf(copy)).toBe('');
      expect(await inside(copy, 'fsck', '--full')).toBe('');
      expect(await inside(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/master');
    }
    await app.current.as(admin).get(`/projects/${filled.id}/snapshot?wiki=perhaps`).expect(400);
  });

  it('is of the wiki where that is asked for', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    const page = { title: 'home', content: 'hello' };
    await app.current.as(owner).post(`/projects/${project.id}/wikis`, page).expect(201);
    expect(await inside(await extracted(project, '?wiki=true'), 'show', 'master:home.md')).toBe('hello');
  });

  it('is whole and of one moment while others push and the repository is packed', async () => {
    const project = await app.current.build.project({ files: { README: 'x' } });
    const repository = app.current.nest.get(Git).open({ path: project.repositoryPath });
    const moves = app.current.nest.get(RefMoves);
    const person = { name: 'P', email: 'p@example.com', time: 1_700_000_000, offset: '+0000' };
    let isOver = false;
    // a/x always moves before z/x: no moment has z/x further, nor more than one commit behind it.
    const push = async (): Promise<void> => {
      let tip = project.tip;
      for (const branch of ['a/x', 'z/x'])
        await repository.updateRefs([{ ref: `refs/heads/${branch}`, oldSha: '0'.repeat(40), newSha: tip }]);
      for (let count = 1; !isOver; count += 1) {
        const actions = [{ action: 'create' as const, path: `f${count}`, content: Buffer.from(`${count}`) }];
        const next = await repository.createCommit({
          base: tip,
          actions,
          message: 'm',
          author: person,
          committer: person,
        });
        for (const branch of ['a/x', 'z/x'])
          await moves.locked(project, () =>
            repository.updateRefs([{ ref: `refs/heads/${branch}`, oldSha: tip, newSha: next }]),
          );
        tip = next;
      }
    };
    const repack = async (): Promise<void> => {
      while (!isOver) await inside(project.repositoryPath, 'repack', '-a', '-d', '-q');
    };
    const working = [push(), repack()];
    try {
      for (let round = 0; round < 5; round += 1) {
        const copy = await extracted(project);
        expect(await inside(copy, 'fsck', '--full', '--strict')).toBe('');
        expect(await inside(copy, 'rev-list', '--count', 'a/x..z/x')).toBe('0');
        expect(Number(await inside(copy, 'rev-list', '--count', 'z/x..a/x'))).toBeLessThanOrEqual(1);
      }
    } finally {
      isOver = true;
      await Promise.all(working);
    }
    expect(await inside(project.repositoryPath, 'rev-list', '--count', 'a/x')).not.toBe('1');
  });

  it('stops when the client goes away', async () => {
    const big = Buffer.alloc(24 * 1024 * 1024);
    for (let at = 0; at < big.length; at += 4) big.writeInt32LE((at * 2_654_435_761) | 0, at);
    const project = await app.current.build.project({ files: { big } });
    const request = http.get(`${app.current.url}/api/v4/projects/${project.id}/snapshot`, {
      headers: { 'private-token': admin.token },
    });
    const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
    expect((await besides(project)).length).toBe(1);
    response.destroy();
    await until(async () => (await besides(project)).length === 0);
  });

  it('HEAD /projects/:id/snapshot answers the headers and packs nothing', async () => {
    const project = await app.current.build.project({ files: { README: 'x' } });
    const answer = await app.current.as(admin).head(`/projects/${project.id}/snapshot`).expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/x-tar' });
    expect(await besides(project)).toEqual([]);
  });

  it('is for administrators alone', async () => {
    const cast = await Cast.of(app.current, { README: 'x' });
    const row = {
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      guest: 403,
      reporter: 403,
      developer: 403,
      maintainer: 403,
      owner: 403,
      admin: 200,
    };
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/snapshot`))).toEqual(row);
    expect(await cast.row((api, { id }) => api.head(`/projects/${id}/snapshot`))).toEqual(row);
    expect((await app.current.as(admin).get('/projects/999999/snapshot')).status).toBe(404);
  });
});
