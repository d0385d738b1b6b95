import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { MergeRequestLookup } from '../merge-requests/merge-request-lookup';
import type { UserCounts } from './user-counts';

@Injectable()
export class UserCounting {
  constructor(private readonly mergeRequests: MergeRequestLookup) {}

  async own(actor: Actor): Promise<UserCounts> {
    return { mergeRequests: await this.mergeRequests.openAssignedTo(signedIn(actor).id) };
  }
}
