import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { CheckRepositories } from '../../../src/repository/checks/check-repositories.job';
import { ProjectFigures } from '../../../src/repository/projects/project-figures.job';
import { useApplication, type TestApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication({ TIER: 'premium' });
const core = useApplication({ TIER: 'starter' });

const run = (service: TestApplication) =>
  service.nest.get(CheckRepositories).run({}, { signal: new AbortController().signal });

const checkOf = async ({ id }: { id: number }) => {
  const { rows } = await app.current.database.query<{
    checksum: Buffer | null;
    failure: string | null;
    checked: Date | null;
    due: Date;
  }>(
    'SELECT checksum, failure, checked_at AS checked, due_at AS due FROM repository_checks WHERE project_id = $1',
    [id],
  );
  return rows[0];
};

/** Written to, and waiting to be looked at now. */
async function makeDue(service: TestApplication, ...projects: { id: number }[]): Promise<void> {
  for (const { id } of projects) await service.nest.get(ProjectFigures).refresh(id);
  await service.database.query(
    `UPDATE repository_checks SET due_at = now() - interval '1 minute' WHERE project_id = ANY($1)`,
    [projects.map(({ id }) => id)],
  );
}

async function check(...projects: { id: number }[]): Promise<void> {
  await makeDue(app.current, ...projects);
  await run(app.current);
}

const objects = (project: BuiltProject): string => path.join(project.repositoryPath, 'objects');

/** Takes an object away, as a broken disk does. */
async function lose(project: BuiltProject, sha: string): Promise<() => Promise<void>> {
  const file = path.join(objects(project), sha.slice(0, 2), sha.slice(2));
  await fs.rename(file, `${file}.lost`);
  return () => fs.rename(`${file}.lost`, file);
}

const DAY = 24 * 3_600_000;

describe('GET /projects', () => {
  let owner: BuiltUser, whole: BuiltProject, broken: BuiltProject;

  const idsOf = async (query: string, service = app.current, user = owner): Promise<number[]> => {
    const { status, body } = await service.as(user).get(`/projects?${query}`);
    expect(status).toBe(200);
    const rows: { id: number }[] = body;
    return rows.map(({ id }) => id);
  };

  beforeAll(async () => {
    owner = await app.current.build.user();
    whole = await app.current.build.project({ owner, files: { a: '1' } });
    broken = await app.current.build.project({ owner, files: { a: '1', b: '2' } });
  });

  it('shows those whose repository was found broken, until it is found whole again', async () => {
    const { rows } = await app.current.database.query(
      'SELECT 1 FROM repository_checks WHERE failure IS NOT NULL',
    );
    expect(rows).toEqual([]);
    const giveBack = await lose(broken, broken.tip);
    await check(whole, broken);
    expect(await idsOf('repository_checksum_failed=true')).toEqual([broken.id]);
    expect(await idsOf('repository_checksum_failed=true&wiki_checksum_failed=true')).toEqual([]);
    expect(await idsOf('repository_checksum_failed=false')).toEqual([broken.id, whole.id]);
    await giveBack();
    await check(broken);
    expect(await idsOf('repository_checksum_failed=true')).toEqual([]);
    expect(await checkOf(broken)).toMatchObject({ failure: null });
  });

  it('shows those whose wiki was found broken', async () => {
    expect(await idsOf('wiki_checksum_failed=true')).toEqual([]);
    const page = { title: 'home', content: 'hello' };
    await app.current.as(owner).post(`/projects/${whole.id}/wikis`, page).expect(201);
    const wiki = whole.repositoryPath.replace(/\.git$/, '.wiki.git');
    const head = execFileSync('git', ['-C', wiki, 'rev-parse', 'master'], { encoding: 'utf8' }).trim();
    const giveBack = await lose({ ...whole, repositoryPath: wiki }, head);
    await check(whole);
    expect(await idsOf('wiki_checksum_failed=true')).toEqual([whole.id]);
    expect(await idsOf('repository_checksum_failed=true')).toEqual([]);
    await giveBack();
    await check(whole);
    expect(await idsOf('wiki_checksum_failed=true')).toEqual([]);
    expect(await idsOf('wiki_checksum_failed=false')).toEqual([broken.id, whole.id]);
  });

  it('shows broken ones only to those who see them anyway', async () => {
    const stranger = await app.current.build.user();
    const giveBack = await lose(broken, broken.tip);
    await check(broken);
    expect(await idsOf('repository_checksum_failed=true', app.current, stranger)).toEqual([]);
    await giveBack();
    await check(broken);
  });

  it('takes no notice of the filters in a lower tier, which checks nothing', async () => {
    const user = await core.current.build.user();
    const project = await core.current.build.project({ owner: user, files: { a: '1' } });
    await makeDue(core.current, project);
    await run(core.current);
    const { rows } = await core.current.database.query(
      'SELECT 1 FROM repository_checks WHERE checked_at IS NOT NULL',
    );
    expect(rows).toEqual([]);
    for (const filter of ['repository_checksum_failed', 'wiki_checksum_failed'])
      expect(await idsOf(`${filter}=true`, core.current, user)).toEqual([project.id]);
  });

  it('refuses what is no truth value', async () => {
    const { status, body } = await app.current.as(owner).get('/projects?repository_checksum_failed=maybe');
    expect([status, body]).toEqual([400, { error: 'repository_checksum_failed is invalid' }]);
  });
});

describe('the check of repositories', () => {
  const make = async (files: Readonly<Record<string, string>> = { a: '1' }): Promise<BuiltProject> =>
    app.current.build.project({ files });

  it('keeps a sum over the refs, when it was taken, and looks again within a week', async () => {
    const [one, other] = [await make(), await make()];
    await check(one, other);
    const first = await checkOf(one);
    expect(first?.checksum).toHaveLength(32);
    expect(first?.checksum).toEqual((await checkOf(other))?.checksum);
    expect(Number(first?.due) - Number(first?.checked)).toBeGreaterThan(6 * DAY);
    await fs.writeFile(path.join(one.repositoryPath, 'refs/heads/more'), `${one.tip}\n`);
    await check(one);
    expect((await checkOf(one))?.checksum).not.toEqual(first?.checksum);
  });

  it('finds lost commits, lost files, refs that point nowhere, and lost repositories', async () => {
    const [commit, ref, gone] = [await make(), await make(), await make()];
    await lose(commit, commit.tip);
    await fs.writeFile(path.join(ref.repositoryPath, 'refs/heads/nowhere'), `${'1'.repeat(40)}\n`);
    await fs.rm(gone.repositoryPath, { recursive: true });
    for (const { id } of [commit, ref, gone])
      await app.current.database.query('INSERT INTO repository_checks (project_id) VALUES ($1)', [id]);
    await run(app.current);
    for (const project of [commit, ref, gone])
      expect((await checkOf(project))?.failure).toEqual(expect.any(String));
  });

  it('does not look at objects again while the refs are the same, but for once a week', async () => {
    const project = await make();
    await check(project);
    const before = await checkOf(project);
    const giveBack = await lose(project, project.tip);
    const dueNow = () =>
      app.current.database.query('UPDATE repository_checks SET due_at = now() WHERE project_id = $1', [
        project.id,
      ]);
    await dueNow();
    await run(app.current);
    expect(await checkOf(project)).toMatchObject({ failure: null, checked: before?.checked });
    await app.current.database.query(
      `UPDATE repository_checks SET checked_at = now() - interval '7 days' WHERE project_id = $1`,
      [project.id],
    );
    await dueNow();
    await run(app.current);
    expect((await checkOf(project))?.failure).toEqual(expect.any(String));
    await giveBack();
  });

  it('is due soon after a write, and a repository is taken by one node alone', async () => {
    const project = await make();
    await check(project);
    await app.current.nest.get(ProjectFigures).refresh(project.id);
    expect(Number((await checkOf(project))?.due)).toBeLessThan(Date.now() + DAY / 2);
    await makeDue(app.current, project);
    await Promise.all([run(app.current), run(app.current), run(app.current)]);
    expect(Number((await checkOf(project))?.due)).toBeGreaterThan(Date.now() + 6 * DAY);
  });
});
