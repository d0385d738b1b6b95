import { Endpoint, type ScimCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ScimChanges } from './scim-changes.service';
import { ScimProvisioning } from './scim-provisioning.service';
import { locationOf, presentScimUser, presentScimUsers } from './scim-user.presenter';
import { CreateScimUser, ListScimUsers, PatchScimUser, ScimUserPath } from './scim-users.params';
import { ScimUsers } from './scim-users.service';

/** Specification, SCIM: users of a group, for its identity provider. */
@Controller()
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsers,
    private readonly provisioning: ScimProvisioning,
    private readonly changes: ScimChanges,
  ) {}

  @Endpoint('GET /api/scim/v2/groups/:group_path/Users', {
    access: 'scim',
    params: ListScimUsers,
    presents: presentScimUsers,
  })
  list({ subject: group, params }: ScimCall<typeof ListScimUsers>) {
    return this.users.list(group, params);
  }

  @Endpoint('GET /api/scim/v2/groups/:group_path/Users/:id', {
    access: 'scim',
    params: ScimUserPath,
    presents: presentScimUser,
  })
  show({ subject: group, params }: ScimCall<typeof ScimUserPath>) {
    return this.users.show(group, params.id);
  }

  @Endpoint('POST /api/scim/v2/groups/:group_path/Users/', {
    access: 'scim',
    params: CreateScimUser,
    presents: presentScimUser,
    headers: (user, urls) => ({ Location: locationOf(urls, user) }),
  })
  create({ subject: group, params, address }: ScimCall<typeof CreateScimUser>) {
    return this.provisioning.provision(group, params, address);
  }

  @Endpoint('PATCH /api/scim/v2/groups/:group_path/Users/:id', {
    access: 'scim',
    params: PatchScimUser,
    status: 204,
  })
  change({ subject: group, params, address }: ScimCall<typeof PatchScimUser>) {
    return this.changes.patch(group, params.id, params.Operations, address);
  }

  @Endpoint('DELETE /api/scim/v2/groups/:group_path/Users/:id', { access: 'scim', params: ScimUserPath })
  delete({ subject: group, params, address }: ScimCall<typeof ScimUserPath>) {
    return this.changes.remove(group, params.id, address);
  }
}
