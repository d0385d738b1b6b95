import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentLabelEvent, presentTimeStats } from '../../planning/planning.api';
import { LabelEventPath, MergeRequestPath, TimeChange } from './merge-request.params';
import { MergeRequestRecords } from './merge-request-records.service';

const ITEM = { access: 'project:reader' } as const;
const TIMES = { ...ITEM, presents: presentTimeStats } as const;

/** How long merge requests take, and which labels they had. */
@Controller()
export class MergeRequestTimesController {
  constructor(private readonly records: MergeRequestRecords) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/time_stats', {
    ...TIMES,
    params: MergeRequestPath,
  })
  times({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.records.times(actor, project, params.merge_request_iid);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/time_estimate', {
    ...TIMES,
    params: TimeChange,
    status: 200,
  })
  estimate({ actor, subject: project, params }: ProjectCall<typeof TimeChange>) {
    return this.records.estimate(actor, project, params.merge_request_iid, params.duration);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate', {
    ...TIMES,
    params: MergeRequestPath,
    status: 200,
  })
  resetEstimate({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.records.estimate(actor, project, params.merge_request_iid, null);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time', {
    ...TIMES,
    params: TimeChange,
  })
  spend({ actor, subject: project, params }: ProjectCall<typeof TimeChange>) {
    return this.records.spend(actor, project, params.merge_request_iid, params.duration);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time', {
    ...TIMES,
    params: MergeRequestPath,
    status: 200,
  })
  resetSpent({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.records.spend(actor, project, params.merge_request_iid, null);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentLabelEvent,
    paginated: true,
  })
  labelEvents({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.records.labelEvents(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id', {
    ...ITEM,
    params: LabelEventPath,
    presents: presentLabelEvent,
  })
  labelEvent({ actor, subject: project, params }: ProjectCall<typeof LabelEventPath>) {
    return this.records.labelEvent(actor, project, params);
  }
}
