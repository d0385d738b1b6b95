import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { pieceOf, startOf } from '../traces/trace-request';
import { JobRequests } from './job-requests.service';
import { presentJobPayload } from './job-payload.presenter';
import { jobStatus, noJob, notRunning, noSuchRange } from './runner-answers';
import { AppendTrace, ReportJob, RequestJob } from './runner-jobs.params';
import { RunnerReports } from './runner-reports.service';
import { shownToken } from './shown-token';

/** Nobody is signed in: what runners show is theirs, or their job's. */
const RUNNER = { access: 'anyone', loginFirst: false, ownCredential: true } as const;

/** What runners do with jobs, as the reference's own runner speaks. */
@Controller()
export class RunnerJobsController {
  constructor(
    private readonly requests: JobRequests,
    private readonly reports: RunnerReports,
  ) {}

  @Endpoint('POST /jobs/request', { ...RUNNER, params: RequestJob, presents: presentJobPayload })
  async request({ params, address, signal }: CallOf<typeof RequestJob>) {
    const answer = await this.requests.request(params, address, signal);
    return 'job' in answer ? answer.job : noJob(answer.lastUpdate);
  }

  @Endpoint('PUT /jobs/:job_id', { ...RUNNER, params: ReportJob })
  async report(call: CallOf<typeof ReportJob>) {
    const { job_id: id, state, failure_reason: failureReason, trace } = call.params;
    const report = { token: shownToken(call), state, failureReason, trace };
    const { status, isTaken } = await this.reports.report(id, report);
    return isTaken ? jobStatus(200, status) : notRunning(status);
  }

  @Endpoint('PATCH /jobs/:job_id/trace', { ...RUNNER, params: AppendTrace })
  async append(call: CallOf<typeof AppendTrace>) {
    const token = shownToken(call);
    const start = startOf(call.header('content-range'));
    await this.reports.requireHolder(call.params.job_id, token);
    const bytes = await pieceOf(call.body);
    const appended = await this.reports.append(call.params.job_id, { token, start, bytes });
    if (appended.kind === 'taken') return jobStatus(202, appended.status, `0-${appended.size}`);
    if (appended.kind === 'gap') return noSuchRange(appended.size);
    return notRunning(appended.kind === 'full' ? 'failed' : appended.status);
  }
}
