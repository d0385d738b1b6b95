import { Endpoint, params, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { UserCounting } from './user-counting.service';
import { presentUserCounts } from './user-counts.presenter';

const NoParams = params({});

@Controller()
export class UserCountsController {
  constructor(private readonly counting: UserCounting) {}

  @Endpoint('GET /user_counts', { access: 'user', params: NoParams, presents: presentUserCounts })
  own({ actor }: CallOf<typeof NoParams>) {
    return this.counting.own(actor);
  }
}
