import { Endpoint, type CallOf, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentJobOfRunner } from '../jobs/job.presenter';
import { JobRecords } from '../jobs/job-records.service';
import { ProjectRunners } from './project-runners.service';
import {
  DisableRunner,
  EnableRunner,
  ListJobsOfRunner,
  ListRunners,
  RunnerPath,
  UpdateRunner,
} from './runner.params';
import { presentRunner, presentRunnerDetails } from './runner.presenter';
import { Runners } from './runners.service';

const USER = { access: 'user', loginFirst: true } as const;
const MAINTAINER = { access: 'project:maintainer', loginFirst: true } as const;

/** What people see of runners, and do with them. */
@Controller()
export class RunnersController {
  constructor(
    private readonly runners: Runners,
    private readonly ofProjects: ProjectRunners,
    private readonly records: JobRecords,
  ) {}

  @Endpoint('GET /runners', { ...USER, params: ListRunners, presents: presentRunner, paginated: true })
  list({ actor, params, page }: CallOf<typeof ListRunners>) {
    return this.runners.owned(actor, params, page);
  }

  @Endpoint('GET /runners/all', {
    access: 'admin',
    loginFirst: true,
    params: ListRunners,
    presents: presentRunner,
    paginated: true,
  })
  all({ params, page }: CallOf<typeof ListRunners>) {
    return this.runners.all(params, page);
  }

  @Endpoint('GET /runners/:id', { ...USER, params: RunnerPath, presents: presentRunnerDetails })
  show({ actor, params }: CallOf<typeof RunnerPath>) {
    return this.runners.show(actor, params.id);
  }

  @Endpoint('PUT /runners/:id', { ...USER, params: UpdateRunner, presents: presentRunnerDetails })
  update({ actor, params }: CallOf<typeof UpdateRunner>) {
    return this.runners.update(actor, params);
  }

  @Endpoint('DELETE /runners/:id', { ...USER, params: RunnerPath })
  remove({ actor, params }: CallOf<typeof RunnerPath>) {
    return this.runners.remove(actor, params.id);
  }

  @Endpoint('GET /runners/:id/jobs', {
    ...USER,
    params: ListJobsOfRunner,
    presents: presentJobOfRunner,
    paginated: true,
  })
  async jobs({ actor, params, page }: CallOf<typeof ListJobsOfRunner>) {
    return this.records.page(await this.runners.jobsOf(actor, params, page));
  }

  @Endpoint('GET /projects/:id/runners', {
    ...MAINTAINER,
    params: ListRunners,
    presents: presentRunner,
    paginated: true,
  })
  ofProject({ subject: project, params, page }: ProjectCall<typeof ListRunners>) {
    return this.ofProjects.list(project, params, page);
  }

  @Endpoint('POST /projects/:id/runners', { ...MAINTAINER, params: EnableRunner, presents: presentRunner })
  enable({ actor, subject: project, params }: ProjectCall<typeof EnableRunner>) {
    return this.ofProjects.enable(actor, project, params.runner_id);
  }

  @Endpoint('DELETE /projects/:id/runners/:runner_id', { ...MAINTAINER, params: DisableRunner })
  disable({ subject: project, params }: ProjectCall<typeof DisableRunner>) {
    return this.ofProjects.disable(project, params.runner_id);
  }
}
