import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';

const app = useApplication();

const LEASE_TAKEN = {
  message: 'Somebody already triggered housekeeping for this project in the past 60 minutes',
};

const packsOf = async ({ repositoryPath }: BuiltProject): Promise<number> =>
  (await fs.readdir(path.join(repositoryPath, 'objects/pack'))).filter((name) => name.endsWith('.pack'))
    .length;

describe('POST /projects/:id/housekeeping', () => {
  it('POST /projects/:id/housekeeping packs the repository in the background, once an hour', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    const start = () => app.current.as(owner).post(`/projects/${project.id}/housekeeping`);
    expect(await packsOf(project)).toBe(0);
    expect((await start()).status).toBe(201);
    await until(async () => (await packsOf(project)) === 1);
    expect(
      execFileSync('git', ['--git-dir', project.repositoryPath, 'fsck', '--full'], { encoding: 'utf8' }),
    ).toBe('');

    const again = await start();
    expect([again.status, again.body]).toEqual([409, LEASE_TAKEN]);
    await app.current.database.query(
      `UPDATE project_housekeepings SET begun_at = now() - interval '61 minutes' WHERE project_id = $1`,
      [project.id],
    );
    expect((await start()).status).toBe(201);
  });

  it('lets one of many begin, whichever node they ask, and every project for itself', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { README: 'x' } });
    const other = await app.current.build.project({ owner, files: { README: 'x' } });
    const second = await app.current.startAnother();
    const nodes = [app.current, second, app.current, second];
    const answers = await Promise.all(
      nodes.map(async (node) => (await node.as(owner).post(`/projects/${project.id}/housekeeping`)).status),
    );
    expect(answers.sort()).toEqual([201, 409, 409, 409]);
    expect((await second.as(owner).post(`/projects/${other.id}/housekeeping`)).status).toBe(201);
  });

  it('is for those who administer the project', async () => {
    const cast = await Cast.of(app.current, { README: 'x' });
    const row = await cast.row((api, { id }) => api.post(`/projects/${id}/housekeeping`));
    expect(row).toEqual({
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      guest: 403,
      reporter: 403,
      developer: 403,
      maintainer: 201,
      // The maintainer was first.
      owner: 409,
      admin: 409,
    });
  });
});
