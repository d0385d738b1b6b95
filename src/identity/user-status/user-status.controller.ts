import { signedIn } from '#libs/access';
import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { OwnStatus, SetStatus, StatusOf } from './user-status.params';
import { presentUserStatus } from './user-status.presenter';
import { UserStatuses } from './user-statuses.service';

const READ = { scopes: ['read_user'], presents: presentUserStatus } as const;

/** Specification, User status. */
@Controller()
export class UserStatusController {
  constructor(private readonly statuses: UserStatuses) {}

  @Endpoint('GET /user/status', { ...READ, access: 'user', params: OwnStatus })
  own({ actor }: CallOf<typeof OwnStatus>) {
    return this.statuses.of(signedIn(actor));
  }

  @Endpoint('GET /users/:id_or_username/status', { ...READ, access: 'anyone', params: StatusOf })
  show({ params }: CallOf<typeof StatusOf>) {
    return this.statuses.ofNamed(params.id_or_username);
  }

  @Endpoint('PUT /user/status', { access: 'user', params: SetStatus, presents: presentUserStatus })
  set({ actor, params }: CallOf<typeof SetStatus>) {
    return this.statuses.set(signedIn(actor), params);
  }
}
