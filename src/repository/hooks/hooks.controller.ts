import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentDelivery } from './hook-delivery.presenter';
import { CreateHook, HookPath, InProject, TestHook, UpdateHook } from './hook.params';
import { presentHook } from './hook.presenter';
import { HookTests } from './hook-tests.service';
import { HooksService } from './hooks.service';
import { presentTestStart } from './test-start.presenter';

/** The reference asks who calls, and whether they may, before it looks at anything else. */
const MAINTAINER = {
  access: 'project:maintainer',
  accessFirst: 'project:maintainer',
  loginFirst: true,
} as const;

@Controller()
export class HooksController {
  constructor(
    private readonly hooks: HooksService,
    private readonly tests: HookTests,
  ) {}

  @Endpoint('GET /projects/:id/hooks', {
    ...MAINTAINER,
    params: InProject,
    paginated: true,
    presents: presentHook,
  })
  list({ subject: project, page }: ProjectCall<typeof InProject>) {
    return this.hooks.list(project, page);
  }

  @Endpoint('GET /projects/:id/hooks/:hook_id', { ...MAINTAINER, params: HookPath, presents: presentHook })
  show({ subject: project, params }: ProjectCall<typeof HookPath>) {
    return this.hooks.find(project, params.hook_id);
  }

  @Endpoint('POST /projects/:id/hooks', { ...MAINTAINER, params: CreateHook, presents: presentHook })
  create({ subject: project, params }: ProjectCall<typeof CreateHook>) {
    return this.hooks.create(project, params);
  }

  @Endpoint('PUT /projects/:id/hooks/:hook_id', { ...MAINTAINER, params: UpdateHook, presents: presentHook })
  update({ subject: project, params }: ProjectCall<typeof UpdateHook>) {
    return this.hooks.update(project, params);
  }

  @Endpoint('DELETE /projects/:id/hooks/:hook_id', { ...MAINTAINER, params: HookPath })
  remove({ subject: project, params, unmodifiedSince }: ProjectCall<typeof HookPath>) {
    return this.hooks.remove(project, params.hook_id, unmodifiedSince);
  }

  @Endpoint('GET /projects/:id/hooks/:hook_id/events', {
    ...MAINTAINER,
    params: HookPath,
    paginated: true,
    presents: presentDelivery,
  })
  events({ subject: project, params, page }: ProjectCall<typeof HookPath>) {
    return this.tests.deliveriesOf(project, params.hook_id, page);
  }

  @Endpoint('POST /projects/:id/hooks/:hook_id/test/:trigger', {
    ...MAINTAINER,
    params: TestHook,
    presents: presentTestStart,
  })
  test({ actor, subject: project, params }: ProjectCall<typeof TestHook>) {
    return this.tests.start(actor, project, params);
  }
}
