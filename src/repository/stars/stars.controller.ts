import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentProject } from '../projects/project.presenter';
import { ChangeStar, ListStarrers } from './star.params';
import { presentStarrer } from './starrer.presenter';
import { Stars } from './stars.service';

const CHANGE = { access: 'project:reader', params: ChangeStar, presents: presentProject } as const;

/** Stars, as the reference has them. */
@Controller()
export class StarsController {
  constructor(private readonly stars: Stars) {}

  @Endpoint('POST /projects/:id/star', CHANGE)
  star({ actor, subject: project }: ProjectCall<typeof ChangeStar>) {
    return this.stars.star(actor, project);
  }

  @Endpoint('POST /projects/:id/unstar', CHANGE)
  unstar({ actor, subject: project }: ProjectCall<typeof ChangeStar>) {
    return this.stars.unstar(actor, project);
  }

  @Endpoint('GET /projects/:id/starrers', {
    access: 'project:reader',
    params: ListStarrers,
    paginated: true,
    presents: presentStarrer,
  })
  starrers({ actor, subject: project, params, page }: ProjectCall<typeof ListStarrers>) {
    return this.stars.starrers(actor, project, params.search, page);
  }
}
