import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GitFixture } from '#libs/testing';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { GitClone } from './support/git-client';
import { complaintsAbout, refsOf } from './support/verdicts';

/** Minutes ago: what killed processes left lies there since then. */
const LONG_AGO = new Date(Date.now() - 5 * 60_000);

describe('what killed git processes leave behind', () => {
  const application = useApplication();
  let user: BuiltUser;
  let project: BuiltProject;
  let clone: GitClone;
  let remote: string;

  beforeEach(async () => {
    const { build, settings, url } = application.current;
    user = await build.user();
    project = await build.project({
      owner: user,
      members: { maintainer: user },
      files: { 'README.md': '# Left\n' },
    });
    remote = `${url.replace('://', `://${user.username}:${user.token}@`)}/${project.fullPath}.git`;
    clone = await GitClone.of(remote, path.join(settings.dataDir, `clone-${project.id}`));
  });

  const leave = async (name: string): Promise<void> => {
    const file = path.join(project.repositoryPath, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '');
    await utimes(file, LONG_AGO, LONG_AGO);
  };
  const base = (): string => `/projects/${project.id}/repository`;
  const branches = async (): Promise<string[]> =>
    [...(await refsOf(project.repositoryPath)).keys()].map((ref) => ref.replace('refs/heads/', ''));

  it.each(['refs/heads/master.lock', 'HEAD.lock'])('%s stops no push', async (name) => {
    await leave(name);
    const sha = await clone.commit('pushed.txt', 'pushed\n');
    await clone.git('push', '--quiet', remote, 'HEAD:master');
    expect((await refsOf(project.repositoryPath)).get('refs/heads/master')).toBe(sha);
  });

  it.each(['refs/heads/master.lock', 'HEAD.lock'])('%s stops no commit', async (name) => {
    await leave(name);
    const answer = await application.current.as(user).post(`${base()}/commits`, {
      branch: 'master',
      commit_message: 'Go on',
      actions: [{ action: 'create', file_path: 'new.txt', content: 'new' }],
    });
    expect(answer.status).toBe(201);
  });

  it.each(['packed-refs.lock', 'packed-refs.new'])('%s stops no deletion of a branch', async (name) => {
    const as = application.current.as(user);
    await as.post(`${base()}/branches`, { branch: 'passing', ref: 'master' }).expect(201);
    await as.post(`${base()}/branches`, { branch: 'pushed-away', ref: 'master' }).expect(201);
    await GitFixture.on(project.repositoryPath).git('pack-refs', '--all');
    await leave(name);
    expect((await as.delete(`${base()}/branches/passing`)).status).toBe(204);
    await leave(name);
    await clone.git('push', '--quiet', remote, ':pushed-away');
    expect(await branches()).toEqual(['master']);
  });

  it('the lock of HEAD does not keep the default branch', async () => {
    const as = application.current.as(user);
    await as.post(`${base()}/branches`, { branch: 'main', ref: 'master' }).expect(201);
    await leave('HEAD.lock');
    const answer = await as.put(`/projects/${project.id}`, { default_branch: 'main' });
    expect([answer.status, answer.body.default_branch]).toEqual([200, 'main']);
  });

  it('half a pack and half an object harm nobody', async () => {
    await leave('objects/pack/tmp_pack_abcdef');
    await leave('objects/tmp_objdir-incoming-abcdef/pack/tmp_pack_abcdef');
    await leave('objects/aa/tmp_obj_abcdef');
    await clone.commit('pushed.txt', 'pushed\n');
    await clone.git('push', '--quiet', remote, 'HEAD:master');
    expect(await complaintsAbout(project.repositoryPath)).toEqual([]);
    expect(await readdir(path.join(project.repositoryPath, 'objects'))).toContain(
      'tmp_objdir-incoming-abcdef',
    );
  });
});
