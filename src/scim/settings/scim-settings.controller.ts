import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ReadScim, SwitchScim } from './scim-settings.params';
import { presentScim, presentSwitchedScim } from './scim-settings.presenter';
import { ScimSettingsService } from './scim-settings.service';

const MANAGE = { access: 'group:owner', feature: 'group_scim' } as const;

/** SCIM of a group, for its owners. */
@Controller()
export class ScimSettingsController {
  constructor(private readonly settings: ScimSettingsService) {}

  @Endpoint('GET /groups/:id/scim', { ...MANAGE, params: ReadScim, presents: presentScim })
  show({ subject: group }: GroupCall<typeof ReadScim>) {
    return this.settings.show(group);
  }

  @Endpoint('PUT /groups/:id/scim', { ...MANAGE, params: SwitchScim, presents: presentSwitchedScim })
  switch({ actor, subject: group, params, address }: GroupCall<typeof SwitchScim>) {
    return this.settings.switch(actor, group, params.enabled, address);
  }
}
