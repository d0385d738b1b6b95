import { access } from 'node:fs/promises';
import { until } from '#libs/testing';
import { BranchCommits } from '../../src/repository/changes/branch-commits.service';
import { ProjectsRepository } from '../../src/repository/projects/projects.repository';
import { IssueClosing, type Closer } from '../../src/planning/planning.api';
import { useApplication } from '../support/application';
import { whileHeld } from '../support/held-rows';

const WRITERS = 16;

const application = useApplication();

describe('a project that is deleted while others write to it', () => {
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

  it('lets go first who has an issue of it in hand already', async () => {
    const { build, database } = application.current;
    const owner = await build.user();
    const { id } = await build.project({ owner, members: { owner }, files: { 'README.md': 'x' } });
    const api = application.current.as(owner);
    await api.post(`/projects/${id}/issues`, { title: 'Issue' }).expect(201);
    const isGone = () =>
      until(async () => (await database.query('SELECT 1 FROM projects WHERE id = $1', [id])).rowCount === 0);
    await whileHeld(
      application.current,
      `UPDATE issues SET state = 'closed' WHERE project_id = ${id}`,
      async () => {
        await api.delete(`/projects/${id}`).expect(202);
      },
      // As every change of an issue ends: the removal must not have the project and wait for us.
      () =>
        database.query(`UPDATE projects SET open_issues_count = 0 WHERE id = ${id}`).then(() => undefined),
    );
    await isGone();
    const { rows: failed } = await database.query(
      `SELECT 1 FROM pgboss.job WHERE name = 'repository.remove_project' AND retry_count > 0
         AND (data ->> 'projectId')::bigint = $1`,
      [id],
    );
    expect(failed).toEqual([]);
  });
});

describe('an issue that is closed by what has been deleted meanwhile', () => {
  it.each(['merge request', 'project of the commit', 'issue'])(
    'is closed once all the same, and tells nothing that nobody can look up: the %s is gone',
    async (gone) => {
      const { build, database, nest } = application.current;
      const owner = await build.user();
      const built = await build.project({ owner, members: { owner }, files: { 'README.md': 'x' } });
      const elsewhere = await build.project({ owner, members: { owner } });
      const found = await nest.get(ProjectsRepository).find(elsewhere.id);
      if (!found) throw new Error('the project was made');
      const { body: issue } = await application.current
        .as(owner)
        .post(`/projects/${built.id}/issues`, { title: 'Issue' })
        .expect(201);
      if (gone === 'project of the commit')
        await database.query('DELETE FROM projects WHERE id = $1', [elsewhere.id]);
      const by: Closer =
        gone === 'merge request'
          ? { kind: 'merge_request', id: 4_711, iid: 1 }
          : { kind: 'commit', sha: 'a'.repeat(40) };
      const closing = {
        project: found,
        actorId: owner.id,
        text: `Closes ${built.fullPath}#${issue.iid}`,
        by,
        at: new Date(),
      };
      if (gone === 'issue') await database.query('DELETE FROM issues WHERE id = $1', [issue.id]);
      await nest.get(IssueClosing).closeNamed(closing);
      await nest.get(IssueClosing).closeNamed(closing);

      const { rows } = await database.query(
        `SELECT i.state, (SELECT array_agg(body) FROM notes n WHERE n.issue_id = i.id) AS notes FROM issues i WHERE i.id = $1`,
        [issue.id],
      );
      expect(rows).toEqual(gone === 'issue' ? [] : [{ state: 'closed', notes: ['closed'] }]);
    },
  );
});
