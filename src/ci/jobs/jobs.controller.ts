import { Endpoint, RawAnswer, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { JobActions } from './job-actions.service';
import { JobPath, ListJobs, ListPipelineJobs } from './job.params';
import { presentJob } from './job.presenter';
import { JobsService } from './jobs.service';

const READ = { access: 'project:read_jobs', loginFirst: true, presents: presentJob } as const;
const CHANGE = { access: 'project:run_pipelines', params: JobPath, presents: presentJob } as const;

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly actions: JobActions,
  ) {}

  @Endpoint('GET /projects/:id/jobs', { ...READ, params: ListJobs, paginated: true })
  list({ subject: project, params, page }: ProjectCall<typeof ListJobs>) {
    return this.jobs.list(project, params, page);
  }

  @Endpoint('GET /projects/:id/pipelines/:pipeline_id/jobs', {
    ...READ,
    params: ListPipelineJobs,
    paginated: true,
  })
  ofPipeline({ subject: project, params, page }: ProjectCall<typeof ListPipelineJobs>) {
    return this.jobs.ofPipeline(project, params, page);
  }

  @Endpoint('GET /projects/:id/jobs/:job_id', { ...READ, params: JobPath })
  show({ subject: project, params }: ProjectCall<typeof JobPath>) {
    return this.jobs.show(project, params.job_id);
  }

  @Endpoint('GET /projects/:id/jobs/:job_id/trace', {
    access: 'project:read_jobs',
    loginFirst: true,
    params: JobPath,
  })
  async trace({ subject: project, params }: ProjectCall<typeof JobPath>) {
    const trace = await this.jobs.trace(project, params.job_id);
    return new RawAnswer(trace?.bytes ?? Buffer.alloc(0), {
      'Content-Type': 'text/plain',
      'Content-Length': String(trace?.size ?? 0),
      'X-Content-Type-Options': 'nosniff',
    });
  }

  @Endpoint('POST /projects/:id/jobs/:job_id/cancel', CHANGE)
  cancel({ actor, subject: project, params }: ProjectCall<typeof JobPath>) {
    return this.actions.cancel(actor, project, params.job_id);
  }

  @Endpoint('POST /projects/:id/jobs/:job_id/retry', CHANGE)
  retry({ actor, subject: project, params }: ProjectCall<typeof JobPath>) {
    return this.actions.retry(actor, project, params.job_id);
  }

  @Endpoint('POST /projects/:id/jobs/:job_id/play', { ...CHANGE, status: 200 })
  play({ actor, subject: project, params }: ProjectCall<typeof JobPath>) {
    return this.actions.play(actor, project, params.job_id);
  }

  @Endpoint('POST /projects/:id/jobs/:job_id/erase', CHANGE)
  erase({ actor, subject: project, params }: ProjectCall<typeof JobPath>) {
    return this.actions.erase(actor, project, params.job_id);
  }
}
