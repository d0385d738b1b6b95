import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ChangePushRule, PushRulePath } from './push-rule.params';
import { presentPushRule } from './push-rule.presenter';
import { PushRuleSettings } from './push-rule-settings.service';

/** The reference asks who calls, and whether they may, before it looks at anything else. */
const MAINTAINER = {
  access: 'project:maintainer',
  accessFirst: 'project:maintainer',
  loginFirst: true,
  feature: 'push_rules',
} as const;

@Controller()
export class PushRulesController {
  constructor(private readonly settings: PushRuleSettings) {}

  @Endpoint('GET /projects/:id/push_rule', {
    ...MAINTAINER,
    params: PushRulePath,
    presents: presentPushRule,
  })
  show({ subject: project }: ProjectCall<typeof PushRulePath>) {
    return this.settings.find(project);
  }

  @Endpoint('POST /projects/:id/push_rule', {
    ...MAINTAINER,
    params: ChangePushRule,
    presents: presentPushRule,
  })
  create({ subject: project, params }: ProjectCall<typeof ChangePushRule>) {
    return this.settings.create(project, params);
  }

  @Endpoint('PUT /projects/:id/push_rule', {
    ...MAINTAINER,
    params: ChangePushRule,
    presents: presentPushRule,
  })
  update({ subject: project, params }: ProjectCall<typeof ChangePushRule>) {
    return this.settings.update(project, params);
  }

  @Endpoint('DELETE /projects/:id/push_rule', { ...MAINTAINER, params: PushRulePath })
  remove({ subject: project, unmodifiedSince }: ProjectCall<typeof PushRulePath>) {
    return this.settings.remove(project, unmodifiedSince);
  }
}
