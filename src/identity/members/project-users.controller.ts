import { Endpoint, params, wire, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentUserOfMembership } from './member.presenter';
import { projectMembers } from './member-source';
import { Members } from './members.service';

const ListProjectUsers = params({
  search: wire.text().optional().describe('Part of the name or username'),
});

/** Everybody with access to a project, as users. */
@Controller()
export class ProjectUsersController {
  constructor(private readonly members: Members) {}

  /** For signed-in callers only, as the list of members is. */
  @Endpoint('GET /projects/:id/users', {
    access: 'project:reader',
    loginFirst: true,
    params: ListProjectUsers,
    paginated: true,
    presents: presentUserOfMembership,
  })
  list({ subject: project, params: { search }, page }: ProjectCall<typeof ListProjectUsers>) {
    return this.members.list(projectMembers(project), { withInherited: true, query: search }, page);
  }
}
