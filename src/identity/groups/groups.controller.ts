import { Endpoint, type CallOf, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateGroup, ListGroups, ReadGroup } from './group.params';
import { presentGroup, presentGroupDetails } from './group.presenter';
import { Groups } from './groups.service';

/** Specification, Groups. */
@Controller()
export class GroupsController {
  constructor(private readonly groups: Groups) {}

  @Endpoint('GET /groups', { access: 'anyone', params: ListGroups, paginated: true, presents: presentGroup })
  list({ actor, params, page }: CallOf<typeof ListGroups>) {
    return this.groups.list(actor, params, page);
  }

  @Endpoint('GET /groups/:id', { access: 'group:reader', params: ReadGroup, presents: presentGroupDetails })
  show({ actor, subject: group, params }: GroupCall<typeof ReadGroup>) {
    return this.groups.show(actor, group, params);
  }

  @Endpoint('POST /groups', { access: 'user', params: CreateGroup, presents: presentGroupDetails })
  create({ actor, params }: CallOf<typeof CreateGroup>) {
    return this.groups.create(actor, params);
  }
}
