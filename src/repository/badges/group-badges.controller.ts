import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ofGroup } from './badge';
import { BadgePath, CreateBadge, ListBadges, RenderBadge, UpdateBadge } from './badge.params';
import { presentBadge, presentRenderedUrls } from './badge.presenter';
import { Badges } from './badges.service';

const READ = { access: 'group:reader', presents: presentBadge } as const;
const MANAGE = { access: 'group:owner', presents: presentBadge } as const;

/** Specification, Badges. The row that renders stands before those that take an id, which would answer it too. */
@Controller()
export class GroupBadgesController {
  constructor(private readonly badges: Badges) {}

  @Endpoint('GET /groups/:id/badges', { ...READ, params: ListBadges, paginated: true })
  list({ actor, subject: group, page }: GroupCall<typeof ListBadges>) {
    return this.badges.list(actor, ofGroup(group), page);
  }

  @Endpoint('GET /groups/:id/badges/render', {
    access: 'group:owner',
    loginFirst: true,
    params: RenderBadge,
    presents: presentRenderedUrls,
  })
  render({ actor, subject: group, params }: GroupCall<typeof RenderBadge>) {
    return this.badges.render(actor, ofGroup(group), params);
  }

  @Endpoint('GET /groups/:id/badges/:badge_id', { ...READ, params: BadgePath })
  show({ actor, subject: group, params }: GroupCall<typeof BadgePath>) {
    return this.badges.show(actor, ofGroup(group), params.badge_id);
  }

  @Endpoint('POST /groups/:id/badges', { ...MANAGE, params: CreateBadge })
  create({ actor, subject: group, params }: GroupCall<typeof CreateBadge>) {
    return this.badges.create(actor, ofGroup(group), params);
  }

  @Endpoint('PUT /groups/:id/badges/:badge_id', { ...MANAGE, params: UpdateBadge })
  update({ actor, subject: group, params }: GroupCall<typeof UpdateBadge>) {
    return this.badges.update(actor, ofGroup(group), params);
  }

  @Endpoint('DELETE /groups/:id/badges/:badge_id', { access: 'group:owner', params: BadgePath })
  delete({ subject: group, params, unmodifiedSince }: GroupCall<typeof BadgePath>) {
    return this.badges.delete(ofGroup(group), params.badge_id, unmodifiedSince);
  }
}
