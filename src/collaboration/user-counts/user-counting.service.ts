import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { AssigneesRepository } from '../merge-requests/assignees.repository';
import type { UserCounts } from './user-counts';

@Injectable()
export class UserCounting {
  constructor(private readonly assignees: AssigneesRepository) {}

  async own(actor: Actor): Promise<UserCounts> {
    return { mergeRequests: await this.assignees.countOpen(signedIn(actor)) };
  }
}
