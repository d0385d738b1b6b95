import { atLeast, signedIn, type Actor } from '#libs/access';
import { badRequest, notFound, requireUnmodified } from '#libs/errors';
import { isBranchName, ZERO_SHA, type Branch, type GitRepository, type Sha } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Jobs } from '#libs/jobs';
import { pageOf, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { pushCheck, PushRights, type BranchRights } from '../changes/push-rights';
import { branchRef, RefMoves, type PushCheck } from '../changes/ref-moves.service';
import { refusedCommit } from '../changes/refused-commit';
import { ACCEPTED, type Accepted } from '../../identity/identity.api';
import type { Project } from '../projects/project.entity';
import type { BranchRules } from '../protected-branches/branch-rules';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { ProtectedBranches } from '../protected-branches/protected-branches.service';
import { Repositories } from '../storages/repositories';
import type { BranchDetails } from './branch';
import type { BranchPath, CreateBranch, ListBranches, ProtectBranch } from './branch.params';
import { mergedBranches } from './merged-branches.job';
import { refMatcher } from './ref-search';

type BranchParams = ParamsOf<typeof BranchPath>;

/** Branches of a repository, and the rules of single ones. */
@Injectable()
export class BranchesService {
  constructor(
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly rights: PushRights,
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly rules: ProtectedBranches,
    private readonly jobs: Jobs,
  ) {}

  /** By name. */
  async list(
    actor: Actor,
    project: Project,
    { search }: ParamsOf<typeof ListBranches>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<BranchDetails>> {
    const repository = this.repositories.open(project, signal);
    const isWanted = refMatcher(search);
    const branches = await repository.branches();
    const shown = pageOf(
      branches.filter(({ name }) => isWanted(name)),
      page,
    );
    const tip = branches.find(({ name }) => name === project.defaultBranch)?.sha ?? null;
    const merged =
      tip === null || shown.rows.length === 0 ? new Set<string>() : await repository.branchesMergedInto(tip);
    const isMerged = ({ name, sha }: Branch): boolean => sha !== tip && merged.has(name);
    return { ...shown, rows: await this.describe(actor, project, repository, shown.rows, isMerged) };
  }

  async find(actor: Actor, project: Project, { branch: name }: BranchParams): Promise<BranchDetails> {
    const repository = this.repositories.open(project);
    const branch = { name, sha: await requireTip(repository, name) };
    const tip =
      project.defaultBranch === null ? null : await repository.ref(branchRef(project.defaultBranch));
    const isMerged = tip !== null && tip !== branch.sha && (await repository.isAncestor(branch.sha, tip));
    const [details] = await this.describe(actor, project, repository, [branch], () => isMerged);
    if (!details) throw new Error('one branch gives one description');
    return details;
  }

  async create(
    actor: Actor,
    project: Project,
    { branch, ref }: ParamsOf<typeof CreateBranch>,
  ): Promise<BranchDetails> {
    const user = signedIn(actor);
    if (!isBranchName(branch)) throw badRequest('Branch name is invalid');
    const requirePushing = pushCheck(actor);
    const requirePush: PushCheck = async (current, rules) => {
      await requirePushing(current);
      if (await this.rights.mayPush(actor, current, branch, rules)) return;
      throw badRequest('You are not allowed to push code to protected branches on this project.');
    };
    await requirePush(project);
    const repository = this.repositories.open(project);
    await this.moves.lockedAnew(project, requirePush, async (current, rule) => {
      if ((await repository.ref(branchRef(branch))) !== null) throw badRequest('Branch already exists');
      const sha = await repository.resolve(ref);
      if (sha === null) throw badRequest('Invalid reference name');
      const updates = [{ ref: branchRef(branch), oldSha: ZERO_SHA, newSha: sha }];
      await this.moves
        .push({ project: current, user, updates, rule })
        .catch((error: unknown) => refusedCommit(error));
    });
    return this.find(actor, project, { branch });
  }

  async remove(
    actor: Actor,
    project: Project,
    { branch }: BranchParams,
    unmodifiedSince: Date | null,
  ): Promise<void> {
    const user = signedIn(actor);
    const repository = this.repositories.open(project);
    await this.moves.lockedAnew(project, pushCheck(actor), async (current, rule) => {
      const tip = await requireTip(repository, branch);
      if (unmodifiedSince !== null) requireUnmodified(await authoredAt(repository, tip), unmodifiedSince);
      await this.requireRemovable(actor, current, branch);
      const updates = [{ ref: branchRef(branch), oldSha: tip, newSha: ZERO_SHA }];
      await this.moves
        .push({ project: current, user, updates, rule })
        .catch((error: unknown) => refusedCommit(error));
    });
  }

  /** Removes, after the answer, the branches that are merged into the default branch and not protected. */
  async removeMerged(actor: Actor, project: Project): Promise<Accepted> {
    await this.jobs.enqueue(
      mergedBranches,
      { projectId: project.id, actorId: signedIn(actor).id },
      { key: String(project.id) },
    );
    return ACCEPTED;
  }

  async protect(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof ProtectBranch>,
  ): Promise<BranchDetails> {
    const { branch, developers_can_push: push, developers_can_merge: merge } = params;
    await requireTip(this.repositories.open(project), branch);
    if (push !== undefined || merge !== undefined) await this.rules.requireChangeable(actor, project, branch);
    await this.protectedBranches.protect(project.id, branch, {
      ...(push !== undefined && { push }),
      ...(merge !== undefined && { merge }),
    });
    return this.find(actor, project, params);
  }

  async unprotect(actor: Actor, project: Project, params: BranchParams): Promise<BranchDetails> {
    await requireTip(this.repositories.open(project), params.branch);
    await this.rules.requireChangeable(actor, project, params.branch);
    await this.protectedBranches.unprotect(project.id, params.branch);
    return this.find(actor, project, params);
  }

  private async requireRemovable(actor: Actor, project: Project, branch: string): Promise<void> {
    if (branch === project.defaultBranch)
      throw badRequest('The default branch of a project cannot be deleted.');
    const rights = await this.rights.branches(actor, project);
    if (rights.isProtected(branch) && !atLeast('maintainer')(actor, project)) {
      throw badRequest(
        'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
      );
    }
  }

  private async describe(
    actor: Actor,
    project: Project,
    repository: GitRepository,
    branches: readonly Branch[],
    isMerged: (branch: Branch) => boolean,
  ): Promise<BranchDetails[]> {
    const commits = await repository.commits([...new Set(branches.map(({ sha }) => sha))]);
    const commitOf = new Map(commits.map((commit) => [commit.sha, commit]));
    const rules = await this.protectedBranches.rulesFor(project.id, actor);
    const rights = await this.rights.branches(actor, project);
    return branches.flatMap((branch) => {
      const commit = commitOf.get(branch.sha);
      if (!commit) return [];
      return [
        {
          name: branch.name,
          commit,
          isMerged: isMerged(branch),
          ...ruled(rules, rights, branch.name),
          isDefault: branch.name === project.defaultBranch,
        },
      ];
    });
  }
}

const ruled = (rules: BranchRules, rights: BranchRights, name: string) => ({
  isProtected: rules.isProtected(name),
  developersCanPush: rules.allowsDevelopers('push', name),
  developersCanMerge: rules.allowsDevelopers('merge', name),
  canPush: rights.mayPush(name),
});

/** Where the branch stands. Throws "404 Branch Not Found". */
async function requireTip(repository: GitRepository, branch: string): Promise<Sha> {
  const tip = isBranchName(branch) ? await repository.ref(branchRef(branch)) : null;
  if (tip === null) throw notFound('Branch');
  return tip;
}

async function authoredAt(repository: GitRepository, tip: Sha): Promise<Date> {
  const commit = await repository.commit(tip);
  return new Date((commit?.author.time ?? 0) * 1000);
}
