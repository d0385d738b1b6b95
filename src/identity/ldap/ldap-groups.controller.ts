import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../accepted/accepted.presenter';
import { GroupSyncRequests } from './group-sync-requests.service';
import {
  AddLdapGroupLink,
  LdapGroupLinkByCn,
  LdapGroupLinkOfProvider,
  SyncLdapGroup,
} from './ldap-group-link.params';
import { presentLdapGroupLink } from './ldap-group-link.presenter';
import { LdapGroupLinks } from './ldap-group-links.service';

const MANAGE = { access: 'group:owner' } as const;

/** Specification, Groups: groups that follow groups of a directory. */
@Controller()
export class LdapGroupsController {
  constructor(
    private readonly links: LdapGroupLinks,
    private readonly requests: GroupSyncRequests,
  ) {}

  @Endpoint('POST /groups/:id/ldap_sync', {
    ...MANAGE,
    params: SyncLdapGroup,
    status: 202,
    presents: presentAccepted,
  })
  sync({ subject: group }: GroupCall<typeof SyncLdapGroup>) {
    return this.requests.request(group.id);
  }

  @Endpoint('POST /groups/:id/ldap_group_links', {
    ...MANAGE,
    params: AddLdapGroupLink,
    presents: presentLdapGroupLink,
  })
  add({ subject: group, params }: GroupCall<typeof AddLdapGroupLink>) {
    return this.links.add(group.id, params);
  }

  @Endpoint('DELETE /groups/:id/ldap_group_links/:cn', { ...MANAGE, params: LdapGroupLinkByCn })
  remove({ subject: group, params }: GroupCall<typeof LdapGroupLinkByCn>) {
    return this.links.remove(group.id, null, params.cn);
  }

  @Endpoint('DELETE /groups/:id/ldap_group_links/:provider/:cn', {
    ...MANAGE,
    params: LdapGroupLinkOfProvider,
  })
  removeOfProvider({ subject: group, params }: GroupCall<typeof LdapGroupLinkOfProvider>) {
    return this.links.remove(group.id, params.provider, params.cn);
  }
}
