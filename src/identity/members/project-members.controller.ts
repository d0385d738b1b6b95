import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AddMember, ChangeMember, ListMembers, MemberPath } from './member.params';
import { presentMember } from './member.presenter';
import { projectMembers } from './member-source';
import { directSearch, effectiveSearch } from './member-search';
import { Members } from './members.service';

/** Members are shown to signed-in callers only, also where the project is public. */
const READ = { access: 'project:reader', loginFirst: true, presents: presentMember } as const;
const MANAGE = { access: 'project:maintainer', presents: presentMember } as const;

@Controller()
export class ProjectMembersController {
  constructor(private readonly members: Members) {}

  @Endpoint('GET /projects/:id/members', { ...READ, params: ListMembers, paginated: true })
  list({ subject: project, params, page }: ProjectCall<typeof ListMembers>) {
    return this.members.list(projectMembers(project), directSearch(params), page);
  }

  @Endpoint('GET /projects/:id/members/all', { ...READ, params: ListMembers, paginated: true })
  listAll({ subject: project, params, page }: ProjectCall<typeof ListMembers>) {
    return this.members.list(projectMembers(project), effectiveSearch(params), page);
  }

  @Endpoint('GET /projects/:id/members/all/:user_id', { ...READ, params: MemberPath })
  showOfAll({ subject: project, params }: ProjectCall<typeof MemberPath>) {
    return this.members.show(projectMembers(project), params.user_id, true);
  }

  @Endpoint('GET /projects/:id/members/:user_id', { ...READ, params: MemberPath })
  show({ subject: project, params }: ProjectCall<typeof MemberPath>) {
    return this.members.show(projectMembers(project), params.user_id, false);
  }

  @Endpoint('POST /projects/:id/members', { ...MANAGE, params: AddMember })
  add({ actor, subject: project, params }: ProjectCall<typeof AddMember>) {
    return this.members.add(actor, projectMembers(project), params);
  }

  @Endpoint('PUT /projects/:id/members/:user_id', { ...MANAGE, params: ChangeMember })
  change({ actor, subject: project, params }: ProjectCall<typeof ChangeMember>) {
    return this.members.change(actor, projectMembers(project), params);
  }

  /** Members may remove themselves, so the right to remove others is asked for by the service. */
  @Endpoint('DELETE /projects/:id/members/:user_id', { access: 'project:reader', params: MemberPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof MemberPath>) {
    return this.members.remove(actor, projectMembers(project), params.user_id, unmodifiedSince);
  }
}
