import { GitFixture } from '#libs/testing';
import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';

export interface BuiltMergeRequest {
  readonly id: number;
  readonly iid: number;
  /** Head of the source branch. */
  readonly sha: string;
  readonly branch: string;
}

interface Wanted {
  readonly project: BuiltProject;
  /** Whoever may push to the project. */
  readonly author: BuiltUser;
  readonly branch?: string;
  /** What the one commit of the branch holds beside what master has. */
  readonly files?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Further parameters of the request. */
  readonly params?: object;
}

let made = 0;

/** A branch with one commit from master, and a merge request of it into master. */
export async function mergeRequest(app: TestApplication, wanted: Wanted): Promise<BuiltMergeRequest> {
  made += 1;
  const { project, author, branch = `change-${made}`, message = `Change ${made}` } = wanted;
  const sha = await branchOf(project, { branch, message, files: wanted.files ?? { [branch]: 'x\n' } });
  const { body } = await app
    .as(author)
    .post(`/projects/${project.id}/merge_requests`, {
      source_branch: branch,
      target_branch: 'master',
      title: `Change ${made}`,
      ...wanted.params,
    })
    .expect(201);
  return { id: body.id, iid: body.iid, sha, branch };
}

/** A commit on a branch, which begins at master; answers its sha. Nobody is told of it: git itself does it. */
export async function branchOf(
  project: BuiltProject,
  commit: { branch: string; message?: string; files: Readonly<Record<string, string | null>> },
): Promise<string> {
  const git = GitFixture.on(project.repositoryPath);
  const there = await git.git('for-each-ref', '--format=%(objectname)', `refs/heads/${commit.branch}`);
  const parent = there === '' ? await git.git('rev-parse', 'refs/heads/master') : there;
  return git.commit({ ...commit, parents: [parent] });
}
