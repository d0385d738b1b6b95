import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ApplicationPath, CreateApplication, ListApplications } from './oauth-application.params';
import { presentApplication, presentRegisteredApplication } from './oauth-application.presenter';
import { OAuthApplications } from './oauth-applications.service';

/** The reference asks for an administrator before it looks at anything else. */
const ADMIN = { access: 'admin', accessFirst: 'admin' } as const;

/** Applications of the whole service. People register their own on a page. */
@Controller()
export class OAuthApplicationsController {
  constructor(private readonly applications: OAuthApplications) {}

  @Endpoint('GET /applications', {
    ...ADMIN,
    params: ListApplications,
    paginated: true,
    presents: presentApplication,
  })
  list({ page }: CallOf<typeof ListApplications>) {
    return this.applications.list(page);
  }

  @Endpoint('POST /applications', {
    ...ADMIN,
    params: CreateApplication,
    presents: presentRegisteredApplication,
  })
  create({ params }: CallOf<typeof CreateApplication>) {
    return this.applications.registerForAll(params);
  }

  @Endpoint('DELETE /applications/:id', { ...ADMIN, params: ApplicationPath })
  remove({ params }: CallOf<typeof ApplicationPath>) {
    return this.applications.remove(params.id);
  }
}
