import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateUser, ListUsers, NoParams, ReadUser } from './user.params';
import { presentCurrentUser, presentListedUser, presentUser } from './user.presenter';
import { Users } from './users.service';

const READ = { access: 'anyone', scopes: ['read_user'] } as const;

/** Specification, Users. */
@Controller()
export class UsersController {
  constructor(private readonly users: Users) {}

  @Endpoint('GET /users', { ...READ, params: ListUsers, paginated: true, presents: presentListedUser })
  list({ actor, params, page }: CallOf<typeof ListUsers>) {
    return this.users.list(actor, params, page);
  }

  @Endpoint('GET /users/:id', { ...READ, params: ReadUser, presents: presentUser })
  show({ actor, params }: CallOf<typeof ReadUser>) {
    return this.users.show(actor, params.id);
  }

  @Endpoint('POST /users', { access: 'admin', params: CreateUser, presents: presentCurrentUser })
  create({ params }: CallOf<typeof CreateUser>) {
    return this.users.create(params);
  }

  @Endpoint('GET /user', { ...READ, access: 'user', params: NoParams, presents: presentCurrentUser })
  current({ actor }: CallOf<typeof NoParams>) {
    return this.users.current(actor);
  }
}
