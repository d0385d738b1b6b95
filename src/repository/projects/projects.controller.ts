import { Endpoint, type CallOf, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../../identity/identity.api';
import { ProjectChanges } from './project-changes.service';
import { ProjectCreation } from './project-creation.service';
import { ProjectDeletion } from './project-deletion.service';
import {
  CreateProject,
  CreateProjectForUser,
  DeleteProject,
  ListProjects,
  ReadProject,
  UpdateProject,
} from './project.params';
import { presentProject } from './project.presenter';
import { ProjectsService } from './projects.service';

/** Specification, Projects; creating, changing and deleting as the reference has them. */
@Controller()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly creation: ProjectCreation,
    private readonly changes: ProjectChanges,
    private readonly deletion: ProjectDeletion,
  ) {}

  @Endpoint('GET /projects', {
    access: 'anyone',
    params: ListProjects,
    presents: presentProject,
    paginated: true,
  })
  list({ actor, params, page }: CallOf<typeof ListProjects>) {
    return this.projects.list(actor, params, page);
  }

  @Endpoint('POST /projects', { access: 'user', params: CreateProject, presents: presentProject })
  create({ actor, params }: CallOf<typeof CreateProject>) {
    return this.creation.create(actor, params);
  }

  @Endpoint('POST /projects/user/:user_id', {
    access: 'admin',
    params: CreateProjectForUser,
    presents: presentProject,
  })
  createForUser({ actor, params }: CallOf<typeof CreateProjectForUser>) {
    return this.creation.createFor(actor, params);
  }

  @Endpoint('GET /projects/:id', { access: 'project:reader', params: ReadProject, presents: presentProject })
  get({ actor, subject: project, params }: ProjectCall<typeof ReadProject>) {
    return this.projects.find(actor, project, params);
  }

  @Endpoint('PUT /projects/:id', {
    access: 'project:maintainer',
    params: UpdateProject,
    presents: presentProject,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateProject>) {
    return this.changes.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id', {
    access: 'project:owner',
    params: DeleteProject,
    presents: presentAccepted,
    status: 202,
  })
  delete({ actor, subject: project, unmodifiedSince }: ProjectCall<typeof DeleteProject>) {
    return this.deletion.delete(actor, project, unmodifiedSince);
  }
}
