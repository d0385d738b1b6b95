import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { badRequest, DomainError, forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { isBranchName, MergeConflictError, type Commit } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects } from '../callers/accessible-projects';
import { BranchCommits, personOf, type CommitStart } from '../changes/branch-commits.service';
import { PushRights } from '../changes/push-rights';
import type { PushCheck } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { titleOf, type ListedCommit } from './commit';
import { fileActionsOf } from './commit-actions';
import { requireCommit } from './commit-lookup';
import type { ApplyCommit, CreateCommit } from './commit.params';

type ApplyParams = ParamsOf<typeof ApplyCommit>;

/** Makes commits: by file actions, and by applying or undoing the change of another commit. */
@Injectable()
export class CommitMaking {
  constructor(
    private readonly repositories: Repositories,
    private readonly commits: BranchCommits,
    private readonly rights: PushRights,
    private readonly projects: AccessibleProjects,
  ) {}

  async create(actor: Actor, project: Project, params: ParamsOf<typeof CreateCommit>): Promise<ListedCommit> {
    // The branch's rules are read under the lock anyway; another project must not be looked at before them.
    await this.rights.requireEntry(actor, project, params.branch, mayNotPush);
    const actions = await fileActionsOf(params.actions);
    const requirePush = this.pushCheck(actor, params.branch);
    if (params.start_project !== undefined) await requirePush(project);
    const commit = await this.commits.commit(project, signedIn(actor), {
      branch: params.branch,
      requirePush,
      message: params.commit_message,
      actions,
      start: await this.startOf(actor, project, params),
      force: params.force,
      allowEmpty: true,
      authorName: params.author_name,
      authorEmail: params.author_email,
    });
    return { commit, stats: params.stats ? await this.statsOf(actor, project, commit.sha) : null };
  }

  /** Nobody holds the repository any more: throws "404 Project Not Found" where it was deleted right after the commit. */
  private async statsOf(actor: Actor, project: Project, sha: string): Promise<ListedCommit['stats']> {
    try {
      return await this.repositories.open(project).stats(sha);
    } catch (error) {
      if (await this.projects.find(actor, project.id)) throw error;
      throw new DomainError({ kind: 'not_found', what: 'Project' }, { cause: error });
    }
  }

  cherryPick(actor: Actor, project: Project, params: ApplyParams): Promise<ListedCommit> {
    return this.apply(actor, project, params, 'cherry-pick', (commit) => ({
      message: `${commit.message.trimEnd()}\n\n(cherry picked from commit ${commit.sha})`,
      author: commit.author,
    }));
  }

  revert(actor: Actor, project: Project, params: ApplyParams): Promise<ListedCommit> {
    return this.apply(actor, project, params, 'revert', (commit) => ({
      message: `Revert "${titleOf(commit)}"\n\nThis reverts commit ${commit.sha}`,
      author: personOf(signedIn(actor)),
    }));
  }

  /** In the reference's order: right to push (403), commit (404), branch (400, 404), conflict (400). */
  private async apply(
    actor: Actor,
    project: Project,
    { sha, branch }: ApplyParams,
    verb: 'cherry-pick' | 'revert',
    describe: (commit: Commit) => Pick<Commit, 'message' | 'author'>,
  ): Promise<ListedCommit> {
    const requirePush = this.pushCheck(actor, branch);
    await this.rights.requireEntry(actor, project, branch, mayNotPush);
    await requirePush(project);
    const commit = await requireCommit(this.repositories.open(project), sha);
    if (!isBranchName(branch)) throw badRequest('The branch refname is invalid');
    const user = signedIn(actor);
    const target = { branch, requirePush };
    const made = await this.commits.onBranch(project, user, target, async (repository, tip) => {
      if (tip === null) throw notFound('Branch');
      const change = { commit: commit.sha, onto: tip, ...describe(commit), committer: personOf(user) };
      const applied = verb === 'cherry-pick' ? repository.cherryPick(change) : repository.revert(change);
      return applied.catch((error: unknown) => {
        throw error instanceof MergeConflictError ? cannotApply(verb) : error;
      });
    });
    return { commit: made, stats: null };
  }

  /** For before the work, and again under the lock. */
  private pushCheck(actor: Actor, branch: string): PushCheck {
    return async (project, rules) => {
      if (!(await this.rights.mayPush(actor, project, branch, rules))) throw mayNotPush();
    };
  }

  /** Where another project is named without a place in it, that is its branch of the same name. */
  private async startOf(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateCommit>,
  ): Promise<CommitStart | null> {
    const { start_branch: branch, start_sha: sha, start_project: id } = params;
    const start = id === undefined ? project : await this.forkSource(actor, project, id);
    if (sha) return { project: start, sha };
    if (branch) return { project: start, branch };
    return id === undefined ? null : { project: start, branch: params.branch };
  }

  /** What is committed on top of becomes readable here, so its code must be open to the caller there. */
  private async forkSource(actor: Actor, project: Project, id: number | string): Promise<Project> {
    const { project: source, actor: there } = await this.projects.require(actor, id);
    if (source.id === project.id) return project;
    if (source.id !== project.forkedFromProjectId) {
      throw forbidden(`Project is not included in the fork network for ${project.fullPath}`);
    }
    if (!PROJECT_POLICY.download_code(there, source)) throw forbidden();
    return source;
  }
}

const mayNotPush = (): DomainError => forbidden('You are not allowed to push into this branch');

const PAST: Record<'cherry-pick' | 'revert', string> = { 'cherry-pick': 'cherry-picked', revert: 'reverted' };

const cannotApply = (verb: 'cherry-pick' | 'revert'): DomainError =>
  badRequest(
    `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${PAST[verb]}, ` +
      'or a more recent commit may have updated some of its content.',
  );
