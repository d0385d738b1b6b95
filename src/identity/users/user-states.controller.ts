import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentDone } from './done.presenter';
import { UserPath } from './user.params';
import { UserStates } from './user-states.service';

const ADMIN = { access: 'admin', params: UserPath, presents: presentDone } as const;

/** As the reference has them; the specification names them without a table. */
@Controller()
export class UserStatesController {
  constructor(private readonly states: UserStates) {}

  @Endpoint('POST /users/:id/block', ADMIN)
  block({ actor, params }: CallOf<typeof UserPath>) {
    return this.states.block(actor, params.id);
  }

  @Endpoint('POST /users/:id/unblock', ADMIN)
  unblock({ actor, params }: CallOf<typeof UserPath>) {
    return this.states.unblock(actor, params.id);
  }

  @Endpoint('POST /users/:id/activate', ADMIN)
  activate({ actor, params }: CallOf<typeof UserPath>) {
    return this.states.activate(actor, params.id);
  }

  @Endpoint('POST /users/:id/deactivate', ADMIN)
  deactivate({ actor, params }: CallOf<typeof UserPath>) {
    return this.states.deactivate(actor, params.id);
  }
}
