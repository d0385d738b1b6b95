import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { UserActivity } from './user-activity';
import { UserActivitiesRepository } from './user-activities.repository';

/** Who has used the service, and when last. The days are noted with the requests, see CallerRepository. */
@Injectable()
export class UserActivities {
  constructor(private readonly activities: UserActivitiesRepository) {}

  /** `from` is YYYY-MM-DD; null: half a year ago. */
  list(from: string | null, page: PageRequest): Promise<Page<UserActivity>> {
    return this.activities.page(from, page);
  }
}
