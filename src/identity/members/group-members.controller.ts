import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AddMember, ChangeMember, ListMembers, MemberPath } from './member.params';
import { presentMember } from './member.presenter';
import { groupMembers } from './member-source';
import { directSearch, effectiveSearch } from './member-search';
import { Members } from './members.service';

/** Members are shown to signed-in callers only, also where the group is public. */
const READ = { access: 'group:reader', loginFirst: true, presents: presentMember } as const;
const MANAGE = { access: 'group:owner', presents: presentMember } as const;

@Controller()
export class GroupMembersController {
  constructor(private readonly members: Members) {}

  @Endpoint('GET /groups/:id/members', { ...READ, params: ListMembers, paginated: true })
  list({ subject: group, params, page }: GroupCall<typeof ListMembers>) {
    return this.members.list(groupMembers(group), directSearch(params), page);
  }

  @Endpoint('GET /groups/:id/members/all', { ...READ, params: ListMembers, paginated: true })
  listAll({ subject: group, params, page }: GroupCall<typeof ListMembers>) {
    return this.members.list(groupMembers(group), effectiveSearch(params), page);
  }

  @Endpoint('GET /groups/:id/members/all/:user_id', { ...READ, params: MemberPath })
  showOfAll({ subject: group, params }: GroupCall<typeof MemberPath>) {
    return this.members.show(groupMembers(group), params.user_id, true);
  }

  @Endpoint('GET /groups/:id/members/:user_id', { ...READ, params: MemberPath })
  show({ subject: group, params }: GroupCall<typeof MemberPath>) {
    return this.members.show(groupMembers(group), params.user_id, false);
  }

  @Endpoint('POST /groups/:id/members', { ...MANAGE, params: AddMember })
  add({ actor, subject: group, params }: GroupCall<typeof AddMember>) {
    return this.members.add(actor, groupMembers(group), params);
  }

  @Endpoint('PUT /groups/:id/members/:user_id', { ...MANAGE, params: ChangeMember })
  change({ actor, subject: group, params }: GroupCall<typeof ChangeMember>) {
    return this.members.change(actor, groupMembers(group), params);
  }

  /** Members may remove themselves, so the right to remove others is asked for by the service. */
  @Endpoint('DELETE /groups/:id/members/:user_id', { access: 'group:reader', params: MemberPath })
  remove({ actor, subject: group, params, unmodifiedSince }: GroupCall<typeof MemberPath>) {
    return this.members.remove(actor, groupMembers(group), params.user_id, unmodifiedSince);
  }
}
