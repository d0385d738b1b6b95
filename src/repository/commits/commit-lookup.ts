import { notFound } from '#libs/errors';
import type { Commit, GitRepository } from '#libs/git';

/** The commit that a hash, branch or tag means. Throws "404 Commit Not Found". */
export async function requireCommit(repository: GitRepository, revision: string): Promise<Commit> {
  const sha = await repository.resolve(revision);
  const commit = sha === null ? null : await repository.commit(sha);
  if (!commit) throw notFound('Commit');
  return commit;
}
