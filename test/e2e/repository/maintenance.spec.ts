import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import { RefIntentRecovery } from '../../../src/repository/changes/ref-intent-recovery.job';
import { useApplication } from '../../support/application';

const app = useApplication();

const git = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' });

describe('maintenance', () => {
  it('packs a repository in the background once enough was written to it, and loses nothing', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    await app.current.database.query('UPDATE projects SET writes_since_maintenance = 199 WHERE id = $1', [project.id]);
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
});

describe('recovery of interrupted moves', () => {
  it('records a move that took effect, and forgets one that did not', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    const zero = '0'.repeat(40);
    const note = (ref: string, newSha: string) =>
      app.current.database.query(
        `INSERT INTO ref_intents (project_id, actor_id, updates, created_at) VALUES ($1, $2, $3, now() - interval '1 hour')`,
        [project.id, owner.id, JSON.stringify({ source: 'push', refs: [{ ref, oldSha: zero, newSha }] })],
      );
    await note('refs/heads/master', project.tip);
    await note('refs/heads/never', project.tip);
    await app.current.nest.get(RefIntentRecovery).run();
    const left = await app.current.database.query('SELECT 1 FROM ref_intents');
    expect(left.rowCount).toBe(0);
    const events = await app.current.database.query<{ payload: { updates: { ref: string }[] } }>(
      `SELECT payload FROM outbox_events WHERE name = 'repository.refs_updated' AND (payload->>'projectId')::bigint = $1`,
      [project.id],
    );
    expect(events.rows.map(({ payload }) => payload.updates.map(({ ref }) => ref))).toEqual([['refs/heads/master']]);
  });
});
