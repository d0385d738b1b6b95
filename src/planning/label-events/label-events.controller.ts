import { Endpoint, type GroupCall, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { Epics } from '../epics/epics.service';
import { IssueLookup } from '../issues/issue-lookup.service';
import { EpicLabelEvent, EpicLabelEvents, IssueLabelEvent, IssueLabelEvents } from './label-event.params';
import { presentLabelEvent } from './label-event.presenter';
import { LabelEvents } from './label-events.service';

const OF_ISSUE = { access: 'project:reader', loginFirst: true, presents: presentLabelEvent } as const;
const OF_EPIC = {
  access: 'group:reader',
  loginFirst: true,
  feature: 'epics',
  presents: presentLabelEvent,
} as const;

/** Specification, Note: changes of labels are no notes, but events of their own. */
@Controller()
export class LabelEventsController {
  constructor(
    private readonly events: LabelEvents,
    private readonly issues: IssueLookup,
    private readonly epics: Epics,
  ) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid/resource_label_events', {
    ...OF_ISSUE,
    params: IssueLabelEvents,
    paginated: true,
  })
  async ofIssue({ actor, subject: project, params, page }: ProjectCall<typeof IssueLabelEvents>) {
    const { id } = await this.issues.require(actor, project, params.issue_iid);
    return this.events.page({ kind: 'Issue', id }, page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id', {
    ...OF_ISSUE,
    params: IssueLabelEvent,
  })
  async oneOfIssue({ actor, subject: project, params }: ProjectCall<typeof IssueLabelEvent>) {
    const { id } = await this.issues.require(actor, project, params.issue_iid);
    return this.events.require({ kind: 'Issue', id }, params.event_id);
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/resource_label_events', {
    ...OF_EPIC,
    params: EpicLabelEvents,
    paginated: true,
  })
  async ofEpic({ actor, subject: group, params, page }: GroupCall<typeof EpicLabelEvents>) {
    const { id } = await this.epics.requireById(actor, group, params.epic_id);
    return this.events.page({ kind: 'Epic', id }, page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/resource_label_events/:event_id', {
    ...OF_EPIC,
    params: EpicLabelEvent,
  })
  async oneOfEpic({ actor, subject: group, params }: GroupCall<typeof EpicLabelEvent>) {
    const { id } = await this.epics.requireById(actor, group, params.epic_id);
    return this.events.require({ kind: 'Epic', id }, params.event_id);
  }
}
