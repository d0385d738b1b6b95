import { signedIn, type Actor } from '#libs/access';
import { Database, InternalIds, uniqueViolation } from '#libs/database';
import { requireValid } from '../../planning/planning.api';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { LendingRights } from '../merge-request-forks/lending-rights.service';
import { MergeRequestOpening } from './merge-request-opening.service';
import type { MergeRequest } from './merge-request.entity';
import type { CreateMergeRequest } from './merge-request.params';
import { MergeRequestsRepository } from './merge-requests.repository';
import { Proposals, type Proposal } from './proposals.service';
import { newMergeRequest } from './new-merge-request';

type Params = ParamsOf<typeof CreateMergeRequest>;

/** A merge request and where it is. */
export interface OpenedMergeRequest {
  readonly mergeRequest: MergeRequest;
  readonly project: Project;
  /** The caller, with their level in the target. */
  readonly actor: Actor;
}

/** Proposes changes. */
@Injectable()
export class MergeRequestCreation {
  constructor(
    private readonly database: Database,
    private readonly proposals: Proposals,
    private readonly internalIds: InternalIds,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly opening: MergeRequestOpening,
    private readonly lending: LendingRights,
  ) {}

  /** From a branch of the project. Throws as Proposals.examine does, and `validation` for title and description. */
  async create(actor: Actor, source: Project, params: Params): Promise<OpenedMergeRequest> {
    signedIn(actor);
    requireValid({ title: params.title, description: params.description });
    const branches = { sourceBranch: params.source_branch, targetBranch: params.target_branch };
    const proposal = await this.proposals.examine(actor, source, {
      ...branches,
      targetProjectId: params.target_project_id ?? null,
    });
    try {
      const mergeRequest = await this.database.transaction(() => this.insert(proposal, params));
      return { mergeRequest, project: proposal.target, actor: proposal.actor };
    } catch (error) {
      // Somebody else was faster.
      if (uniqueViolation(error) !== null)
        await this.proposals.refuseSecond(source, proposal.target, branches);
      throw error;
    }
  }

  private async insert(proposal: Proposal, params: Params): Promise<MergeRequest> {
    const { target, actor } = proposal;
    await this.opening.keepPlace(proposal, params);
    const sequence = { scopeKind: 'project', scopeId: target.id, usage: 'merge_requests' } as const;
    const iid = await this.internalIds.next(sequence);
    const allowCollaboration = await this.lends(proposal, params);
    const made = { iid, authorId: signedIn(actor).id, allowCollaboration };
    const values = newMergeRequest(proposal, params, made);
    const mergeRequest = await this.mergeRequests.save(this.mergeRequests.create(values));
    await this.opening.open(proposal, mergeRequest, params);
    return mergeRequest;
  }

  private async lends({ target, actor, source }: Proposal, params: Params): Promise<boolean> {
    const isWanted = params.allow_collaboration ?? params.allow_maintainer_to_push ?? false;
    const sources = { sourceProjectId: source.id, sourceBranch: params.source_branch };
    return isWanted && this.lending.mayLend(actor, target, sources);
  }
}
