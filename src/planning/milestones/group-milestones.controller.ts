import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentIssue } from '../issues/issue.presenter';
import { placeOfGroup } from '../labels/place';
import { presentBurndownEvent } from './burndown-event.presenter';
import { MilestoneIssues } from './milestone-issues.service';
import { CreateMilestone, ListMilestones, MilestonePath, UpdateMilestone } from './milestone.params';
import { presentMilestone } from './milestone.presenter';
import { OwnMilestones } from './own-milestones.service';

const READ = { access: 'group:reader', loginFirst: true } as const;
const MANAGE = { access: 'group:developer' } as const;

/** The same for groups: milestones that all projects inside share. */
@Controller()
export class GroupMilestonesController {
  constructor(
    private readonly milestones: OwnMilestones,
    private readonly issuesOf: MilestoneIssues,
  ) {}

  @Endpoint('GET /groups/:id/milestones', {
    ...READ,
    params: ListMilestones,
    presents: presentMilestone,
    paginated: true,
  })
  list({ subject: group, params, page }: GroupCall<typeof ListMilestones>) {
    return this.milestones.list(placeOfGroup(group), params, page);
  }

  @Endpoint('GET /groups/:id/milestones/:milestone_id', {
    ...READ,
    params: MilestonePath,
    presents: presentMilestone,
  })
  show({ subject: group, params }: GroupCall<typeof MilestonePath>) {
    return this.milestones.require(placeOfGroup(group), params.milestone_id);
  }

  @Endpoint('POST /groups/:id/milestones', {
    ...MANAGE,
    params: CreateMilestone,
    presents: presentMilestone,
  })
  create({ subject: group, params }: GroupCall<typeof CreateMilestone>) {
    return this.milestones.create(placeOfGroup(group), params);
  }

  @Endpoint('PUT /groups/:id/milestones/:milestone_id', {
    ...MANAGE,
    params: UpdateMilestone,
    presents: presentMilestone,
  })
  update({ subject: group, params }: GroupCall<typeof UpdateMilestone>) {
    return this.milestones.update(placeOfGroup(group), params);
  }

  @Endpoint('DELETE /groups/:id/milestones/:milestone_id', { ...MANAGE, params: MilestonePath })
  delete({ actor, subject: group, params, unmodifiedSince }: GroupCall<typeof MilestonePath>) {
    return this.milestones.delete(actor, placeOfGroup(group), params.milestone_id, unmodifiedSince);
  }

  @Endpoint('GET /groups/:id/milestones/:milestone_id/issues', {
    ...READ,
    params: MilestonePath,
    presents: presentIssue,
    paginated: true,
  })
  issues({ actor, subject: group, params, page }: GroupCall<typeof MilestonePath>) {
    return this.issuesOf.page(actor, placeOfGroup(group), params.milestone_id, page);
  }

  @Endpoint('GET /groups/:id/milestones/:milestone_id/burndown_events', {
    ...READ,
    feature: 'group_burndown_charts',
    params: MilestonePath,
    presents: presentBurndownEvent,
  })
  burndownEvents({ actor, subject: group, params }: GroupCall<typeof MilestonePath>) {
    return this.issuesOf.burndown(actor, placeOfGroup(group), params.milestone_id);
  }
}
