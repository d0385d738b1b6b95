import { ZERO_SHA, type GitReader, type RefUpdate } from '#libs/git';
import { branchRef, tagRef } from '../changes/ref-moves.service';

/** What has to be created elsewhere so that the branches and tags of the repository are there too. */
export async function creationOfRefs(repository: Pick<GitReader, 'branches' | 'tags'>): Promise<RefUpdate[]> {
  const [branches, tags] = await Promise.all([repository.branches(), repository.tags()]);
  return [
    ...branches.map(({ name, sha }) => ({ ref: branchRef(name), oldSha: ZERO_SHA, newSha: sha })),
    ...tags.map(({ name, target }) => ({ ref: tagRef(name), oldSha: ZERO_SHA, newSha: target })),
  ];
}
