import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ofProject } from './badge';
import { BadgePath, CreateBadge, ListBadges, RenderBadge, UpdateBadge } from './badge.params';
import { presentBadge, presentRenderedUrls } from './badge.presenter';
import { Badges } from './badges.service';

const READ = { access: 'project:reader', presents: presentBadge } as const;
const MANAGE = { access: 'project:maintainer', presents: presentBadge } as const;

/** Specification, Badges. The row that renders stands before those that take an id, which would answer it too. */
@Controller()
export class ProjectBadgesController {
  constructor(private readonly badges: Badges) {}

  @Endpoint('GET /projects/:id/badges', { ...READ, params: ListBadges, paginated: true })
  list({ actor, subject: project, page }: ProjectCall<typeof ListBadges>) {
    return this.badges.list(actor, ofProject(project), page);
  }

  @Endpoint('GET /projects/:id/badges/render', {
    access: 'project:maintainer',
    loginFirst: true,
    params: RenderBadge,
    presents: presentRenderedUrls,
  })
  render({ actor, subject: project, params }: ProjectCall<typeof RenderBadge>) {
    return this.badges.render(actor, ofProject(project), params);
  }

  @Endpoint('GET /projects/:id/badges/:badge_id', { ...READ, params: BadgePath })
  show({ actor, subject: project, params }: ProjectCall<typeof BadgePath>) {
    return this.badges.show(actor, ofProject(project), params.badge_id);
  }

  @Endpoint('POST /projects/:id/badges', { ...MANAGE, params: CreateBadge })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateBadge>) {
    return this.badges.create(actor, ofProject(project), params);
  }

  @Endpoint('PUT /projects/:id/badges/:badge_id', { ...MANAGE, params: UpdateBadge })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateBadge>) {
    return this.badges.update(actor, ofProject(project), params);
  }

  @Endpoint('DELETE /projects/:id/badges/:badge_id', { access: 'project:maintainer', params: BadgePath })
  delete({ subject: project, params, unmodifiedSince }: ProjectCall<typeof BadgePath>) {
    return this.badges.delete(ofProject(project), params.badge_id, unmodifiedSince);
  }
}
