import { PROJECT_POLICY, type Actor } from '#libs/access';
import { conflict, DomainError, forbidden } from '#libs/errors';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type Project } from '../../repository/repository.api';
import { ForkNetworksRepository } from '../merge-request-forks/fork-networks.repository';
import { MergeRequestsRepository } from './merge-requests.repository';
import { SourceVersions } from '../merge-request-versions/source-versions.service';
import type { ReadVersion } from '../merge-request-versions/version-reading.service';

/** Which branch is to go where. */
export interface WantedBranches {
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly targetProjectId: number | null;
}

/** Two branches that may be merged, and what one would bring the other. */
export interface Proposal {
  readonly target: Project;
  /** The caller, with their level in the target. */
  readonly actor: Actor;
  readonly source: Project;
  readonly version: ReadVersion;
}

export const cannotBe = (message: string): DomainError =>
  new DomainError({ kind: 'unprocessable', messages: [message] });

/** Looks whether a change can be proposed. */
@Injectable()
export class Proposals {
  constructor(
    private readonly accessible: AccessibleProjects,
    private readonly networks: ForkNetworksRepository,
    private readonly sources: SourceVersions,
    private readonly mergeRequests: MergeRequestsRepository,
  ) {}

  /**
   * From a branch of the project, whose level the actor has. Throws 403 for who may not push there or propose anything
   * to the target, 404 for a target that they do not see, `unprocessable` for branches that do not go together or are
   * not there, and 409 where another merge request is open between them.
   */
  async examine(actor: Actor, source: Project, wanted: WantedBranches): Promise<Proposal> {
    const { target, actor: there } = await this.targetOf(actor, source, wanted.targetProjectId);
    if (!PROJECT_POLICY.push_code(actor, source)) throw forbidden();
    if (!PROJECT_POLICY.propose_merge_requests(there, target)) throw forbidden();
    if (source.id === target.id && wanted.sourceBranch === wanted.targetBranch)
      throw cannotBe("You can't use same project/branch for source and target");
    if (source.id !== target.id && !(await this.networks.areRelated(source.id, target.id)))
      throw cannotBe('Source project is not a fork of the target project');
    const tips = await this.sources.tips(target, source, wanted);
    const headSha = requireTip(tips.source, 'Source', wanted.sourceBranch);
    const startSha = requireTip(tips.target, 'Target', wanted.targetBranch);
    await this.refuseSecond(source, target, wanted);
    const version = await this.sources.first(target, source, headSha, startSha);
    return { target, actor: there, source, version };
  }

  /** Throws 409 where a merge request is open between the branches. */
  async refuseSecond(
    source: Pick<Project, 'id'>,
    target: Pick<Project, 'id'>,
    { sourceBranch, targetBranch }: Omit<WantedBranches, 'targetProjectId'>,
  ): Promise<void> {
    const pair = { projectId: target.id, sourceProjectId: source.id, sourceBranch, targetBranch };
    const open = await this.mergeRequests.findOpenPair(pair);
    if (open)
      throw conflict([`Another open merge request already exists for this source branch: !${open.iid}`]);
  }

  private async targetOf(actor: Actor, source: Project, targetId: number | null) {
    if (targetId === null || targetId === source.id) return { target: source, actor };
    const { project, actor: there } = await this.accessible.require(actor, targetId);
    return { target: project, actor: there };
  }
}

export function requireTip(tip: Sha | null, which: 'Source' | 'Target', branch: string): Sha {
  if (tip === null) throw cannotBe(`${which} branch "${branch}" does not exist`);
  return tip;
}
