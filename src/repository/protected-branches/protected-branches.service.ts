import type { Actor } from '#libs/access';
import { conflict, DomainError, forbidden, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { newAccessOf, requireKnown } from './new-access';
import type { ProtectedBranchDetails } from './protected-branch';
import type { ProtectedBranch } from './protected-branch.entity';
import type { CreateProtectedBranch } from './protected-branch.params';
import { ProtectedBranchRecords } from './protected-branch-records.repository';
import { ProtectedBranchesRepository } from './protected-branches.repository';

/** Every commit looks at all of them. */
const MOST_RULES = 500;

/** The rules on the branches of a project as things of their own: listed, made and taken back. */
@Injectable()
export class ProtectedBranches {
  constructor(
    private readonly records: ProtectedBranchRecords,
    private readonly rules: ProtectedBranchesRepository,
    private readonly license: License,
  ) {}

  async list(project: Project, request: PageRequest): Promise<Page<ProtectedBranchDetails>> {
    const page = await this.records.page(project.id, request);
    const names = await this.records.namesIn(page.rows);
    return mapPage(page, (branch) => ({ branch, ...names }));
  }

  /** Throws "404 Not found". */
  async show(project: Project, name: string): Promise<ProtectedBranchDetails> {
    return this.described(await this.require(project, name));
  }

  /** Throws 422 for somebody named who is no member, 409 for a name that is protected already. */
  async create(
    project: Project,
    params: ParamsOf<typeof CreateProtectedBranch>,
  ): Promise<ProtectedBranchDetails> {
    const { name } = params;
    const access = newAccessOf(params, this.license);
    requireKnown(access, await this.records.known(project.id, access));
    const outcome = await this.records.insert(project.id, name, access, MOST_RULES);
    if (outcome === 'taken') throw conflict(`Protected branch '${name}' already exists`);
    if (outcome === 'full')
      throw new DomainError({
        kind: 'unprocessable',
        messages: [`A project can have ${MOST_RULES} protected branches at most`],
      });
    return this.show(project, name);
  }

  /** Throws "404 Not found", 403 for who may not unprotect it, 412. */
  async remove(actor: Actor, project: Project, name: string, unmodifiedSince: Date | null): Promise<void> {
    const branch = await this.require(project, name);
    await this.requireUnprotect(actor, branch);
    requireUnmodified(branch.updatedAt, unmodifiedSince);
    await this.rules.unprotect(project.id, name);
  }

  /** Throws 403 for who may not loosen the rule of exactly this name, if there is one. */
  async requireChangeable(actor: Actor, project: Project, name: string): Promise<void> {
    const branch = await this.records.find(project.id, name);
    if (branch) await this.requireUnprotect(actor, branch);
  }

  private async requireUnprotect(actor: Actor, branch: ProtectedBranch): Promise<void> {
    const rules = await this.rules.rulesFor(branch.projectId, actor, [branch]);
    if (!rules.mayUnprotect(actor, branch.name)) throw forbidden();
  }

  private async require(project: Project, name: string): Promise<ProtectedBranch> {
    const branch = await this.records.find(project.id, name);
    if (!branch) throw notFound();
    return branch;
  }

  private async described(branch: ProtectedBranch): Promise<ProtectedBranchDetails> {
    return { branch, ...(await this.records.namesIn([branch])) };
  }
}
