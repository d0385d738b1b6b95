import { Endpoint, type CallOf, type GroupCall, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListMergeRequests } from './merge-request-list.params';
import { MergeRequestLists } from './merge-request-lists.service';
import { presentListedMergeRequest } from './merge-request.presenter';

const LIST = { params: ListMergeRequests, presents: presentListedMergeRequest, paginated: true } as const;

/** Merge requests as people look for them. */
@Controller()
export class MergeRequestListsController {
  constructor(private readonly lists: MergeRequestLists) {}

  @Endpoint('GET /merge_requests', { ...LIST, access: 'anyone' })
  everywhere({ actor, params, page }: CallOf<typeof ListMergeRequests>) {
    return this.lists.everywhere(actor, params, page);
  }

  @Endpoint('GET /groups/:id/merge_requests', { ...LIST, access: 'group:reader' })
  ofGroup({ actor, subject: group, params, page }: GroupCall<typeof ListMergeRequests>) {
    return this.lists.list(actor, { kind: 'group', id: group.id }, params, page);
  }

  @Endpoint('GET /projects/:id/merge_requests', { ...LIST, access: 'project:read_merge_requests' })
  ofProject({ actor, subject: project, params, page }: ProjectCall<typeof ListMergeRequests>) {
    return this.lists.list(actor, { kind: 'project', id: project.id }, params, page);
  }
}
