import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import { StorageSweep } from '../../../src/repository/maintenance/storage-sweep.job';
import { useApplication } from '../../support/application';

const app = useApplication();

const git = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' });

describe('maintenance', () => {
  it('packs a repository in the background once enough was written to it, and loses nothing', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    await app.current.database.query('UPDATE projects SET writes_since_maintenance = 199 WHERE id = $1', [
      project.id,
    ]);
    const write = (name: string) =>
      app.current.as(owner).post(`/projects/${project.id}/repository/files/${name}`, {
        branch: 'master',
        content: name,
        commit_message: name,
      });
    expect((await write('due')).status).toBe(201);
    const packs = async () => (await fs.readdir(path.join(project.repositoryPath, 'objects/pack'))).length;
    await until(async () => (await packs()) > 0);
    await until(async () => {
      const { rows } = await app.current.database.query<{ writes: number }>(
        'SELECT writes_since_maintenance AS writes FROM projects WHERE id = $1',
        [project.id],
      );
      return rows[0]?.writes === 0;
    });
    expect((await write('after')).status).toBe(201);
    expect(git(project.repositoryPath, 'fsck', '--full', '--strict')).toBe('');
    expect(git(project.repositoryPath, 'log', '--format=%s', 'master').trim().split('\n')).toEqual([
      'after',
      'due',
      'First commit',
    ]);
  });

  it('frees the disk of repositories that a killed process was making or removing', async () => {
    const project = await app.current.build.project({ files: { README: 'x' } });
    const { dir, base } = path.parse(project.repositoryPath);
    const left = path.join(dir, `.${base}.git.removed-0123456789ab`);
    await fs.mkdir(left);
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await fs.utimes(left, longAgo, longAgo);
    await app.current.nest.get(StorageSweep).run({}, { signal: new AbortController().signal });
    expect(await fs.readdir(dir)).toEqual([base]);
  });
});
