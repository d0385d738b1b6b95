import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { PushRights, type Project } from '../../repository/repository.api';
import { MergeRights } from '../merge-requests/merging-ports';

/** Who pushes to a branch merges into it; the rule of a protected one may let more people merge. */
@Injectable()
export class BranchMergeRights extends MergeRights {
  constructor(private readonly pushRights: PushRights) {
    super();
  }

  async mayMerge(actor: Actor, project: Project, branch: string): Promise<boolean> {
    return (await this.pushRights.branches(actor, project)).mayMerge(branch);
  }
}
