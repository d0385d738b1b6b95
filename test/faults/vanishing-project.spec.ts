import { access } from 'node:fs/promises';
import { until } from '#libs/testing';
import { BranchCommits } from '../../src/repository/changes/branch-commits.service';
import { ProjectsRepository } from '../../src/repository/projects/projects.repository';
import { useApplication } from '../support/application';

const WRITERS = 16;

describe('a project that is deleted while others write to it', () => {
  const application = useApplication();

  it('takes their commits or is not found, and leaves nothing of itself', async () => {
    const { build, database } = application.current;
    const owner = await build.user();
    const project = await build.project({
      owner,
      members: { owner },
      files: { 'README.md': 'x' },
    });
    const api = application.current.as(owner);
    const commit = async (number: number): Promise<number> => {
      const answer = await api.post(`/projects/${project.id}/repository/commits`, {
        branch: `branch-${number}`,
        start_branch: 'master',
        commit_message: 'Add',
        actions: [{ action: 'create', file_path: `${number}.txt`, content: 'new' }],
      });
      return answer.status;
    };
    const before = Array.from({ length: WRITERS / 2 }, (_, number) => commit(number));
    await before[0];
    const deletion = api.delete(`/projects/${project.id}`);
    const after = Array.from({ length: WRITERS }, (_, number) => commit(WRITERS + number));
    expect((await deletion).status).toBe(202);
    const statuses = await Promise.all([...before, ...after]);
    expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
    expect(await before[0]).toBe(201);
    await until(
      async () => (await database.query('SELECT 1 FROM projects WHERE id = $1', [project.id])).rowCount === 0,
    );
    await expect(access(project.repositoryPath)).rejects.toThrow('ENOENT');
    expect((await database.query('SELECT 1 FROM ref_intents')).rowCount).toBe(0);
  });

  it('is not found by a commit that had been let in before', async () => {
    const { build, database, nest } = application.current;
    const owner = await build.user();
    const built = await build.project({ owner, members: { owner }, files: { 'README.md': 'x' } });
    const project = await nest.get(ProjectsRepository).find(built.id);
    if (!project) throw new Error('the project was made');
    await application.current.as(owner).delete(`/projects/${built.id}`).expect(202);
    await until(
      async () => (await database.query('SELECT 1 FROM projects WHERE id = $1', [built.id])).rowCount === 0,
    );
    const user = { ...owner, isAdmin: false, isExternal: false, projectsLimit: 0, canCreateGroup: false };
    const commit = nest.get(BranchCommits).commit(project, user, {
      branch: 'master',
      message: 'Late',
      actions: [{ action: 'create', path: 'late.txt', content: Buffer.from('late') }],
      start: null,
      force: false,
      allowEmpty: false,
      authorName: undefined,
      authorEmail: undefined,
    });
    await expect(commit).rejects.toMatchObject({ detail: { kind: 'not_found' } });
    await expect(access(built.repositoryPath)).rejects.toThrow('ENOENT');
  });
});
