import { Endpoint, type CallOf, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../accepted/accepted.presenter';
import { GroupDeletion } from './group-deletion.service';
import { GroupLists } from './group-lists.service';
import { CreateGroup, DeleteGroup, ListGroups, ReadGroup, UpdateGroup } from './group.params';
import { presentGroup, presentGroupDetails } from './group.presenter';
import { Groups } from './groups.service';

/** Specification, Groups. What is about a group's projects is in the context that owns projects. */
@Controller()
export class GroupsController {
  constructor(
    private readonly groups: Groups,
    private readonly lists: GroupLists,
    private readonly deletion: GroupDeletion,
  ) {}

  @Endpoint('GET /groups', { access: 'anyone', params: ListGroups, paginated: true, presents: presentGroup })
  list({ actor, params, page }: CallOf<typeof ListGroups>) {
    return this.lists.list(actor, params, page);
  }

  @Endpoint('GET /groups/:id/subgroups', {
    access: 'group:reader',
    params: ListGroups,
    paginated: true,
    presents: presentGroup,
  })
  listInside({ actor, subject: group, params, page }: GroupCall<typeof ListGroups>) {
    return this.lists.inside(actor, group, params, page);
  }

  @Endpoint('GET /groups/:id', { access: 'group:reader', params: ReadGroup, presents: presentGroupDetails })
  show({ actor, subject: group, params }: GroupCall<typeof ReadGroup>) {
    return this.groups.show(actor, group, params);
  }

  @Endpoint('POST /groups', { access: 'user', params: CreateGroup, presents: presentGroupDetails })
  create({ actor, params }: CallOf<typeof CreateGroup>) {
    return this.groups.create(actor, params);
  }

  @Endpoint('PUT /groups/:id', { access: 'group:owner', params: UpdateGroup, presents: presentGroupDetails })
  update({ actor, subject: group, params }: GroupCall<typeof UpdateGroup>) {
    return this.groups.update(actor, group, params);
  }

  @Endpoint('DELETE /groups/:id', {
    access: 'group:owner',
    params: DeleteGroup,
    status: 202,
    presents: presentAccepted,
  })
  delete({ subject: group, unmodifiedSince }: GroupCall<typeof DeleteGroup>) {
    return this.deletion.delete(group, unmodifiedSince);
  }
}
