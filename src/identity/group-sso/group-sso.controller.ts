import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ChangeSamlProvider, ReadSamlProvider } from './group-sso.params';
import { presentSamlProvider } from './group-sso.presenter';
import { GroupSso } from './group-sso.service';

const MANAGE = { access: 'group:owner', feature: 'group_scim', presents: presentSamlProvider } as const;

/** Single sign-on of a group, for its owners. */
@Controller()
export class GroupSsoController {
  constructor(private readonly sso: GroupSso) {}

  @Endpoint('GET /groups/:id/saml_provider', { ...MANAGE, params: ReadSamlProvider })
  show({ subject: group }: GroupCall<typeof ReadSamlProvider>) {
    return this.sso.show(group.id);
  }

  @Endpoint('PUT /groups/:id/saml_provider', { ...MANAGE, params: ChangeSamlProvider })
  change({ actor, subject: group, params, address }: GroupCall<typeof ChangeSamlProvider>) {
    return this.sso.change(actor, group.id, params, address);
  }
}
