import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListForks } from '../projects/project.params';
import { presentProject } from '../projects/project.presenter';
import { ProjectsService } from '../projects/projects.service';
import { ForkCreation } from './fork-creation.service';
import { EndFork, ForkProject, RelateFork } from './fork.params';
import { Forks } from './forks.service';

/** Specification, Projects: the fork relation; forking itself as the reference has it. */
@Controller()
export class ForksController {
  constructor(
    private readonly forks: Forks,
    private readonly creation: ForkCreation,
    private readonly projects: ProjectsService,
  ) {}

  @Endpoint('POST /projects/:id/fork', {
    access: 'project:reader',
    params: ForkProject,
    presents: presentProject,
  })
  fork({ actor, subject: project, params }: ProjectCall<typeof ForkProject>) {
    return this.creation.fork(actor, project, params);
  }

  @Endpoint('GET /projects/:id/forks', {
    access: 'project:reader',
    params: ListForks,
    paginated: true,
    presents: presentProject,
  })
  list({ actor, subject: project, params, page }: ProjectCall<typeof ListForks>) {
    return this.projects.listForks(actor, project.id, params, page);
  }

  @Endpoint('POST /projects/:id/fork/:forked_from_id', {
    access: 'project:owner',
    params: RelateFork,
    presents: presentProject,
  })
  relate({ actor, subject: project, params }: ProjectCall<typeof RelateFork>) {
    return this.forks.relate(actor, project, params.forked_from_id);
  }

  @Endpoint('DELETE /projects/:id/fork', { access: 'project:owner', params: EndFork })
  end({ actor, subject: project }: ProjectCall<typeof EndFork>) {
    return this.forks.end(actor, project);
  }
}
