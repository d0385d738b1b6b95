import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateUser, DeleteUser, ListUsers, NoParams, ReadUser, UpdateUser } from './user.params';
import { presentCurrentUser, presentListedUser, presentUser } from './user.presenter';
import { UserDeletion } from './user-deletion.service';
import { Users } from './users.service';

const READ = { access: 'anyone', scopes: ['read_user'] } as const;

/** Specification, Users. */
@Controller()
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly deletion: UserDeletion,
  ) {}

  @Endpoint('GET /users', { ...READ, params: ListUsers, paginated: true, presents: presentListedUser })
  list({ actor, params, page }: CallOf<typeof ListUsers>) {
    return this.users.list(actor, params, page);
  }

  @Endpoint('GET /users/:id', { ...READ, params: ReadUser, presents: presentUser })
  show({ actor, params }: CallOf<typeof ReadUser>) {
    return this.users.show(actor, params);
  }

  @Endpoint('POST /users', { access: 'admin', params: CreateUser, presents: presentCurrentUser })
  create({ actor, params }: CallOf<typeof CreateUser>) {
    return this.users.create(actor, params);
  }

  @Endpoint('PUT /users/:id', { access: 'admin', params: UpdateUser, presents: presentCurrentUser })
  update({ actor, params }: CallOf<typeof UpdateUser>) {
    return this.users.update(actor, params);
  }

  @Endpoint('DELETE /users/:id', { access: 'admin', params: DeleteUser })
  delete({ actor, params, unmodifiedSince }: CallOf<typeof DeleteUser>) {
    return this.deletion.delete(actor, params.id, { isHard: params.hard_delete, unmodifiedSince });
  }

  @Endpoint('GET /user', { ...READ, access: 'user', params: NoParams, presents: presentCurrentUser })
  current({ actor }: CallOf<typeof NoParams>) {
    return this.users.current(actor);
  }
}
