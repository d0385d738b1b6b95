import { exchangeOf } from '#libs/http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Project } from '../projects/project.entity';
import { PushRights } from './push-rights';

/**
 * After an endpoint's own checks, for those that write to the branch in their parameter `branch`: whoever may not push to
 * the project at all has to have been lent that branch. 401 or 403 otherwise, before anything else is looked at.
 */
@Injectable()
export class BranchEntryGuard implements CanActivate {
  constructor(private readonly rights: PushRights) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { actor, subject, params } = exchangeOf(context).call;
    if (!(subject instanceof Project)) throw new Error('the endpoint has no project');
    await this.rights.requireLent(actor, subject, branchIn(params));
    return true;
  }
}

function branchIn(params: unknown): string {
  const isNamed = typeof params === 'object' && params !== null && 'branch' in params;
  if (!isNamed || typeof params.branch !== 'string')
    throw new Error('the endpoint has no parameter "branch"');
  return params.branch;
}
