import type { ActorUser } from '#libs/access';
import { badRequest } from '#libs/errors';
import {
  isBranchName,
  ZERO_SHA,
  type Commit,
  type FileAction,
  type GitRepository,
  type Person,
  type Sha,
} from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';
import type { PushRule } from '../push-rules/push-rule.entity';
import { Repositories } from '../storages/repositories';
import { refusedCommit } from './refused-commit';
import { branchRef, RefMoves, type PushCheck } from './ref-moves.service';
import { requireKeptHistory } from './rewritten-branches';

/** Where a commit is to go. */
export interface Target {
  readonly branch: string;
  /** Asked under the lock; left out only for the first commit of a project that is just being made. */
  readonly requirePush?: PushCheck;
  /** It may lose commits, unless it is protected. */
  readonly force?: boolean;
}

/** A commit to be made on a branch by file actions. */
export interface CommitRequest extends Target {
  readonly message: string;
  readonly actions: readonly FileAction[];
  readonly start: CommitStart | null;
  /** Overwrites an existing branch with a commit on top of `start`. */
  readonly force: boolean;
  /** The same tree again is refused unless this is set. */
  readonly allowEmpty: boolean;
  readonly authorName: string | undefined;
  readonly authorEmail: string | undefined;
  /** What a caller is told whose `last_commit_id` is out of date; by default a sentence with the path. */
  readonly staleMessage?: string;
}

/** What a new branch begins at: a branch or a commit, of this project or of the one it was forked from. */
export interface CommitStart {
  readonly project: Project;
  readonly branch?: string | undefined;
  readonly sha?: string | undefined;
}

/** Makes commits on branches: under the repository's lock, on the tip that stands then, or not at all. */
@Injectable()
export class BranchCommits {
  constructor(
    private readonly moves: RefMoves,
    private readonly repositories: Repositories,
  ) {}

  /** Commits file actions. Refusals are 400s with the reference's sentences; nothing is left behind by them. */
  commit(project: Project, user: ActorUser, request: CommitRequest): Promise<Commit> {
    const committer = personOf(user);
    const author = { ...committer, ...named(request.authorName, request.authorEmail) };
    return this.onBranch(project, user, request, async (repository, tip) => {
      const base = await this.baseOf(project, repository, request, tip);
      const { actions, message, allowEmpty } = request;
      const made = repository.createCommit({ base, actions, message, author, committer, allowEmpty });
      return made.catch((error: unknown) => refusedCommit(error, request.staleMessage));
    });
  }

  /**
   * Puts on a branch the commit that `make` writes on its tip, and answers it.
   * The right to push is asked for anew: while the caller waited for the lock, the project may have been archived or
   * the branch protected. The push rule judges the commit before the branch moves. `tip` is null while the branch does not exist; `make` then decides whether that is an error.
   */
  onBranch(
    project: Project,
    user: ActorUser,
    { branch, requirePush, force = false }: Target,
    make: (repository: GitRepository, tip: Sha | null) => Promise<Sha>,
  ): Promise<Commit> {
    const commitUpon = async (
      current: Project,
      rule: PushRule | null,
      rules: readonly ProtectedBranch[],
    ): Promise<Commit> => {
      const repository = this.repositories.open(current);
      const ref = branchRef(branch);
      const tip = isBranchName(branch) ? await repository.ref(ref) : null;
      const newSha = await make(repository, tip);
      const oldSha = tip ?? ZERO_SHA;
      if (force) await requireKeptHistory(repository, rules, branch, { oldSha, newSha });
      await this.moves
        .push({
          project: current,
          user,
          updates: [{ ref, oldSha, newSha }],
          rule,
          made: newSha,
        })
        .catch((error: unknown) => refusedCommit(error));
      const commit = await repository.commit(newSha);
      if (!commit) throw new Error(`commit ${newSha} is gone right after it was written`);
      return commit;
    };
    return requirePush
      ? this.moves.lockedAnew(project, requirePush, commitUpon)
      : this.moves.locked(project, () => commitUpon(project, null, []));
  }

  /** The parent of the new commit, null for the first one of an empty repository. */
  private async baseOf(
    project: Project,
    repository: GitRepository,
    request: CommitRequest,
    tip: Sha | null,
  ): Promise<Sha | null> {
    const { branch, start, force } = request;
    const isOwnBranch = start?.branch === branch && start.project.id === project.id;
    if (tip !== null && start && !isOwnBranch && !force) {
      throw badRequest(
        `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
      );
    }
    if (tip === null && !isBranchName(branch)) {
      throw badRequest(
        `Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`,
      );
    }
    // A branch that begins at itself begins an empty repository as if no start were given.
    if (tip === null && isOwnBranch && (await repository.isEmpty())) return null;
    if (start && (tip === null || force)) return this.startSha(project, repository, start);
    if (tip !== null) return tip;
    if (await repository.isEmpty()) return null;
    throw badRequest('You can only create or edit files when you are on a branch');
  }

  private async startSha(project: Project, repository: GitRepository, start: CommitStart): Promise<Sha> {
    const source = this.repositories.open(start.project);
    const sha =
      start.branch === undefined
        ? await source.resolve(start.sha ?? '')
        : await source.ref(branchRef(start.branch));
    if (sha === null) {
      throw badRequest(
        start.branch === undefined
          ? `Cannot find commit '${start.sha}'`
          : `Cannot find branch '${start.branch}'`,
      );
    }
    if (start.project.id !== project.id)
      await repository.fetchObjects(this.repositories.locate(start.project), [sha]);
    return sha;
  }
}

/** Who wrote it as git records it: now, in UTC. */
export const personOf = ({ name, email }: Pick<ActorUser, 'name' | 'email'>): Person => ({
  name,
  email,
  time: Math.floor(Date.now() / 1000),
  offset: '+0000',
});

const named = (name: string | undefined, email: string | undefined): Partial<Person> => ({
  ...(name !== undefined && name !== '' && { name }),
  ...(email !== undefined && email !== '' && { email }),
});
