import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();
const run = promisify(execFile);

let owner: BuiltUser;
let admin: BuiltUser;

beforeAll(async () => {
  owner = await app.current.build.user();
  admin = await app.current.build.user({ admin: true });
});

const project = (fullPath: string, by: BuiltUser = owner) =>
  app.current.as(by).get(`/projects/${encodeURIComponent(fullPath)}`);
const group = (fullPath: string, by: BuiltUser = owner) =>
  app.current.as(by).get(`/groups/${encodeURIComponent(fullPath)}`);
const rename = (kind: 'projects' | 'groups', id: number, newPath: string) =>
  app.current.as(owner).put(`/${kind}/${id}`, { path: newPath }).expect(200);
const redirectsOf = async (fullPath: string) =>
  (
    await app.current.database.query('SELECT path FROM route_redirects WHERE lower(path) = lower($1)', [
      fullPath,
    ])
  ).rows.length;

describe('the former path of a project', () => {
  it('leads to it after it was renamed, however often, in any letter case', async () => {
    const built = await app.current.build.project({ owner, files: { a: '1' } });
    await rename('projects', built.id, 'second-name');
    await rename('projects', built.id, 'third-name');
    for (const former of [built.fullPath.toUpperCase(), `${owner.username}/second-name`]) {
      const { status, body } = await project(former);
      expect([status, body.id, body.path_with_namespace]).toEqual([
        200,
        built.id,
        `${owner.username}/third-name`,
      ]);
    }
    const file = await app.current
      .as(owner)
      .get(`/projects/${encodeURIComponent(built.fullPath)}/repository/files/a/raw?ref=master`);
    expect(file.text).toBe('1');
  });

  it('is its own again when it comes back', async () => {
    const built = await app.current.build.project({ owner, path: 'there-and-back' });
    await rename('projects', built.id, 'away');
    await rename('projects', built.id, built.path);
    expect((await project(built.fullPath)).body.path).toBe(built.path);
    expect(await redirectsOf(built.fullPath)).toBe(0);
    expect((await project(`${owner.username}/away`)).body.id).toBe(built.id);
  });

  it('leaves no redirect where only the letter case changes', async () => {
    const built = await app.current.build.project({ owner, path: 'letters' });
    await rename('projects', built.id, 'Letters');
    expect(await redirectsOf(built.fullPath)).toBe(0);
  });

  it('leads to it after it was moved to another group', async () => {
    const [source, target] = [
      await app.current.build.group({ members: { owner } }),
      await app.current.build.group({ members: { owner } }),
    ];
    const built = await app.current.build.project({ namespace: source });
    await app.current.as(owner).put(`/projects/${built.id}/transfer`, { namespace: target.id }).expect(200);
    expect((await project(built.fullPath)).body.path_with_namespace).toBe(`${target.fullPath}/${built.path}`);
  });

  it('is whoever’s takes it', async () => {
    const built = await app.current.build.project({ owner, path: 'wanted' });
    await rename('projects', built.id, 'given-up');
    const made = await app.current
      .as(owner)
      .post('/projects', { path: 'Wanted', name: 'Taken over' })
      .expect(201);
    expect((await project(built.fullPath)).body.id).toBe(made.body.id);
    await app.current.as(owner).delete(`/projects/${made.body.id}`).expect(202);
    expect((await project(built.fullPath)).status).toBe(404);
  });

  it('tells nothing to those who may not see the project, nor once it is deleted', async () => {
    const [built, stranger] = [await app.current.build.project({ owner }), await app.current.build.user()];
    await rename('projects', built.id, 'hidden-name');
    const { status, body } = await project(built.fullPath, stranger);
    expect([status, body]).toEqual([404, { message: '404 Project Not Found' }]);
    await app.current.as(owner).delete(`/projects/${built.id}`).expect(202);
    expect((await project(built.fullPath)).status).toBe(404);
  });
});

