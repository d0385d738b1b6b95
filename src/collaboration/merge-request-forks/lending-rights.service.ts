import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, PushRights, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

type Sources = Pick<MergeRequest, 'sourceProjectId' | 'sourceBranch'>;

/** Who may let those that merge a merge request push to its source branch. */
@Injectable()
export class LendingRights {
  constructor(
    private readonly accessible: AccessibleProjects,
    private readonly pushRights: PushRights,
  ) {}

  /** Whoever pushes to a fork of their own right lends its branches, or takes them back. */
  async mayChange(actor: Actor, target: Pick<Project, 'id'>, sources: Sources): Promise<boolean> {
    return (await this.lender(actor, target, sources)) !== null;
  }

  /** Nothing private, and no protected branch, is lent. */
  async mayLend(actor: Actor, target: Project, sources: Sources): Promise<boolean> {
    const found = await this.lender(actor, target, sources);
    if (!found || [target, found.project].some(({ visibility }) => visibility === 'private')) return false;
    const rights = await this.pushRights.branches(found.actor, found.project);
    return !rights.isProtected(sources.sourceBranch);
  }

  private async lender(actor: Actor, target: Pick<Project, 'id'>, { sourceProjectId }: Sources) {
    if (sourceProjectId === null || sourceProjectId === target.id) return null;
    const found = await this.accessible.find(actor, sourceProjectId);
    return found && PROJECT_POLICY.push_code(found.actor, found.project) ? found : null;
  }
}
