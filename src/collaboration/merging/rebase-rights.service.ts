import type { Actor, ActorUser } from '#libs/access';
import { forbidden, type DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { ActingUsers, PushRights, type Project, type PushCheck } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { SourceVersions } from '../merge-request-versions/source-versions.service';

/** Somebody who may write a merge request's source branch anew, and where it is. */
export interface Rebaser {
  readonly source: Project;
  readonly user: ActorUser;
  /** To be asked again under the lock of the source's repository. */
  readonly check: PushCheck;
}

/** Who may move the source branches of merge requests. */
@Injectable()
export class RebaseRights {
  constructor(
    private readonly sources: SourceVersions,
    private readonly users: ActingUsers,
    private readonly rights: PushRights,
  ) {}

  /** Throws 403 with the reference's sentences where the branch is gone, or is not theirs to push to. */
  async require(userId: number, target: Project, mergeRequest: MergeRequest): Promise<Rebaser> {
    const source = await this.sources.projectOf(target, mergeRequest);
    const tips = await this.sources.tips(target, source, mergeRequest);
    if (!source || tips.source === null) throw forbidden('Source branch does not exist');
    const actor = await this.users.find(userId, source);
    if (!actor?.user) throw mayNotPush();
    const check = this.check(actor, mergeRequest.sourceBranch);
    await check(source);
    return { source, user: actor.user, check };
  }

  private check(actor: Actor, branch: string): PushCheck {
    return async (project, rules) => {
      if (!(await this.rights.mayPush(actor, project, branch, rules))) throw mayNotPush();
    };
  }
}

const mayNotPush = (): DomainError => forbidden('Cannot push to source branch');
