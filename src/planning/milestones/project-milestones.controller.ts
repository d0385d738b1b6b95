import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentIssue } from '../issues/issue.presenter';
import { placeOfProject } from '../labels/place';
import { presentBurndownEvent } from './burndown-event.presenter';
import { MilestoneIssues } from './milestone-issues.service';
import { MilestonePromotion } from './milestone-promotion.service';
import { CreateMilestone, ListMilestones, MilestonePath, UpdateMilestone } from './milestone.params';
import { presentMilestone } from './milestone.presenter';
import { OwnMilestones } from './own-milestones.service';

const READ = { access: 'project:read_milestones', loginFirst: true } as const;
const MANAGE = { access: 'project:manage_milestones' } as const;

/** Specification, Milestones (project). */
@Controller()
export class ProjectMilestonesController {
  constructor(
    private readonly milestones: OwnMilestones,
    private readonly issuesOf: MilestoneIssues,
    private readonly promotion: MilestonePromotion,
  ) {}

  @Endpoint('GET /projects/:id/milestones', {
    ...READ,
    params: ListMilestones,
    presents: presentMilestone,
    paginated: true,
  })
  list({ subject: project, params, page }: ProjectCall<typeof ListMilestones>) {
    return this.milestones.list(placeOfProject(project), params, page);
  }

  @Endpoint('GET /projects/:id/milestones/:milestone_id', {
    ...READ,
    params: MilestonePath,
    presents: presentMilestone,
  })
  show({ subject: project, params }: ProjectCall<typeof MilestonePath>) {
    return this.milestones.require(placeOfProject(project), params.milestone_id);
  }

  @Endpoint('POST /projects/:id/milestones', {
    ...MANAGE,
    params: CreateMilestone,
    presents: presentMilestone,
  })
  create({ subject: project, params }: ProjectCall<typeof CreateMilestone>) {
    return this.milestones.create(placeOfProject(project), params);
  }

  @Endpoint('PUT /projects/:id/milestones/:milestone_id', {
    ...MANAGE,
    params: UpdateMilestone,
    presents: presentMilestone,
  })
  update({ subject: project, params }: ProjectCall<typeof UpdateMilestone>) {
    return this.milestones.update(placeOfProject(project), params);
  }

  @Endpoint('DELETE /projects/:id/milestones/:milestone_id', { ...MANAGE, params: MilestonePath })
  delete({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof MilestonePath>) {
    return this.milestones.delete(actor, placeOfProject(project), params.milestone_id, unmodifiedSince);
  }

  @Endpoint('GET /projects/:id/milestones/:milestone_id/issues', {
    ...READ,
    params: MilestonePath,
    presents: presentIssue,
    paginated: true,
  })
  issues({ actor, subject: project, params, page }: ProjectCall<typeof MilestonePath>) {
    return this.issuesOf.page(actor, placeOfProject(project), params.milestone_id, page);
  }

  @Endpoint('POST /projects/:id/milestones/:milestone_id/promote', {
    ...MANAGE,
    status: 200,
    params: MilestonePath,
  })
  promote({ actor, subject: project, params }: ProjectCall<typeof MilestonePath>) {
    return this.promotion.promote(actor, project, params.milestone_id);
  }

  @Endpoint('GET /projects/:id/milestones/:milestone_id/burndown_events', {
    ...READ,
    feature: 'burndown_charts',
    params: MilestonePath,
    presents: presentBurndownEvent,
  })
  burndownEvents({ actor, subject: project, params }: ProjectCall<typeof MilestonePath>) {
    return this.issuesOf.burndown(actor, placeOfProject(project), params.milestone_id);
  }
}