describe('the former path of a group', () => {
  it('leads to it and to everything inside', async () => {
    const { build } = app.current;
    const top = await build.group({ members: { owner } });
    const child = await build.group({ parent: top });
    const built = await build.project({ namespace: child });
    const beside = await build.group({ path: `${top.fullPath}2`, members: { owner } });
    const renamed = `${top.fullPath}-renamed`;
    await rename('groups', top.id, renamed);
    expect((await group(top.fullPath)).body).toMatchObject({ id: top.id, full_path: renamed });
    expect((await group(child.fullPath)).body.id).toBe(child.id);
    expect((await project(built.fullPath)).body.path_with_namespace).toBe(
      built.fullPath.replace(top.fullPath, renamed),
    );
    expect((await group(beside.fullPath)).body.id).toBe(beside.id);
    expect((await app.current.as(await build.user()).get(`/groups/${top.fullPath}`)).status).toBe(404);
  });

  it('is, with all below, whoever’s takes it', async () => {
    const { build } = app.current;
    const top = await build.group({ members: { owner } });
    const built = await build.project({ namespace: top });
    await rename('groups', top.id, `${top.fullPath}-old`);
    const taker = await build.user();
    const made = await app.current
      .as(taker)
      .post('/groups', { name: 'Taker', path: top.fullPath })
      .expect(201);
    expect((await group(top.fullPath, taker)).body.id).toBe(made.body.id);
    expect((await project(built.fullPath)).status).toBe(404);
    expect((await project(built.fullPath, taker)).status).toBe(404);
  });
});

describe('the former name of a user', () => {
  it('leads to their projects', async () => {
    const user = await app.current.build.user();
    const built = await app.current.build.project({ owner: user });
    const username = `${user.username}-renamed`;
    await app.current.as(admin).put(`/users/${user.id}`, { username }).expect(200);
    const { body } = await project(built.fullPath, user);
    expect(body.path_with_namespace).toBe(`${username}/${built.path}`);
  });
});

describe('git over HTTP on a former path', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'redirects-test-'));
  });

  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  const remote = (fullPath: string, token: string): string => {
    const address = new URL(`${app.current.url}/${fullPath}.git`);
    address.username = 'oauth2';
    address.password = token;
    return address.href;
  };

  it('fetches and pushes as on the new one, and asks strangers who they are', async () => {
    const built = await app.current.build.project({
      owner,
      members: { maintainer: owner },
      files: { a: '1' },
    });
    const work = path.join(folder, 'work');
    await run('git', ['clone', '-q', remote(built.fullPath, owner.token), work]);
    await rename('projects', built.id, 'moved-away');
    await run('git', ['-C', work, 'push', '-q', 'origin', 'HEAD:refs/heads/pushed']);
    await run('git', ['-C', work, 'fetch', '-q']);
    const branch = await app.current.as(owner).get(`/projects/${built.id}/repository/branches/pushed`);
    expect(branch.status).toBe(200);
    const stranger = await app.current.build.user();
    const refused = run('git', ['ls-remote', remote(built.fullPath, stranger.token)], {
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    });
    await expect(refused).rejects.toThrow('not found');
  });
});

describe('renames at once', () => {
  it('leave every project one path, and every former one a way to somewhere', async () => {
    const { build, database } = app.current;
    const top = await build.group({ members: { owner } });
    const inside = [await build.project({ namespace: top }), await build.project({ namespace: top })];
    const as = app.current.as(owner);
    await Promise.all([
      as.put(`/groups/${top.id}`, { path: `${top.fullPath}-a` }),
      ...inside.map(({ id }, index) => as.put(`/projects/${id}`, { path: `new-${index}` })),
      as.put(`/projects/${inside[0]?.id}/transfer`, { namespace: owner.namespaceId }),
    ]);
    const { rows } = await database.query(
      `SELECT r.path = n.path || '/' || p.path AS fits FROM projects p
       JOIN routes r ON r.project_id = p.id JOIN routes n ON n.namespace_id = p.namespace_id
       WHERE p.id = ANY($1)`,
      [inside.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ fits: true }, { fits: true }]);
    for (const { id, fullPath } of inside) expect((await project(fullPath)).body.id).toBe(id);
  });
});
