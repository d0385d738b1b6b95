import { PROJECT_POLICY, type Actor } from '#libs/access';
import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { AssigneesRepository } from './assignees.repository';
import type { MergeRequest } from './merge-request.entity';

/** Who may do what with a merge request that they see. */
@Injectable()
export class MergeRequestRights {
  constructor(private readonly assignees: AssigneesRepository) {}

  /** Developers, and whoever wrote it or has it to do. */
  async mayUpdate(actor: Actor, project: Project, { id, authorId }: MergeRequest): Promise<boolean> {
    if (PROJECT_POLICY.admin_merge_requests(actor, project)) return true;
    if (!actor.user || !PROJECT_POLICY.take_part_in_merge_requests(actor, project)) return false;
    return authorId === actor.user.id || this.assignees.isAssignee(id, actor.user.id);
  }

  /** Throws 403. */
  async requireUpdate(actor: Actor, project: Project, mergeRequest: MergeRequest): Promise<void> {
    if (!(await this.mayUpdate(actor, project, mergeRequest))) throw forbidden();
  }
}
