import { GitFixture } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

describe('what a commit starts at', () => {
  let owner: BuiltUser;
  let empty: BuiltProject;
  beforeEach(async () => {
    owner = await app.current.build.user();
    empty = await app.current.build.project({ owner, members: { maintainer: owner } });
  });

  const repository = (project: BuiltProject): string => `/projects/${project.id}/repository`;
  const commit = (project: BuiltProject, more: object) =>
    app.current.as(owner).post(`${repository(project)}/commits`, {
      commit_message: 'Change',
      actions: [{ action: 'create', file_path: 'made', content: 'x' }],
      ...more,
    });
  const parents = (project: BuiltProject, branch: string): Promise<string> =>
    GitFixture.on(project.repositoryPath).git('log', '-1', '--format=%P', branch);

  it('is nothing in an empty repository where the branch is its own start', async () => {
    await commit(empty, { branch: 'main', start_branch: 'main' }).expect(201);
    expect(await parents(empty, 'main')).toBe('');
  });

  it('is nothing for the first file of an empty repository, too', async () => {
    await app.current
      .as(owner)
      .post(`${repository(empty)}/files/made`, {
        branch: 'main',
        start_branch: 'main',
        commit_message: 'First',
        content: 'x',
      })
      .expect(201);
    expect(await parents(empty, 'main')).toBe('');
  });

  it('must be there where it is another branch, or the repository is not empty', async () => {
    const { body } = await commit(empty, { branch: 'main', start_branch: 'other' }).expect(400);
    expect(body).toEqual({ message: "Cannot find branch 'other'" });
    const full = await app.current.build.project({
      owner,
      members: { maintainer: owner },
      files: { a: 'x' },
    });
    await commit(full, { branch: 'topic', start_branch: 'topic' }).expect(400);
  });

  describe('with a start project alone', () => {
    let source: BuiltProject;
    let fork: BuiltProject;
    beforeEach(async () => {
      source = await app.current.build.project({ visibility: 'public', files: { upstream: 'u' } });
      fork = await app.current.build.project({ owner, members: { maintainer: owner }, files: { own: 'o' } });
      await app.current.database.query('UPDATE projects SET forked_from_project_id = $2 WHERE id = $1', [
        fork.id,
        source.id,
      ]);
    });

    it("is that project's branch of the same name", async () => {
      await GitFixture.on(source.repositoryPath).git('branch', 'topic', 'master');
      await commit(fork, { branch: 'topic', start_project: source.id }).expect(201);
      expect(await parents(fork, 'topic')).toBe(source.tip);
    });

    it('overwrites no branch unless it is forced to', async () => {
      await commit(fork, { branch: 'master', start_project: source.id }).expect(400);
      expect(await parents(fork, 'master')).toBe('');
      // A protected branch loses nothing, not even so.
      await commit(fork, { branch: 'master', start_project: source.id, force: true }).expect(400);
      await app.current.database.query('DELETE FROM protected_branches WHERE project_id = $1', [fork.id]);
      await commit(fork, { branch: 'master', start_project: source.id, force: true }).expect(201);
      expect(await parents(fork, 'master')).toBe(source.tip);
    });

    it('is not found where that project has no such branch', async () => {
      const { body } = await commit(fork, { branch: 'none', start_project: source.id }).expect(400);
      expect(body).toEqual({ message: "Cannot find branch 'none'" });
    });

    it('is the tip of the branch where the project is its own start', async () => {
      await commit(fork, { branch: 'master', start_project: fork.id }).expect(201);
      expect(await parents(fork, 'master')).toBe(fork.tip);
    });
  });
});
