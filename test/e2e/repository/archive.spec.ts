import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '#libs/testing';
import { RefMoves } from '../../../src/repository/changes/ref-moves.service';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();
const run = promisify(execFile);

let owner: BuiltUser;

beforeAll(async () => {
  owner = await app.current.build.user();
});

const archive = (by: BuiltUser, { id }: BuiltProject) => app.current.as(by).post(`/projects/${id}/archive`);
const unarchive = (by: BuiltUser, { id }: BuiltProject) =>
  app.current.as(by).post(`/projects/${id}/unarchive`);

describe('POST /projects/:id/archive', () => {
  it('archives, and does nothing more the second time', async () => {
    const project = await app.current.build.project({ owner });
    const { status, body } = await archive(owner, project);
    expect([status, body.id, body.archived]).toEqual([201, project.id, true]);
    const again = await archive(owner, project);
    expect([again.status, again.body]).toEqual([201, body]);
  });

  it('is for owners and administrators', async () => {
    const { build } = app.current;
    const [maintainer, stranger, admin] = [
      await build.user(),
      await build.user(),
      await build.user({ admin: true }),
    ];
    const project = await build.project({ owner, members: { maintainer } });
    await archive(maintainer, project).expect(403);
    await archive(stranger, project).expect(404);
    await app.current.api.post(`/projects/${project.id}/archive`).expect(401);
    await archive(admin, project).expect(201);
    await unarchive(maintainer, project).expect(403);
  });

  it('makes the repository read-only on every way, and readable as before', async () => {
    const project = await app.current.build.project({ owner, files: { a: '1' } });
    await archive(owner, project).expect(201);
    const as = app.current.as(owner);
    const base = `/projects/${project.id}/repository`;
    const change = { branch: 'new', start_branch: 'master', commit_message: 'No' };
    const refused = [
      as.post(`${base}/files/b`, { ...change, content: 'b' }),
      as.put(`${base}/files/a`, { ...change, content: 'b' }),
      as.delete(`${base}/files/a`, change),
      as.post(`${base}/commits`, {
        ...change,
        actions: [{ action: 'create', file_path: 'b', content: 'b' }],
      }),
      as.post(`${base}/commits/${project.tip}/cherry_pick`, { branch: 'master' }),
      as.post(`${base}/branches`, { branch: 'new', ref: 'master' }),
      as.delete(`${base}/branches/master`),
      as.delete(`${base}/merged_branches`),
      as.post(`${base}/tags`, { tag_name: 'v1', ref: 'master' }),
      as.post(`${base}/commits/${project.tip}/comments`, { note: 'No' }),
      as.post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success' }),
    ];
    for (const answer of await Promise.all(refused))
      expect([answer.request.url, answer.status]).toEqual([answer.request.url, 403]);
    expect((await as.get(`${base}/files/a/raw?ref=master`)).text).toBe('1');
    await unarchive(owner, project).expect(201);
    await as.post(`${base}/files/b`, { ...change, content: 'b' }).expect(201);
  });

  it('takes no requests for access any more', async () => {
    const { build } = app.current;
    const [stranger, columns] = [await build.user(), { request_access_enabled: true }];
    const project = await build.project({ owner, visibility: 'public', columns });
    await archive(owner, project).expect(201);
    await app.current.as(stranger).post(`/projects/${project.id}/access_requests`).expect(403);
    await unarchive(owner, project).expect(201);
    await app.current.as(stranger).post(`/projects/${project.id}/access_requests`).expect(201);
  });
});

describe('git push to an archived project', () => {
  const REASON = 'This project is archived, so nothing can be pushed to it.';
  let folder: string;
  let project: BuiltProject;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'archive-test-'));
    project = await app.current.build.project({ owner, files: { a: '1' } });
    const remote = new URL(`${app.current.url}/${project.fullPath}.git`);
    remote.username = 'oauth2';
    remote.password = owner.token;
    await run('git', ['clone', '-q', remote.href, folder]);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const push = (ref: string) => run('git', ['-C', folder, 'push', 'origin', `HEAD:${ref}`]);

  it('tells why nothing is taken', async () => {
    await archive(owner, project).expect(201);
    await expect(push('refs/tags/late')).rejects.toThrow(REASON);
    await expect(push('refs/heads/late')).rejects.toThrow(REASON);
  });

  it.each(['refs/tags/late', 'refs/heads/late'])(
    'is refused when it was archived while the push waited: %s',
    async (ref) => {
      const moves = app.current.nest.get(RefMoves);
      const { refused } = await moves.locked(project, async () => {
        const waiting = jest.spyOn(moves, 'locked');
        const pushed = expect(push(ref)).rejects.toThrow(REASON);
        await until(() => waiting.mock.calls[0]);
        await archive(owner, project).expect(201);
        return { refused: pushed };
      });
      await refused;
      const { stdout } = await run('git', ['-C', project.repositoryPath, 'for-each-ref', ref]);
      expect(stdout).toBe('');
    },
  );
});

describe('POST /projects/:id/unarchive', () => {
  it('opens the project again, and does nothing to one that is open', async () => {
    const project = await app.current.build.project({ owner, columns: { archived: true } });
    expect((await unarchive(owner, project).expect(201)).body.archived).toBe(false);
    expect((await unarchive(owner, project).expect(201)).body.archived).toBe(false);
    await app.current.api.post(`/projects/${project.id}/unarchive`).expect(401);
  });
});
