import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { StartHousekeeping } from './housekeeping.params';
import { Housekeeping } from './housekeeping.service';

/** Specification, Projects: housekeeping. */
@Controller()
export class HousekeepingController {
  constructor(private readonly housekeeping: Housekeeping) {}

  @Endpoint('POST /projects/:id/housekeeping', { access: 'project:maintainer', params: StartHousekeeping })
  start({ subject: project }: ProjectCall<typeof StartHousekeeping>) {
    return this.housekeeping.start(project);
  }
}
