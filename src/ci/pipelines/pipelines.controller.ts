import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreatePipeline, LatestPipeline, ListPipelines, PipelinePath } from './pipeline.params';
import { presentPipeline, presentPipelineSummary, presentPipelineVariable } from './pipeline.presenter';
import { Pipelines } from './pipelines.service';

const READ = { loginFirst: true, access: 'project:read_pipelines' } as const;

/** Specification, Pipelines. */
@Controller()
export class PipelinesController {
  constructor(private readonly pipelines: Pipelines) {}

  @Endpoint('GET /projects/:id/pipelines', {
    ...READ,
    params: ListPipelines,
    presents: presentPipelineSummary,
    paginated: true,
  })
  list({ subject: project, params, page }: ProjectCall<typeof ListPipelines>) {
    return this.pipelines.list(project, params, page);
  }

  @Endpoint('GET /projects/:id/pipelines/latest', {
    ...READ,
    params: LatestPipeline,
    presents: presentPipeline,
  })
  latest({ subject: project, params }: ProjectCall<typeof LatestPipeline>) {
    return this.pipelines.latest(project, params.ref);
  }

  @Endpoint('GET /projects/:id/pipelines/:pipeline_id', {
    ...READ,
    params: PipelinePath,
    presents: presentPipeline,
  })
  show({ subject: project, params }: ProjectCall<typeof PipelinePath>) {
    return this.pipelines.find(project, params.pipeline_id);
  }

  @Endpoint('GET /projects/:id/pipelines/:pipeline_id/variables', {
    loginFirst: true,
    access: 'project:read_pipeline_variables',
    params: PipelinePath,
    presents: presentPipelineVariable,
  })
  variables({ actor, subject: project, params }: ProjectCall<typeof PipelinePath>) {
    return this.pipelines.variables(actor, project, params.pipeline_id);
  }

  @Endpoint('POST /projects/:id/pipeline', {
    access: 'project:run_pipelines',
    params: CreatePipeline,
    presents: presentPipeline,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreatePipeline>) {
    return this.pipelines.create(actor, project, params);
  }

  @Endpoint('POST /projects/:id/pipelines/:pipeline_id/retry', {
    access: 'project:run_pipelines',
    params: PipelinePath,
    presents: presentPipeline,
  })
  retry({ actor, subject: project, params }: ProjectCall<typeof PipelinePath>) {
    return this.pipelines.retry(actor, project, params.pipeline_id);
  }

  @Endpoint('POST /projects/:id/pipelines/:pipeline_id/cancel', {
    access: 'project:run_pipelines',
    params: PipelinePath,
    presents: presentPipeline,
    status: 200,
  })
  cancel({ actor, subject: project, params }: ProjectCall<typeof PipelinePath>) {
    return this.pipelines.cancel(actor, project, params.pipeline_id);
  }

  @Endpoint('DELETE /projects/:id/pipelines/:pipeline_id', {
    access: 'project:delete_pipelines',
    params: PipelinePath,
  })
  remove({ subject: project, params, unmodifiedSince }: ProjectCall<typeof PipelinePath>) {
    return this.pipelines.remove(project, params.pipeline_id, unmodifiedSince);
  }
}
