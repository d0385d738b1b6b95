import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sha } from '../git';
import { isAbbreviatedSha, isBranchName, isFullRef, isSha, isTagName } from '../names';
import type { RepositoryContext } from '../repository-context';
import type { ObjectInfo } from './object-session';

const BRANCH_OF_HEAD = /^ref: refs\/heads\/(.+)\n?$/;

/** What names mean: refs and shas to commits. Nothing here is cached, and no revision syntax ever reaches git. */
export class Revisions {
  constructor(private readonly context: RepositoryContext) {}

  async headBranch(): Promise<string | null> {
    const head = await readFile(join(this.context.location.path, 'HEAD'), 'utf8');
    const branch = BRANCH_OF_HEAD.exec(head)?.[1];
    if (branch === undefined || !isBranchName(branch)) return null;
    return (await this.ref(`refs/heads/${branch}`)) === null ? null : branch;
  }

  async resolve(revision: string): Promise<Sha | null> {
    if (isSha(revision)) return this.peel(revision.toLowerCase());
    // All readings are asked for at once, so that this takes one round trip.
    const [tag, branch, whole, short] = await Promise.all([
      isTagName(revision) ? this.peel(`refs/tags/${revision}`) : null,
      isBranchName(revision) ? this.peel(`refs/heads/${revision}`) : null,
      revision === 'HEAD' || isFullRef(revision) ? this.peel(revision) : null,
      isAbbreviatedSha(revision) ? this.expand(revision.toLowerCase()) : null,
    ]);
    return tag ?? branch ?? whole ?? short;
  }

  async ref(name: string): Promise<Sha | null> {
    if (!isFullRef(name)) return null;
    return (await this.info(name))?.sha ?? null;
  }

  /** The commit that a full sha or full ref name, validated, means after peeling. */
  async peel(name: string): Promise<Sha | null> {
    const found = await this.info(`${name}^{commit}`);
    return found?.type === 'commit' ? found.sha : null;
  }

  private async expand(abbreviated: string): Promise<Sha | null> {
    const sha = await this.peel(abbreviated);
    // git also looks for refs of this name in places that are none of ours.
    return sha?.startsWith(abbreviated) ? sha : null;
  }

  private info(name: string): Promise<ObjectInfo | null> {
    return this.context.objects.info(name);
  }
}
