import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { Groups, presentGroupDetails } from '../../identity/identity.api';
import { ProjectTransfer } from './project-transfer.service';
import { ListGroupProjects, TransferIntoGroup } from './project.params';
import { presentProject } from './project.presenter';
import { ProjectsService } from './projects.service';

/** Specification, Groups: what is about the projects in them. */
@Controller()
export class GroupProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly transfers: ProjectTransfer,
    private readonly groups: Groups,
  ) {}

  @Endpoint('GET /groups/:id/projects', {
    access: 'group:reader',
    params: ListGroupProjects,
    paginated: true,
    presents: presentProject,
  })
  list({ actor, subject: group, params, page }: GroupCall<typeof ListGroupProjects>) {
    return this.projects.listInGroup(actor, group, params, page);
  }

  @Endpoint('POST /groups/:id/projects/:project_id', {
    accessFirst: 'admin',
    access: 'group:reader',
    params: TransferIntoGroup,
    presents: presentGroupDetails,
  })
  async transfer({ actor, subject: group, params }: GroupCall<typeof TransferIntoGroup>) {
    await this.transfers.transfer(actor, params.project_id, group);
    return this.groups.show(actor, group);
  }
}
