import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListActivities } from './user.params';
import { presentUserActivity } from './user-activity.presenter';
import { UserActivities } from './user-activities.service';

@Controller()
export class UserActivitiesController {
  constructor(private readonly activities: UserActivities) {}

  @Endpoint('GET /user/activities', {
    access: 'admin',
    scopes: ['read_user'],
    params: ListActivities,
    paginated: true,
    presents: presentUserActivity,
  })
  list({ params, page }: CallOf<typeof ListActivities>) {
    return this.activities.list(params.from ?? null, page);
  }
}
